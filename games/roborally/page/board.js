/** Robo Rally: the course, the robots on it, and how far a round is. */

import { clear, svg } from "/assets/svg.js";
import { plain } from "/assets/words.js";
import { drawBeams, drawCourse, drawWalls } from "./course.js";
import { spaced } from "./extras.js";
import { CELL, degrees, middle, placed, step } from "./grid.js";
import { colorClass, drawRobot } from "./robot.js";

export { playerExtras } from "./extras.js";

/** So many lines of text would be as high as the course is wide: it stays legible on a phone. */
const LINES = 26;
/** Room around the course, for numbers. */
const MARGIN = 42;
/** So many of them fill a line below the course. */
const CHARACTERS = 78;
/** Of the course's name, as many as fit beside the round. */
const NAME = 24;
const REGISTERS = [1, 2, 3, 4, 5];

export function createBoard(scenery, t) {
  const { width, height } = scenery;
  const layers = Object.fromEntries(
    ["heading", "energy", "beams", "checkpoints", "trails", "robots", "shop"].map((name) => [name, svg("g", { class: name })]),
  );
  const beams = scenery.lasers.map((laser) => ({ laser, lines: drawBeams(laser, height) }));
  layers.beams.append(...beams.map(({ lines }) => lines));
  const line = (width * CELL) / LINES;
  const element = svg(
    "svg",
    { class: "roborally board", role: "img" },
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
    drawHeading(layers.heading, scenery, board, line, t);
    clear(layers.energy).append(...board.energy.map((space) => drawEnergy(space, height)));
    const taken = new Set(seats.map((seat) => String(seat.own.at)));
    clear(layers.checkpoints).append(
      ...board.checkpoints.map((at, n) => drawCheckpoint(at, n + 1, height, taken.has(String(at)))),
    );
    beams.forEach(({ laser, lines }) => aim(laser, lines, taken));
    showTrails(seats, before);
    showRobots(seats);
    const bottom = drawShop(layers.shop, scenery, board, line, t);
    const top = -MARGIN - line * 1.7;
    element.setAttribute("viewBox", `${-MARGIN} ${top} ${width * CELL + 2 * MARGIN} ${bottom - top}`);
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

/** How far a round is, in words. */
function moment(board, t) {
  const parts = [t("round", { round: board.round }), t(board.phase)];
  if (board.register) parts.push(t("register", { register: board.register }));
  if (board.timer) parts.push(t("timer_runs"));
  return parts.join(" · ");
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

function drawNumbers({ width, height }) {
  return svg(
    "g",
    { class: "axes" },
    ...Array.from({ length: width }, (_, x) => svg("text", { x: (x + 0.5) * CELL, y: height * CELL + 31 }, x)),
    ...Array.from({ length: height }, (_, y) => svg("text", { x: -22, y: (height - y - 0.5) * CELL + 9 }, y)),
  );
}

function drawHeading(heading, { name, width }, board, line, t) {
  const y = -MARGIN - line * 0.55;
  const right = width * CELL;
  const size = line * 0.62;
  const pips = board.phase === "activation" ? REGISTERS : [];
  clear(heading).append(
    svg("text", { class: "name", x: 0, y, "font-size": line * 0.8 }, shortened(name)),
    svg("text", { class: "moment", x: right - pips.length * size * 1.05, y, "font-size": size }, moment(board, t)),
    ...pips.map((register) =>
      svg("circle", {
        class: register === board.register ? "pip current" : register < board.register ? "pip past" : "pip",
        cx: right - (REGISTERS.length - register + 0.5) * size,
        cy: y - size * 0.33,
        r: size * 0.33,
      }),
    ),
  );
}

/** Courses from files have names of any length. */
function shortened(name) {
  return name.length > NAME ? `${name.slice(0, NAME - 1)}…` : name;
}

function drawEnergy([x, y, cubes], height) {
  return svg(
    "g",
    { class: cubes ? "energy-space" : "energy-space used", "data-at": `${x},${y}`, "data-cubes": cubes, transform: placed([x, y], height) },
    svg("path", { class: "pad", d: "M0-39L34-19.5V19.5L0 39L-34 19.5V-19.5Z" }),
    svg("path", { class: "bolt", d: "M6-25L-17 5H-2L-6 25L17-5H2Z" }),
    cubes > 1 ? svg("text", { x: 27, y: 41 }, `×${cubes}`) : null,
  );
}

/** A number on a flag, which a robot does not hide. */
function drawCheckpoint(at, number, height, covered) {
  return svg(
    "g",
    { class: covered ? "checkpoint covered" : "checkpoint", "data-at": String(at), "data-number": number, transform: placed(at, height) },
    svg("circle", { class: "disc", r: 41 }),
    svg("circle", { class: "rim", r: 36 }),
    svg("text", { class: "large", y: 18 }, number),
    svg("path", { class: "flag", d: "M-47-47H-17L-25-33L-17-19H-47Z" }),
    svg("text", { class: "small", x: -35, y: -24 }, number),
  );
}

/** Below the course: what the shop sells, in as many lines as it takes. */
function drawShop(shop, { height }, board, line, t) {
  const top = height * CELL + MARGIN;
  const lines = wrapped([`${t("shop")}:`, ...board.shop.map((name) => `${spaced(name)} ·`)], CHARACTERS);
  if (!board.shop.length) lines.length = 0;
  clear(shop).append(
    ...lines.map((text, n) =>
      svg("text", { x: 0, y: top + line * (0.7 + 0.75 * n), "font-size": line * 0.55 }, text.replace(/ ·$/, "")),
    ),
  );
  return top + line * (0.75 * lines.length + 0.2);
}

function wrapped(words, most) {
  const lines = [""];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (longer.length <= most) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
