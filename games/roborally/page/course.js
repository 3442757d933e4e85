/** What stays where it is: floor, belts, gears, panels, pits, walls, lasers, antenna. */

import { svg } from "/assets/svg.js";
import { drawBelt } from "./belt.js";
import { CELL, degrees, middle, placed } from "./grid.js";

/** Everything below the robots; beams and what moves are drawn by the board. */
export function drawCourse(scenery) {
  const { height } = scenery;
  return svg(
    "g",
    { class: "course" },
    drawFloor(scenery),
    ...scenery.belts.map((belt) => drawBelt(belt, height)),
    ...scenery.pits.map((at) => drawPit(at, height)),
    ...scenery.starts.map((at) => drawStart(at, height, scenery.antenna.to)),
    ...scenery.gears.map((gear) => drawGear(gear, height)),
    ...scenery.panels.map((panel) => drawPanel(panel, height)),
    ...scenery.restarts.map((restart) => drawRestart(restart, height)),
    drawSeams(scenery),
    drawAntenna(scenery.antenna, height),
  );
}

/** The numbers of columns and rows, as clients count. */
export function drawNumbers({ width, height }) {
  const below = height * CELL + 31;
  const columns = Array.from({ length: width }, (_, x) => [(x + 0.5) * CELL, below, x]);
  const rows = Array.from({ length: height }, (_, y) => [-22, (height - y - 0.5) * CELL + 9, y]);
  const numbers = [...columns, ...rows].map(([x, y, number]) => svg("text", { x, y }, number));
  return svg("g", { class: "axes" }, ...numbers);
}

/** Walls and emitters, which stand out above beams. */
export function drawWalls(scenery) {
  const { height } = scenery;
  return svg(
    "g",
    { class: "walls" },
    ...scenery.lasers.map((laser) => drawEmitter(laser, height)),
    ...scenery.walls.flatMap(({ at, sides }) =>
      sides.map((side) =>
        svg(
          "g",
          {
            class: "wall",
            "data-at": String(at),
            "data-side": side,
            transform: placed(at, height, side),
          },
          svg("rect", { x: -51, y: -51, width: 102, height: 12, rx: 3 }),
          svg("path", { d: "M-36-39l10-12M-6-39l10-12M24-39l10-12" }),
        ),
      ),
    ),
  );
}

/** Beams, from the emitter to what stops them; the board shortens them where a robot stands. */
export function drawBeams(laser, height) {
  const gap = 13;
  return svg(
    "g",
    { class: "beams", "data-at": String(laser.at), transform: placed(laser.at, height, laser.to) },
    ...Array.from({ length: laser.count }, (_, n) => {
      const x = (n - (laser.count - 1) / 2) * gap;
      return svg("line", { x1: x, x2: x, y1: 38, y2: 0 });
    }),
  );
}

function drawFloor({ width, height, holes }) {
  const missing = new Set(holes.map(String));
  const count = width * height;
  const cells = Array.from({ length: count }, (_, n) => [n % width, Math.floor(n / width)]);
  const floor = cells.filter((at) => !missing.has(String(at)));
  const corners = floor.map((at) => {
    const [x, y] = middle(at, height);
    const [left, top] = [x - 41, y - 41];
    return `M${left} ${top}h0m82 0h0m0 82h0m-82 0h0`;
  });
  return svg(
    "g",
    { class: "floor" },
    ...floor.map((at) => {
      const [x, y] = middle(at, height);
      return svg("rect", { class: "plate", x: x - 49, y: y - 49, width: 98, height: 98, rx: 5 });
    }),
    svg("path", { class: "rivets", d: corners.join("") }),
  );
}

/** The edges of the boards of which a course is made. */
function drawSeams({ boards, height }) {
  return svg(
    "g",
    { class: "seams" },
    ...boards.map(({ at: [x, y], size: [columns, rows] }) =>
      svg("rect", {
        x: x * CELL,
        y: (height - y - rows) * CELL,
        width: columns * CELL,
        height: rows * CELL,
        rx: 8,
      }),
    ),
  );
}

