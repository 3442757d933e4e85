/** The players of an ended match with their points, in a list. */

import { el } from "./dom.js";
import { icon } from "./icons.js";
import { plain } from "./words.js";

/** @param {{name: string, points: number | null, won: boolean}[]} players @param {string} winner the word for one */
export function places(players, winner) {
  return el("ul", { class: "places" }, players.map((each) => place(each, winner)));
}

function place({ name, points, won }, winner) {
  return el(
    "li",
    { class: won ? "won" : "" },
    el("bdi", {}, plain(name)),
    won && el("span", { class: "crown", title: winner }, icon("crown"), el("span", { class: "unseen" }, winner)),
    el("span", { class: "points number" }, points ?? "–"),
  );
}
