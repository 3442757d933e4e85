/** Robots: each player's has a body, a colour and a number of its own. */

import { svg } from "/assets/svg.js";

const BODIES = [
  "M0-31A31 31 0 0 1 0 31A31 31 0 0 1 0-31Z",
  "M-20-29H20Q29-29 29-20V20Q29 29 20 29H-20Q-29 29-29 20V-20Q-29-29-20-29Z",
  "M-17-31H17L35 0L17 31H-17L-35 0Z",
  "M0-35Q5-35 8-30L33 20Q36 29 27 30H-27Q-36 29-33 20L-8-30Q-5-35 0-35Z",
  "M0-37L35 0L0 37L-35 0Z",
  "M-12-33H12V-14H33V14H12V33H-12V14H-33V-14H-12Z",
];
const COLORS = ["one", "two", "three", "four", "five", "six"];

/** The class that says which colour is the player's. */
export function colorClass(number) {
  return `player-${COLORS[(number - 1) % COLORS.length]}`;
}

/**
 * A robot around (0, 0).
 * @returns {{element: SVGElement, turn: (degrees: number) => void}} `turn` is clockwise from up
 */
export function drawRobot(number) {
  const body = svg(
    "g",
    { class: "chassis" },
    svg("path", { class: "treads", d: "M-37-24V24M37-24V24" }),
    svg("path", { class: "nose", d: "M-18-22L0-51L18-22Z" }),
    svg("path", { class: "hull", d: BODIES[(number - 1) % BODIES.length] }),
  );
  const element = svg(
    "g",
    { class: `robot ${colorClass(number)}`, "data-number": number },
    svg("circle", { class: "halo", r: 47 }),
    svg("circle", { class: "shield", r: 43 }),
    body,
    svg("text", { class: "number", y: 12 }, number),
    svg(
      "g",
      { class: "off", transform: "translate(30 -30)" },
      svg("circle", { r: 15 }),
      svg("path", { d: "M0-9V0M-6-5A8 8 0 1 0 6-5" }),
    ),
  );
  return {
    element,
    turn(degrees) {
      body.style.transform = `rotate(${degrees}deg)`;
    },
  };
}

/** A small picture of a robot, for beside its player's name. */
export function drawBadge(number) {
  return svg(
    "svg",
    { class: "roborally-badge", viewBox: "-50 -50 100 100", "aria-hidden": "true" },
    drawRobot(number).element,
  );
}