function drawPit(at, height) {
  return svg(
    "g",
    { class: "pit", "data-at": String(at), transform: placed(at, height) },
    svg("rect", { class: "hazard", x: -44, y: -44, width: 88, height: 88, rx: 10 }),
    svg("rect", { class: "stripes", x: -44, y: -44, width: 88, height: 88, rx: 10 }),
    svg("rect", { class: "depth", x: -34, y: -34, width: 68, height: 68, rx: 6 }),
    svg("path", { class: "shade", d: "M-34-28a6 6 0 0 1 6-6H28a6 6 0 0 1 6 6V-18H-34Z" }),
  );
}

function drawStart(at, height, to) {
  return svg(
    "g",
    { class: "start", "data-at": String(at), transform: placed(at, height, to) },
    svg("circle", { r: 34 }),
    svg("path", { d: "M0-24L17 12H-17Z" }),
  );
}

function drawGear({ at, turn }, height) {
  const teeth = Array.from({ length: 40 }, (_, n) => {
    const radius = n % 4 < 2 ? 43 : 35;
    const angle = (n + 0.5) * 9 * (Math.PI / 180);
    return `${(radius * Math.cos(angle)).toFixed(1)} ${(radius * Math.sin(angle)).toFixed(1)}`;
  });
  return svg(
    "g",
    {
      class: `gear ${turn}`,
      "data-at": String(at),
      "data-turn": turn,
      transform: placed(at, height) + (turn === "left" ? " scale(-1 1)" : ""),
    },
    svg("path", { class: "teeth", d: `M${teeth.join("L")}Z` }),
    svg("circle", { class: "hub", r: 27 }),
    // Clockwise; a gear that turns left is its mirror image.
    svg("path", { class: "turning", d: "M-17 4A18 18 0 1 1 6 17" }),
    svg("path", { class: "tip", d: "M12 5L-4 15L11 26Z" }),
  );
}

function drawPanel({ at, to, registers }, height) {
  return svg(
    "g",
    { class: "panel", "data-at": String(at), "data-to": to, transform: placed(at, height, to) },
    svg("path", { class: "piston", d: "M-24 40V30M24 40V30" }),
    svg("rect", { class: "base", x: -46, y: 37, width: 92, height: 11, rx: 4 }),
    svg("rect", { class: "plunger", x: -40, y: 22, width: 80, height: 9, rx: 3 }),
    svg("path", { class: "push", d: "M-15-25L0-40L15-25M0-38V-17" }),
    ...drawRegisters(registers, degrees(to)),
  );
}

/** The registers in which a panel pushes: upright, and side by side along its plunger. */
function drawRegisters(registers, turn) {
  const read = turn < 180 ? registers : [...registers].reverse();
  return read.map((register, n) => {
    const x = (n - (read.length - 1) / 2) * 25;
    return svg("text", { transform: `translate(${x} 3) rotate(${-turn})`, y: 9 }, register);
  });
}

function drawRestart({ at, to }, height) {
  return svg(
    "g",
    { class: "restart", "data-at": String(at), transform: placed(at, height, to) },
    svg("circle", { class: "disc", r: 37 }),
    svg("path", { class: "loop", d: "M20 8A21 21 0 1 1 14-15" }),
    svg("path", { class: "tip", d: "M8-4L22-6L18-22Z" }),
    svg("path", { class: "ahead", d: "M-9-38L0-49L9-38Z" }),
  );
}

function drawAntenna({ at, to }, height) {
  return svg(
    "g",
    { class: "antenna", "data-at": String(at), transform: placed(at, height, to) },
    svg("rect", { class: "base", x: -45, y: -45, width: 90, height: 90, rx: 14 }),
    svg("path", { class: "waves", d: WAVES }),
    svg("path", { class: "mast", d: "M0 8V36M-13 36H13" }),
    svg("circle", { class: "source", cy: 8, r: 8 }),
  );
}

const WAVES = "M-14-6A20 20 0 0 1 14-6M-23-18A36 36 0 0 1 23-18M-31-31A52 52 0 0 1 31-31";

function drawEmitter({ at, to, count }, height) {
  const half = 10 + count * 6;
  return svg(
    "g",
    {
      class: "laser",
      "data-at": String(at),
      "data-to": to,
      "data-count": count,
      transform: placed(at, height, to),
    },
    svg("path", { d: `M${-half} 50L${-half + 7} 33H${half - 7}L${half} 50Z` }),
    ...Array.from({ length: count }, (_, n) =>
      svg("circle", { cx: (n - (count - 1) / 2) * 13, cy: 38, r: 4.5 }),
    ),
  );
}

