/** The pitch without anybody on it. */

import { svg } from "/assets/svg.js";
import { area, CELL, middle, outline } from "./geometry.js";

/**
 * @param {{cells: number[][], zones: number[][][], goals: number[][], centre: number[][]}} pitch
 * @param {{left: number, width: number}} frame
 */
export function ground(pitch, frame) {
  const { cells, zones, goals, centre, width, height } = pitch;
  const [x, y] = [(width * CELL) / 2, (height * CELL) / 2];
  const radius = CELL * 1.5;
  return svg(
    "g",
    { class: "ground" },
    svg("rect", { class: "arena", x: frame.left, y: -11, width: frame.width, height: height * CELL + 22, rx: 36 }),
    svg("path", { class: "turf-edge", d: area(cells) }),
    svg("path", { class: "turf", d: area(cells) }),
    svg("path", { class: "stripe", d: area(cells.filter(([column]) => column % 2 === 0)) }),
    zones.map((zone, index) => svg("path", { class: `zone ${index ? "right" : "left"}`, d: area(zone) })),
    svg("path", { class: "zone", d: area(centre) }),
    svg("path", { class: "grid", d: area(cells) }),
    zones.map((zone) => svg("path", { class: "chalk", d: outline(zone) })),
    svg("circle", { class: "chalk", cx: x, cy: y, r: radius }),
    svg("path", { class: "chalk", d: `M${x} 0V${y - radius}M${x} ${y + radius}V${height * CELL}` }),
    svg("circle", { class: "spot", cx: x, cy: y, r: 3 }),
    svg("path", { class: "border", d: outline(cells) }),
    numbers(cells),
    goals.map(([column, row]) => goal([column, row], column < width / 2 ? "left" : "right")),
  );
}

/** The coordinates of the protocol, at the upper end of columns and the left end of rows. */
function numbers(cells) {
  const columns = firsts(cells, ([x]) => x).map(([x, y]) =>
    svg("text", { x: (x + 0.5) * CELL, y: y * CELL + 10 }, x),
  );
  const rows = firsts(cells, ([, y]) => y).map(([x, y]) =>
    svg("text", { x: x * CELL + 7, y: (y + 0.5) * CELL + 3 }, y),
  );
  return svg("g", { class: "numbers", "aria-hidden": "true" }, columns, rows);
}

function firsts(cells, key) {
  const found = new Map();
  for (const cell of [...cells].sort((one, other) => one[0] + one[1] - other[0] - other[1])) {
    if (!found.has(key(cell))) found.set(key(cell), cell);
  }
  return [...found.values()];
}

function goal(place, side) {
  const [x, y] = middle(place);
  return svg(
    "g",
    { class: `goal ${side}`, "data-at": place.join("|"), transform: `translate(${x} ${y})` },
    svg("path", { class: "pole", d: "M0 12V19" }),
    svg("ellipse", { class: "foot", cx: 0, cy: 19, rx: 6, ry: 2 }),
    svg("circle", { class: "hoop-edge", cy: -3, r: 14 }),
    svg("circle", { class: "hoop", cy: -3, r: 14 }),
  );
}
