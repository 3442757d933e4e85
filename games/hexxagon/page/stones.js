/** The stones of the two players: discs and diamonds, so that they can be told apart without colour. */

import { svg } from "/assets/svg.js";

const SIDES = { 1: "one", 2: "two" };

/** Whose stone is on a tile, by its sign in the board's text; undefined if nobody's. */
export const sideOf = (sign) => SIDES[sign];

/** The shape of a stone around its middle. @param {"one" | "two"} side */
export function shape(side) {
  return side === "one"
    ? svg("g", { class: "shape" },
        svg("circle", { class: "shade", r: 31, cy: 3 }),
        svg("circle", { class: "body", r: 31 }),
        svg("circle", { class: "rim", r: 25.5 }))
    : svg("g", { class: "shape" },
        svg("path", { class: "shade", d: diamond(39), transform: "translate(0 3)" }),
        svg("path", { class: "body", d: diamond(39) }),
        svg("path", { class: "rim", d: diamond(31) }));
}

/** A square on its corner, with rounded corners. */
function diamond(reach) {
  const [near, round] = [reach * 0.78, reach * 0.22];
  return (
    `M${-round} ${-near}Q0 ${-reach} ${round} ${-near}L${near} ${-round}Q${reach} 0 ${near} ${round}` +
    `L${round} ${near}Q0 ${reach} ${-round} ${near}L${-near} ${round}Q${-reach} 0 ${-near} ${-round}Z`
  );
}

/** A stone beside the name of its player. */
export function emblem(side, label) {
  return svg(
    "svg",
    { class: `hexxagon-stone ${side}`, viewBox: "-44 -44 88 88", role: "img", "aria-label": label },
    svg("g", { class: `stone ${side}` }, shape(side)),
  );
}
