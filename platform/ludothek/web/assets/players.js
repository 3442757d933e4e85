/** The players beside the board: names, scores, clocks, whose turn it is. */

import { clockText, remaining } from "./clock.js";
import { el } from "./dom.js";
import { COLOURS } from "./emblem.js";
import { icon } from "./icons.js";
import { plain } from "./words.js";

/** Less than this is shown as hurry. */
const HURRY = 10;

/**
 * @param {(seat: object, view: object) => Node | null} extras what the game adds to a player
 * @param {Function} t
 */
export function createPlayers(extras, t) {
  const element = el("ul", { class: "players", "aria-label": t("viewer.players") });
  let clocks = [];
  return {
    element,
    show(view) {
      clocks = [];
      element.replaceChildren(
        ...view.players.map((seat, index) => {
          const clock = seat.clock === null || seat.clock === undefined ? null : clockOf(t);
          if (clock) clocks.push({ seat, clock });
          return player(seat, index, view, clock, extras(seat, view), t);
        }),
      );
    },
    /** Sets the clocks. @param {number} since when the position was @param {number} now */
    tick(since, now) {
      for (const { seat, clock } of clocks) {
        const left = remaining(seat, since, now);
        setClock(clock, left, seat.ticking && left < HURRY);
      }
    },
  };
}

function player(seat, index, view, clock, own, t) {
  const won = view.winner !== null && view.winner !== undefined && view.winner === seat.name;
  const states = { turn: seat.turn, gone: seat.gone, winner: won };
  const marked = Object.keys(states).filter((each) => states[each]);
  return el(
    "li",
    {
      class: ["player", COLOURS[index % COLOURS.length], ...marked].join(" "),
      "data-seat": index,
      "data-name": seat.name,
    },
    el("span", { class: "swatch", "aria-hidden": "true" }),
    el("bdi", { class: "name", title: plain(seat.name) }, plain(seat.name)),
    won && el("span", { class: "badge mark" }, icon("crown"), t("player.winner")),
    seat.turn && el("span", { class: "badge mark" }, icon("turn"), t("player.turn")),
    seat.gone && el("span", { class: "badge" }, t("player.gone")),
    clock,
    seat.score !== null && seat.score !== undefined && score(seat.score, t),
    own && el("div", { class: "extras" }, own),
  );
}

function score(points, t) {
  return el(
    "span",
    { class: "score number" },
    el("span", { class: "unseen" }, `${t("player.score")} `),
    el("span", { class: "points" }, points),
  );
}

function clockOf(t) {
  return el("span", { class: "clock number", role: "timer", "aria-label": t("player.clock") });
}

function setClock(element, seconds, hurry) {
  const text = clockText(seconds);
  if (element.textContent !== text) element.textContent = text;
  element.classList.toggle("hurry", hurry);
}
