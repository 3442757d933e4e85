/** Conveyor belts: straight ones, curves, and curves that can also be entered straight on. */

import { svg } from "/assets/svg.js";
import { degrees, placed } from "./grid.js";

const STRAIGHT = "M0 50V-50";
/** From the left edge to the upper one. */
const CURVE = "M-50 0A50 50 0 0 0 0-50";
/** The middle of that curve. */
const PIVOT = -50;

/** Blue belts move two cells, and have arrows in pairs. */
const PAIR = 13;

export function drawBelt(belt, height) {
  const { at, to, inward, crossing, speed } = belt;
  const bands = [!inward || crossing ? STRAIGHT : "", inward ? CURVE : ""].filter(Boolean).join("");
  // Seen from where it leads to, robots come from the left or from the right.
  const fromRight = inward && (degrees(inward) - degrees(to) + 360) % 360 === 270;
  return svg(
    "g",
    {
      class: `belt speed-${speed}`,
      "data-at": String(at),
      "data-to": to,
      transform: placed(at, height, to) + (fromRight ? " scale(-1 1)" : ""),
    },
    svg("path", { class: "rail", d: bands }),
    svg("path", { class: "band", d: bands }),
    svg("path", { class: "arrows", d: arrows(belt) }),
  );
}

function arrows({ inward, crossing, speed }) {
  const spread = speed > 1 ? [-PAIR / 2, PAIR / 2] : [0];
  const found = [];
  if (!inward) {
    for (const y of [25, -25]) spread.forEach((by) => found.push(arrow(0, y + by, 0)));
    return found.join("");
  }
  if (crossing) {
    found.push(arrow(0, 34, 0));
    spread.forEach((by) => found.push(arrow(0, -30 + by, 0)));
    found.push(along(74));
    return found.join("");
  }
  for (const angle of [68, 22]) spread.forEach((by) => found.push(along(angle + by)));
  return found.join("");
}

/** An arrow on the curve; 90 is where it begins and 0 where it ends. */
function along(angle) {
  const radians = (angle * Math.PI) / 180;
  return arrow(PIVOT + 50 * Math.cos(radians), PIVOT + 50 * Math.sin(radians), angle);
}

/** A tip, turned clockwise from up. */
function arrow(x, y, turn) {
  const radians = (turn * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  const points = [[-15, 9], [0, -6], [15, 9]].map(([dx, dy]) =>
    [x + dx * cos - dy * sin, y + dx * sin + dy * cos].map((each) => each.toFixed(1)).join(" "),
  );
  return `M${points.join("L")}`;
}
