"use strict";
// Steps through each trace: shows the whole state, and what the step has changed.
for (const section of document.querySelectorAll("[data-trace]")) {
  const steps = JSON.parse(section.querySelector("script").textContent);
  const items = [...section.querySelectorAll("ol.trace > li[data-step]")];
  const table = section.querySelector(".state tbody");
  const label = section.querySelector(".where");
  const states = [];
  for (const step of steps) {
    const before = states.length && !step.whole ? states[states.length - 1] : {};
    states.push({ ...before, ...step.changed });
  }
  let here = steps.length - 1;
  const show = (to, scroll) => {
    here = Math.max(0, Math.min(steps.length - 1, to));
    items.forEach((item, i) => item.classList.toggle("here", i === here));
    if (scroll) items[here].scrollIntoView({ block: "nearest" });
    label.textContent = `after step ${steps[here].number} of ${section.dataset.trace}`;
    table.replaceChildren(...Object.entries(states[here]).map(([name, value]) => {
      const row = document.createElement("tr");
      for (const text of [name, value]) {
        const cell = document.createElement("td");
        cell.className = "mono" + (name in steps[here].changed ? " changed" : "");
        cell.textContent = text;
        row.append(cell);
      }
      return row;
    }));
  };
  items.forEach((item, i) => item.addEventListener("click", () => show(i, false)));
  const moves = { first: () => 0, back: () => here - 1, on: () => here + 1, last: () => steps.length - 1 };
  for (const [name, move] of Object.entries(moves)) {
    section.querySelector(`button[name=${name}]`).addEventListener("click", () => show(move(), true));
  }
  section.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) { show(here + step, true); event.preventDefault(); }
  });
  section.querySelector(".stepper").hidden = false;
  section.querySelector(".state").hidden = false;
  show(here, false);
}
