/** The table of ended matches. */

import { durationText } from "./clock.js";
import { el } from "./dom.js";
import { ago } from "./moment.js";
import { places } from "./places.js";

const COLUMNS = ["when", "game", "result", "end", "length"];

/**
 * @param {object[]} matches of `/api/ended`
 * @param {(game: string) => string} titleOf
 * @param {import("./end-reasons.js").EndReasons} reasons
 */
export function endedTable(matches, titleOf, reasons, t) {
  return el(
    "table",
    { class: "ended", id: "ended-table", "aria-labelledby": "past-title" },
    el("thead", {}, el("tr", {}, COLUMNS.map((each) => el("th", { scope: "col" }, t(`home.${each}`))))),
    el("tbody", {}, matches.map((each) => row(each, titleOf, reasons, t))),
  );
}

function row(match, titleOf, reasons, t) {
  const players = places(match.players.map((each) => placeOf(each, match)), t("home.won"));
  return el(
    "tr",
    { "data-match": match.id },
    el("td", { class: "muted" }, ago(match.time)),
    el("td", {}, titleOf(match.game)),
    el("td", {}, match.id ? el("a", { href: `/m/${encodeURIComponent(match.id)}` }, players) : players),
    el("td", {}, endOf(match, reasons, t)),
    el(
      "td",
      { class: "muted number" },
      t("moves", { n: match.moves }),
      el("br"),
      durationText(match.seconds),
    ),
  );
}

function placeOf({ name, score }, { winner }) {
  return { name, points: score, won: winner !== null && winner === name };
}

function endOf(match, reasons, t) {
  const drawn = match.winner === null && match.reason === "regular";
  return [
    drawn ? t("home.draw") : match.reason !== "regular" && reasons.tell(match),
    match.id === null && el("span", { class: "badge" }, t("home.unrecorded")),
  ].filter(Boolean).flatMap((each, index) => (index ? [" ", each] : [each]));
}
