/** Everybody and everything that moves: players, fans, balls, cubes. */

import { svg } from "/assets/svg.js";
import { aboutPlayer, entity, idOf, POSITIONS, sign, teamOf } from "./entities.js";

/** A figure can be told by its shape, disc or shield: the left or the right team. */
const SHAPES = {
  left: (size, name) => svg("circle", { class: name, r: size }),
  right: (size, name) => {
    const half = size * 0.92;
    return svg("rect", { class: name, x: -half, y: -half, width: 2 * half, height: 2 * half, rx: size * 0.3 });
  },
};

/** @param {"left" | "right"} side @param {number} size from the middle to the edge */
export function shape(side, size) {
  return [SHAPES[side](size + 3.5, "rim"), SHAPES[side](size, "body")];
}

/** All players of a team. @returns {SVGElement[]} */
export function players(side, scenery, t) {
  return POSITIONS.map((position) => {
    const who = entity(idOf(side, position));
    const letters = sign(who, t);
    return svg(
      "g",
      { class: `flyer ${side} ${who.role}`, "data-entity": who.id },
      svg("title", {}, aboutPlayer(who.id, scenery, t)),
      svg(
        "g",
        { class: "figure" },
        shape(side, 15),
        svg("text", { class: letters.length > 1 ? "sign small" : "sign", y: 5.5 }, letters),
        svg("path", { class: "stars", d: [-11, 0, 11].map((x) => star(x, x ? -15 : -19)).join("") }),
        cross(),
      ),
    );
  });
}

function star(x, y) {
  const points = Array.from({ length: 10 }, (_, index) => {
    const [size, angle] = [index % 2 ? 2.2 : 5, (index * Math.PI) / 5 - Math.PI / 2];
    return `${(x + size * Math.cos(angle)).toFixed(1)} ${(y + size * Math.sin(angle)).toFixed(1)}`;
  });
  return `M${points.join("L")}Z`;
}

/** The sign of a ban; it hides nobody's sign. */
function cross() {
  return svg(
    "g",
    { class: "cross", transform: "translate(13 13)" },
    svg("circle", { r: 8 }),
    svg("path", { d: "M-3.5-3.5 3.5 3.5M3.5-3.5-3.5 3.5" }),
  );
}

// Faces of the fans, about 24 units wide.
const FACES = {
  elf: [
    svg.bind(null, "path", { d: "M-5-3-14-9-6 4A6.5 8 0 0 0 6 4L14-9 5-3A6.5 6 0 0 0-5-3Z" }),
    ...eyes(2.4, 0),
  ],
  goblin: [
    svg.bind(null, "path", { d: "M0-14 8-1H-8ZM-7 1H7Q8 7 3 10L0 12-3 10Q-8 7-7 1Z" }),
    ...eyes(3, 4.5),
  ],
  troll: [
    svg.bind(null, "path", { d: "M-9-6Q-9-11-4-11H4Q9-11 9-6V6H6.5V11H3V6H-3V11H-6.5V6H-9Z" }),
    ...eyes(4, -4),
  ],
  niffler: [
    svg.bind(null, "path", { d: "M-11 5Q-12-9-1-9 6-9 7-2L14 2Q15 5 11 6H5Q2 10-4 10-10 10-11 5Z" }),
    svg.bind(null, "circle", { class: "hole", cx: 1.5, cy: -3, r: 1.8 }),
  ],
  wombat: [
    svg.bind(null, "path", {
      d: "M-6.5-4.5A3.6 3.6 0 1 1-3-8Q0-8.6 3-8A3.6 3.6 0 1 1 6.5-4.5Q10 0 9 4 7 10 0 10T-9 4Q-10 0-6.5-4.5Z",
    }),
    svg.bind(null, "ellipse", { class: "hole", cx: 0, cy: 4.2, rx: 3.6, ry: 2.4 }),
    ...eyes(4, -1.5),
  ],
};

function eyes(apart, y) {
  return [-apart, apart].map((x) => svg.bind(null, "circle", { class: "hole", cx: x, cy: y, r: 1.6 }));
}

/** All fans of a team, in the order of the scenery. @returns {SVGElement[]} */
export function fans(side, scenery, t) {
  const team = teamOf(scenery, side);
  return team.fans.map((kind, number) =>
    svg(
      "g",
      { class: `fan ${side} ${kind}`, "data-number": number, "data-entity": idOf(side, kind) },
      svg("title", {}, t("board.fan", { kind: t(`name.${kind}`), team: team.name })),
      svg("g", { class: "figure" }, shape(side, 16), svg("g", { class: "face" }, FACES[kind].map((draw) => draw()))),
      cross(),
    ),
  );
}

/** @param {string} name quaffle, bludger1, bludger2 or snitch */
export function ball(name, t) {
  const kind = name.replace(/\d/, "");
  return svg(
    "g",
    { class: `ball ${kind}`, "data-ball": name },
    svg("title", {}, t(`name.${name}`)),
    svg("g", { class: "figure" }, BALLS[kind](name.slice(kind.length))),
  );
}

const BALLS = {
  quaffle: () => [
    svg("circle", { class: "body", r: 9 }),
    svg("path", { class: "seam", d: "M-8-4Q0 1 8-4M-8 4Q0-1 8 4M0-9V9" }),
  ],
  bludger: (number) => [
    svg("circle", { class: "body", r: 8.5 }),
    svg("path", { class: "shine", d: "M-5.5-3A6.3 6.3 0 0 1-1-6.2" }),
    svg("text", { y: 4 }, number),
  ],
  snitch: () => [
    svg("path", { class: "wing", d: "M-4-2Q-9-12-16-10-13-7-14-5-11-4-11-2-8-1-5 0ZM4-2Q9-12 16-10 13-7 14-5 11-4 11-2 8-1 5 0Z" }),
    svg("circle", { class: "body", r: 6 }),
    svg("path", { class: "seam", d: "M-5.5 0H5.5" }),
  ],
};

/** What a wombat leaves behind. @param {number[]} place */
export function cube(place, [x, y], t) {
  return svg(
    "g",
    { class: "cube", "data-at": place.join("|"), transform: `translate(${x} ${y})` },
    svg("title", {}, t("name.cube")),
    svg("path", { class: "top", d: "M0-14 13-7 0 0-13-7Z" }),
    svg("path", { class: "front", d: "M-13-7 0 0V14L-13 7Z" }),
    svg("path", { class: "side", d: "M13-7 0 0V14L13 7Z" }),
  );
}
