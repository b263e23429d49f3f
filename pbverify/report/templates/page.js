"use strict";
(function () {
  const rows = Array.from(document.querySelectorAll("tr[data-outcome]"));
  const box = document.querySelector(".filters");
  const tiles = Array.from(document.querySelectorAll(".tile"));
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
    for (const tile of tiles) {
      tile.setAttribute("aria-pressed", String(tile.dataset.outcome === chosen.outcome));
    }
    document.getElementById("shown").textContent = shown + " of " + rows.length + " shown";
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
  box.hidden = false;
  apply();
})();
