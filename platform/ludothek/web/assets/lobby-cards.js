/** Lobbies and the matches in them, on the first page. */

import { copyable } from "./copy.js";
import { el } from "./dom.js";
import { COLOURS, emblem } from "./emblem.js";
import { plain, telling } from "./words.js";

const ORDER = ["running", "paused", "ended", "waiting"];

/** So many are shown until somebody wants to see all of them. */
export const FEW = 24;

/** Draws lobbies again and again, and only those anew that have changed. */
export class LobbyCards {
  #games;
  #t;
  #items = new Map(); // what was drawn, by what was told

  /** @param {object[]} games of `/api/games` */
  constructor(games, t) {
    this.#games = games;
    this.#t = t;
  }

  /** @param {object[]} lobbies of `/api/matches` @param {number} most so many are shown */
  draw(lobbies, most = Infinity) {
    if (lobbies.length === 0) return nobody(this.#games, this.#t);
    const items = new Map();
    for (const lobby of sorted(lobbies).slice(0, most)) {
      const told = JSON.stringify(lobby);
      items.set(told, this.#items.get(told) ?? el("li", {}, card(lobby, this.#games, this.#t)));
    }
    this.#items = items;
    return el("ul", { class: "lobbies" }, [...items.values()]);
  }
}

/** What is under way comes first; otherwise the order stays, so that nothing jumps. */
export function sorted(lobbies) {
  return lobbies
    .map((lobby, index) => ({ lobby, index, rank: ORDER.indexOf(lobby.stage) }))
    .sort((one, other) => one.rank - other.rank || one.index - other.index)
    .map(({ lobby }) => lobby);
}

function nobody(games, t) {
  const bots = games.map(({ how }) => how.bot).filter(Boolean);
  return el("div", { class: "empty", id: "nobody" }, el("p", {}, t("home.now.none")), bots[0] && copyable(bots[0], t));
}

function card(lobby, games, t) {
  const index = Math.max(0, games.findIndex((each) => each.endpoint === lobby.endpoint));
  const title = games[index]?.title ?? lobby.game;
  const names = playerNames(lobby);
  return el(
    "article",
    { class: `panel lobby ${lobby.stage}`, "data-lobby": lobby.lobby, "data-match": lobby.match },
    emblem(title, index),
    el(
      "div",
      { class: "lobby-body" },
      el(
        "p",
        { class: "small lobby-line" },
        el("strong", {}, title),
        el("bdi", { class: "muted lobby-name", title: telling(lobby.name) }, telling(lobby.name)),
      ),
      playerList(names, lobby.score, t),
      el("p", { class: "small muted lobby-line" }, ...facts(lobby, t)),
    ),
    lobby.match &&
      el("a", {
        class: "cover",
        href: `/m/${encodeURIComponent(lobby.match)}`,
        "aria-label": t("home.watch", { players: names }),
      }),
  );
}

function playerList(names, score, t) {
  if (names.length === 0) return el("p", { class: "muted" }, t("players.none"));
  return el(
    "ul",
    { class: "lobby-players" },
    names.map((name, seat) =>
      el(
        "li",
        { class: COLOURS[seat % COLOURS.length] },
        el("span", { class: "dot", "aria-hidden": "true" }),
        el("bdi", { class: "name" }, name),
        score && el("span", { class: "points number" }, score[seat] ?? ""),
      ),
    ),
  );
}

function facts(lobby, t) {
  return [
    el("span", { class: `badge ${lobby.stage}` }, t(`stage.${lobby.stage}`)),
    lobby.move !== null && lobby.move !== undefined && el("span", { class: "number" }, t("move.number", { n: lobby.move })),
    lobby.spectators > 0 && el("span", { class: "number" }, t("spectators", { n: lobby.spectators })),
  ];
}

/** @returns {string[]} */
function playerNames({ players }) {
  return players.map((each) => plain(each?.name ?? each));
}
