"use strict";
(function () {
  const groups = Array.from(document.querySelectorAll("tbody.group"));
  const rows = Array.from(document.querySelectorAll("tr[data-outcome]"));
  const box = document.querySelector(".filters");
  const tiles = Array.from(document.querySelectorAll(".tile"));
  const all = document.getElementById("all");
  const chosen = { outcome: "", kind: "", reading: "", text: "" };
  function apply() {
    let shown = 0, last = null;
    for (const row of rows) {
      const fits = ["outcome", "kind", "reading"].every(
        (key) => !chosen[key] || row.dataset[key] === chosen[key]);
      const found = row.textContent.toLowerCase().includes(chosen.text);
      row.hidden = !(fits && found);
      if (row.hidden) { continue; }
      shown += 1;
      row.classList.toggle("again", row.dataset.claim === last);
      last = row.dataset.claim;
    }
    for (const group of groups) {
      group.hidden = !group.querySelector("tr[data-outcome]:not([hidden])");
    }
    for (const tile of tiles) {
      tile.setAttribute("aria-pressed", String(tile.dataset.outcome === chosen.outcome));
    }
    const filtered = Object.values(chosen).some((value) => value !== "");
    document.body.classList.toggle("filtered", filtered);
    document.getElementById("shown").textContent = shown + " of " + rows.length + " shown";
  }
  function fold(group, open) {
    const button = group.querySelector(".fold");
    if (!button) { return; }
    button.hidden = false;
    button.setAttribute("aria-expanded", String(open));
    group.classList.toggle("folded", !open);
  }
  function reveal() {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    if (!target) { return; }
    if (target.tagName === "DETAILS") { target.open = true; }
    const group = target.closest("tbody.group");
    if (group) { fold(group, true); }
    target.scrollIntoView();
  }
  for (const select of box.querySelectorAll("select")) {
    select.addEventListener("change", () => { chosen[select.name] = select.value; apply(); });
  }
  box.querySelector("input").addEventListener("input", (event) => {
    chosen.text = event.target.value.trim().toLowerCase(); apply();
  });
  for (const tile of tiles) {
    tile.addEventListener("click", () => {
      const again = chosen.outcome === tile.dataset.outcome;
      chosen.outcome = again ? "" : tile.dataset.outcome;
      box.querySelector("select[name=outcome]").value = chosen.outcome; apply();
    });
  }
  for (const group of groups) {
    const button = group.querySelector(".fold");
    if (button) {
      button.addEventListener("click", () => fold(group, group.classList.contains("folded")));
    }
    fold(group, false);
  }
  all.addEventListener("click", () => {
    const open = all.getAttribute("aria-pressed") !== "true";
    all.setAttribute("aria-pressed", String(open));
    groups.forEach((group) => fold(group, open));
  });
  window.addEventListener("hashchange", reveal);
  box.hidden = false;
  apply();
  reveal();
})();
