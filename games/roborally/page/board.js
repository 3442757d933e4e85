/** Robo Rally: the course, the robots on it, and how far a round is. */

import { clear, svg } from "/assets/svg.js";
import { plain } from "/assets/words.js";
import { drawHeading, drawShop, moment, viewBox } from "./caption.js";
import { drawBeams, drawCourse, drawNumbers, drawWalls } from "./course.js";
import { CELL, degrees, middle, step } from "./grid.js";
import { colorClass, drawRobot } from "./robot.js";
import { drawCheckpoint, drawEnergy } from "./tokens.js";

export { playerExtras } from "./extras.js";

/** What changes, in groups of its own. */
const LAYERS = ["heading", "energy", "beams", "checkpoints", "trails", "robots", "shop"];

export function createBoard(scenery, t) {
  const { height } = scenery;
  const layers = Object.fromEntries(LAYERS.map((name) => [name, svg("g", { class: name })]));
  const beams = scenery.lasers.map((laser) => ({ laser, lines: drawBeams(laser, height) }));
  layers.beams.append(...beams.map(({ lines }) => lines));
  const element = svg(
    "svg",
    { class: "roborally board", role: "img", viewBox: viewBox(scenery) },
    layers.heading,
    drawNumbers(scenery),
    drawCourse(scenery),
    layers.energy,
    layers.checkpoints,
    layers.beams,
    drawWalls(scenery),
    layers.trails,
    layers.robots,
    layers.shop,
  );
  const robots = new Map(); // by number

  function show(view, before) {
    const { board } = view;
    const seats = view.players.filter((seat) => seat.own.at);
    drawHeading(layers.heading, scenery, board, t);
    clear(layers.energy).append(...board.energy.map((space) => drawEnergy(space, height)));
    const taken = new Set(seats.map((seat) => String(seat.own.at)));
    clear(layers.checkpoints).append(
      ...board.checkpoints.map((at, n) => drawCheckpoint(at, n + 1, height, taken.has(String(at)))),
    );
    beams.forEach(({ laser, lines }) => aim(laser, lines, taken));
    showTrails(seats, before);
    showRobots(seats);
    drawShop(layers.shop, scenery, board, t);
    element.setAttribute("aria-label", describe(view));
  }

  function showRobots(seats) {
    const numbers = new Set(seats.map((seat) => seat.own.number));
    for (const [number, { robot }] of robots) {
      if (numbers.has(number)) continue;
      robot.element.remove();
      robots.delete(number);
    }
    for (const seat of seats) {
      const { number, at, facing, rebooted, shielded } = seat.own;
      if (!robots.has(number)) robots.set(number, newRobot(number, degrees(facing)));
      const drawn = robots.get(number);
      drawn.angle = nearest(drawn.angle, degrees(facing));
      drawn.robot.turn(drawn.angle);
      const { element: robot } = drawn.robot;
      const [x, y] = middle(at, height);
      robot.style.transform = `translate(${x}px, ${y}px)`;
      robot.dataset.at = String(at);
      robot.dataset.facing = facing;
      robot.classList.toggle("turn", seat.turn);
      robot.classList.toggle("rebooted", rebooted);
      robot.classList.toggle("shielded", shielded);
      robot.classList.toggle("gone", seat.gone);
      robot.querySelector("title").textContent = plain(seat.name);
    }
  }

  function newRobot(number, angle) {
    const robot = drawRobot(number);
    robot.element.prepend(svg("title"));
    layers.robots.append(robot.element);
    return { robot, angle };
  }

  /** Where robots were in the position before. */
  function showTrails(seats, before) {
    const places = new Map((before?.players ?? []).map((seat) => [seat.own.number, seat.own.at]));
    clear(layers.trails).append(
      ...seats.flatMap(({ own }) => {
        const from = places.get(own.number);
        if (!from || String(from) === String(own.at)) return [];
        const [x1, y1] = middle(from, height);
        const [x2, y2] = middle(own.at, height);
        return [
          svg("circle", { class: `trail ${colorClass(own.number)}`, cx: x1, cy: y1, r: 13 }),
          svg("line", { class: `trail ${colorClass(own.number)}`, x1, y1, x2, y2 }),
        ];
      }),
    );
  }

  function describe(view) {
    const { board } = view;
    const asked = view.players.filter((seat) => seat.turn).map((seat) => seat.name);
    const parts = view.players.map((seat) => describeRobot(seat, scenery, t));
    return [
      `${scenery.name}. ${moment(board, t)}.`,
      asked.length ? t("waits_for", { names: asked.join(", ") }) : "",
      ...parts,
    ]
      .filter(Boolean)
      .join(" ");
  }

  return { element, show, describe };
}

function describeRobot({ name, score, own }, scenery, t) {
  if (own.number === undefined) return t("robot_removed", { name });
  const about = { name, number: own.number, count: score, all: scenery.checkpoints };
  if (!own.at) return t("robot_nowhere", about);
  return t("robot_at", { ...about, x: own.at[0], y: own.at[1], facing: t(`facing_${own.facing}`) });
}

/** The same direction as an angle, reached from another one by the shorter way. */
function nearest(from, to) {
  return from + ((((to - from) % 360) + 540) % 360) - 180;
}

/** Beams end at the first robot. */
function aim({ at, to, reach }, beams, taken) {
  const cells = Array.from({ length: reach + 1 }, (_, n) => step(at, to, n));
  const hit = cells.findIndex((cell) => taken.has(String(cell)));
  const end = hit < 0 ? -reach * CELL - 47 : -hit * CELL + 30;
  for (const line of beams.children) line.setAttribute("y2", Math.min(end, 36));
}
