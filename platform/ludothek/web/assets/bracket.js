/** The duels of a knock-out, round by round. */

import { el } from "./dom.js";
import { icon } from "./icons.js";
import { points } from "./standings.js";
import { plain } from "./words.js";

/**
 * @param {object[]} duels `bracket` of `/api/tournaments/ID`
 * @param {(one: string, other: string) => void} choose shows the games of two
 */
export function bracket(duels, choose, t) {
  const last = Math.max(...duels.map(({ round }) => round));
  const rounds = Array.from({ length: last }, (_, index) => index + 1);
  return el(
    "div",
    { class: "wide", role: "group", "aria-label": t("tournament.bracket"), tabindex: 0 },
    el("ol", { class: "bracket" }, rounds.map((round) => column(duels, round, last, choose, t))),
  );
}

function column(duels, round, last, choose, t) {
  const title = round === last ? t("tournament.bracket.final") : t("tournament.bracket.round", { n: round });
  return el(
    "li",
    { class: "bracket-round" },
    el("h3", { class: "small muted" }, title),
    el("ol", {}, duels.filter((each) => each.round === round).map((each) => el("li", {}, duelBox(each, choose, t)))),
  );
}

function duelBox(duel, choose, t) {
  const [one, two] = duel.entrants;
  const sides = duel.entrants.map((name, index) => side(name, duel, index, t));
  const attributes = { class: "duel", "data-duel": `${duel.round}-${duel.place}` };
  if (one === null || two === null) return el("div", attributes, sides);
  const label = [t("tournament.bracket.label", { one, two }), duel.points.map(points).join(" : ")].join(", ");
  return el(
    "button",
    { ...attributes, type: "button", id: `duel-${duel.round}-${duel.place}`, "aria-label": label, onclick: () => choose(one, two) },
    sides,
  );
}

function side(name, duel, index, t) {
  const missing = duel.round === 1 ? "tournament.bracket.bye" : "tournament.bracket.open";
  const won = name !== null && name === duel.winner;
  const met = !duel.entrants.includes(null);
  return el(
    "span",
    { class: won ? "side won" : "side" },
    el("bdi", { class: name === null ? "muted" : "" }, name === null ? t(missing) : plain(name)),
    won && met && el("span", { class: "crown" }, icon("crown"), el("span", { class: "unseen" }, t("tournament.won"))),
    met && el("span", { class: "points number" }, points(duel.points[index])),
  );
}
