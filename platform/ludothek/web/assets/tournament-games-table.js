/** The list of a tournament's games, and the choice of some of them. */

import { el } from "./dom.js";
import { ago } from "./moment.js";
import { places } from "./places.js";
import { faults, namesOf, winners } from "./tournament-reasons.js";
import { plain } from "./words.js";

const COLUMNS = ["game", "round", "result", "end", "when"];

/** @param {object[]} games of `/api/tournaments/ID/games` */
export function gamesTable(games, t) {
  return el(
    "table",
    { class: "ended", id: "games-table" },
    el("thead", {}, el("tr", {}, COLUMNS.map((each) => el("th", { scope: "col" }, t(`tournament.list.${each}`))))),
    el("tbody", {}, games.map((each) => row(each, t))),
  );
}

function row(game, t) {
  const won = winners(game);
  const seats = game.seats.map((name, seat) => ({ name, points: game.points[seat], won: won.has(seat) }));
  const players = places(seats, t("tournament.won"));
  return el(
    "tr",
    { "data-number": game.number },
    el("td", { class: "muted number" }, game.number),
    el("td", { class: "muted number" }, game.round),
    el("td", {}, game.match ? linkTo(game, players, t) : players),
    el("td", {}, ending(game, t)),
    el("td", { class: "muted" }, ago(game.ended)),
  );
}

function linkTo(game, players, t) {
  const title = t("tournament.list.open", { n: game.number, players: namesOf(game) });
  return el("a", { id: `game-${game.number}`, href: `/m/${encodeURIComponent(game.match)}`, title }, players);
}

function ending(game, t) {
  const told = faults(game, t);
  if (told.length === 0 && winners(game).size === 0) told.push(t("tournament.draw"));
  return [
    ...told.map((text) => el("p", {}, text)),
    game.waits && el("p", { class: "muted small" }, t("tournament.list.waits")),
    !game.match && !game.waits && el("span", { class: "badge" }, t("tournament.list.unrecorded")),
  ];
}

/**
 * @param {string[]} names of all entrants
 * @param {[string, string]} chosen
 * @param {(one: string, other: string) => void} choose
 */
export function gamesChoice(names, chosen, choose, t) {
  const selects = ["player", "other"].map((which, index) => {
    const select = el(
      "select",
      { id: `choose-${which}`, onchange: () => choose(...selects.map((each) => each.value)) },
      el("option", { value: "" }, t("tournament.list.everybody")),
      names.map((name) => el("option", { value: name }, plain(name))),
    );
    select.value = chosen[index];
    return select;
  });
  return el(
    "search",
    {},
    el(
      "form",
      { class: "search", "aria-label": t("tournament.list.choose"), onsubmit: (event) => event.preventDefault() },
      el("label", {}, t("tournament.list.player"), selects[0]),
      el("label", {}, t("tournament.list.other"), selects[1]),
    ),
  );
}
