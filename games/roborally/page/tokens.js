/** What lies on a course and changes: energy cubes, and checkpoints, which belts may carry. */

import { svg } from "/assets/svg.js";
import { placed } from "./grid.js";

export function drawEnergy([x, y, cubes], height) {
  return svg(
    "g",
    {
      class: cubes ? "energy-space" : "energy-space used",
      "data-at": `${x},${y}`,
      "data-cubes": cubes,
      transform: placed([x, y], height),
    },
    svg("path", { class: "pad", d: "M0-39L34-19.5V19.5L0 39L-34 19.5V-19.5Z" }),
    svg("path", { class: "bolt", d: "M6-25L-17 5H-2L-6 25L17-5H2Z" }),
    cubes > 1 ? svg("text", { x: 27, y: 41 }, `×${cubes}`) : null,
  );
}

/** A number; a robot that stands on it leaves a flag with the number to be seen. */
export function drawCheckpoint(at, number, height, covered) {
  return svg(
    "g",
    {
      class: covered ? "checkpoint covered" : "checkpoint",
      "data-at": String(at),
      "data-number": number,
      transform: placed(at, height),
    },
    svg("circle", { class: "disc", r: 41 }),
    svg("circle", { class: "rim", r: 36 }),
    svg("text", { class: "large", y: 18 }, number),
    svg("path", { class: "flag", d: "M-47-47H-17L-25-33L-17-19H-47Z" }),
    svg("text", { class: "small", x: -35, y: -24 }, number),
  );
}
