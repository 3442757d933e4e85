/** The games on the first page: where they are, and how to connect or play. */

import { copyable } from "./copy.js";
import { el } from "./dom.js";
import { emblem } from "./emblem.js";
import { icon } from "./icons.js";
import { NOW } from "./play-seat.js";

/** @param {object[]} games of `/api/games` @param {Set<string>} open endpoints that are unfolded */
export function gameCards(games, open, t) {
  if (games.length === 0) return el("p", { class: "empty" }, t("home.games.none"));
  return el(
    "ul",
    { class: "games" },
    games.map((game, index) => el("li", {}, card(game, index, open, t))),
  );
}

function card(game, index, open, t) {
  return el(
    "article",
    { class: "panel game", "data-game": game.name, "data-endpoint": game.endpoint },
    el(
      "div",
      { class: "game-head" },
      emblem(game.title, index),
      el("h3", {}, game.title, game.endpoint !== game.name && el("span", { class: "muted small" }, ` ${game.endpoint}`)),
    ),
    el("p", { class: "muted small" }, protocolText(game, t)),
    copyable(game.url, t),
    connecting(game, open, t),
    game.playable && playLinks(game, t),
  );
}

/** One click, and somebody plays; another one for those who want to choose first. */
function playLinks(game, t) {
  const address = `/play/${encodeURIComponent(game.endpoint)}`;
  const label = (key) => t(`${key}.label`, { game: game.title });
  return el(
    "div",
    { class: "play-links" },
    el("a", { class: "button primary play", href: `${address}${NOW}`, "aria-label": label("home.play") }, icon("play"), t("home.play")),
    el("a", { class: "choose small", href: address, "aria-label": label("home.choose") }, t("home.choose")),
  );
}

function protocolText({ protocol, version }, t) {
  return version ? t("home.protocol", { protocol, version }) : protocol;
}

function connecting({ endpoint, how }, open, t) {
  const details = el(
    "details",
    { open: open.has(endpoint), ontoggle: () => (details.open ? open.add(endpoint) : open.delete(endpoint)) },
    el("summary", {}, t("home.connect")),
    el("h4", {}, t("home.connect.client")),
    copyable(how.lines.join("\n"), t),
    how.bot && el("h4", {}, t("home.connect.bot")),
    how.bot && copyable(how.bot, t),
  );
  return details;
}
