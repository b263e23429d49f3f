"use strict";
(function () {
  const picture = document.querySelector(".graph svg");
  const tools = document.querySelector(".zoom");
  if (!picture) { return; }
  const whole = picture.viewBox.baseVal.width;
  function resize(factor) {
    const width = picture.getBoundingClientRect().width;
    const next = factor ? width * factor : picture.parentElement.clientWidth - 20;
    picture.setAttribute("width", String(Math.min(Math.max(next, 200), 4 * whole)));
  }
  for (const button of tools.querySelectorAll("button")) {
    button.addEventListener("click", () => resize(Number(button.dataset.zoom)));
  }
  tools.hidden = false;
})();
