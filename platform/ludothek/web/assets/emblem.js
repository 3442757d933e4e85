/** The picture of a game on the shell's pages, which know nothing about it but its name. */

import { svg } from "./svg.js";

export const COLOURS = ["one", "two", "three", "four", "five", "six"];

/** @param {string} title @param {number} index gives the colour */
export function emblem(title, index) {
  return svg(
    "svg",
    { class: `emblem ${COLOURS[index % COLOURS.length]}`, viewBox: "0 0 54 60", "aria-hidden": "true" },
    svg("path", { d: "M27 2 52 16.5v27L27 58 2 43.5v-27z" }),
    svg("text", { x: 27, y: 39 }, [...title][0]?.toUpperCase() ?? "?"),
  );
}
