"use strict";
(function () {
  const form = document.querySelector("form.filters");
  const groups = Array.from(document.querySelectorAll("table.claims tbody"));
  const rows = Array.from(document.querySelectorAll("tr[data-claim]"));
  const fields = Array.from(form.elements).filter((each) => each.name);
  const text = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  function fits(row) {
    return fields.every((field) => {
      const value = field.value.trim();
      if (!value) { return true; }
      return field.name === "text"
        ? text.get(row).includes(value.toLowerCase()) : row.dataset[field.name] === value;
    });
  }
  function apply() {
    for (const row of rows) { row.hidden = !fits(row); }
    for (const group of groups) {
      group.hidden = !group.querySelector("tr[data-claim]:not([hidden])");
    }
    const shown = rows.filter((row) => !row.hidden).length;
    document.getElementById("shown").textContent = shown + " of " + rows.length + " shown";
  }
  function read() {
    const chosen = new URLSearchParams(location.hash.slice(1));
    for (const field of fields) { field.value = chosen.get(field.name) || ""; }
    apply();
  }
  function write() {
    const chosen = new URLSearchParams();
    for (const field of fields) {
      if (field.value) { chosen.set(field.name, field.value); }
    }
    history.replaceState(null, "", "#" + chosen.toString());
    apply();
  }
  form.addEventListener("input", write);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(write));
  window.addEventListener("hashchange", read);
  form.hidden = false;
  read();
})();
