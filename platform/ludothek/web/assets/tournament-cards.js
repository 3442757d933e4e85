/** Tournaments on the first page. */

import { el } from "./dom.js";
import { plain } from "./words.js";

/** @param {object[]} tournaments of `/api/tournaments` */
export function tournamentCards(tournaments, t) {
  return el("ul", { class: "lobbies" }, tournaments.map((each) => el("li", {}, card(each, t))));
}

function card(tournament, t) {
  const { id, title, problem } = tournament;
  return el(
    "article",
    { class: "panel lobby", "data-tournament": id },
    el(
      "div",
      { class: "lobby-body" },
      el("h3", {}, el("a", { class: "over", id: `tournament-${id}`, href: `/t/${encodeURIComponent(id)}` }, el("bdi", {}, plain(title)))),
      problem === null ? facts(tournament, t) : el("p", { class: "small" }, t("home.tournament.broken", { problem })),
    ),
  );
}

function facts({ game_title: game, best, played, size, complete }, t) {
  const ahead = best.length > 0 && t(complete ? "home.tournament.won" : "home.tournament.ahead", { names: best.join(", ") });
  return [
    ahead && el("p", { class: "small" }, ahead),
    el(
      "p",
      { class: "small muted lobby-line" },
      el("span", {}, game),
      el("span", { class: "number" }, t("home.tournament.progress", { played, size })),
    ),
  ];
}
