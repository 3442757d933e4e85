/** Fish, and the penguins of the two teams: these wear scarves, those bobble hats. */

import { svg } from "/assets/svg.js";

// Where so many fish lie, and in which direction they look.
const SHOALS = [
  [],
  [[0, 0, 1, 1.25]],
  [[-2, -13, 1, 1.05], [3, 14, -1, 1.05]],
  [[0, -22, 1, 0.92], [-5, 1, -1, 0.92], [4, 24, 1, 0.92]],
  [[-1, -25, 1, 0.82], [-16, -1, -1, 0.72], [18, 2, 1, 0.72], [0, 27, -1, 0.82]],
];

const COAT =
  "M0-36C14-36 19-26 18-15 24-2 24 14 19 26 14 36-14 36-19 26-24 14-24-2-18-15-19-26-14-36 0-36Z";
const FACE = "M0-17C-3-27-14-29-14-20-14-11-6-9 0-9 6-9 14-11 14-20 14-29 3-27 0-17Z";

/** @param {number} count up to four */
export function shoal(count) {
  return svg("g", { class: "shoal" }, ...SHOALS[count].map(([x, y, look, size]) =>
    svg("g", { class: `fish kind-${count}`, transform: `translate(${x} ${y}) scale(${look * size} ${size})` },
      svg("path", { class: "body", d: "M20 0C13-9 2-10-8-1L-19-8Q-16 0-19 8L-8 1C2 10 13 9 20 0Z" }),
      svg("path", { class: "gill", d: "M9-5Q6 0 9 5" }),
      svg("circle", { class: "eye", cx: 13.5, cy: -1.5, r: 1.7 }))));
}

/** @param {"ONE" | "TWO"} team */
export function penguin(team) {
  // Those with hats are a bit smaller, since hats need room.
  return svg("g", { class: "shape", transform: team === "ONE" ? null : "translate(0 4) scale(0.92)" },
    svg("ellipse", { class: "shadow", cx: 0, cy: 35, rx: 23, ry: 6 }),
    svg("path", { class: "foot", d: "M-4 34q-12-4-14 3 7 3 14 0Z" }),
    svg("path", { class: "foot", d: "M4 34q12-4 14 3-7 3-14 0Z" }),
    svg("path", { class: "wing", d: "M-17-6Q-32 6-27 22-18 17-15 4Z" }),
    svg("path", { class: "wing", d: "M17-6Q32 6 27 22 18 17 15 4Z" }),
    svg("path", { class: "coat", d: COAT }),
    svg("path", { class: "belly", d: "M0-7C11-7 16 6 15 17 13 31-13 31-15 17-16 6-11-7 0-7Z" }),
    svg("path", { class: "belly", d: FACE }),
    svg("circle", { class: "eye", cx: -6.5, cy: -19.5, r: 2.5 }),
    svg("circle", { class: "eye", cx: 6.5, cy: -19.5, r: 2.5 }),
    svg("path", { class: "beak", d: "M-5-15Q0-18 5-15 2-9 0-8-2-9-5-15Z" }),
    ...(team === "ONE" ? scarf() : hat()));
}

function scarf() {
  return [
    svg("path", { class: "cloth", d: "M-18.5-10Q0-1 18.5-10L20-2Q0 8-20-2Z" }),
    svg("path", { class: "cloth", d: "M6-1 15-3 19 17 9 19Z" }),
    svg("path", { class: "stripes", d: "M8.2 9.5 17.3 7.5M9 14.5 18.2 12.5" }),
  ];
}

function hat() {
  return [
    svg("path", { class: "cloth", d: "M-18-25C-18-50 18-50 18-25Z" }),
    svg("path", { class: "stripes", d: "M-9-29-8-40M0-29 0-43M9-29 8-40" }),
    svg("rect", { class: "cloth brim", x: -20, y: -30, width: 40, height: 8, rx: 4 }),
    svg("circle", { class: "cloth bobble", cx: 0, cy: -46, r: 6 }),
  ];
}

/** A penguin beside the name of its team. */
export function emblem(team, label) {
  return svg("svg", { class: "penguins-emblem", viewBox: "-46 -54 92 98", role: "img", "aria-label": label },
    svg("g", { class: `penguin ${team.toLowerCase()}` }, penguin(team)));
}
