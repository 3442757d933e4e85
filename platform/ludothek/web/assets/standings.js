/** The tables of a tournament: standings, and who has got what against whom. */

import { el } from "./dom.js";
import { svg } from "./svg.js";
import { language, plain } from "./words.js";

const COLUMNS = ["place", "name", "games", "points", "wins", "draws", "losses", "rating"];

/** Points, with as few digits as they need. */
export function points(value) {
  return new Intl.NumberFormat(language(), { maximumFractionDigits: 2 }).format(value);
}

/** @param {object} board of `/api/tournaments/ID` */
export function standingsTable({ standings, better }, t) {
  const scale = scaleOf(standings);
  const head = COLUMNS.map((each) => el("th", { scope: "col", class: each === "name" ? "word" : "" }, t(`tournament.${each}`)));
  head.push(
    el("td", {}),
    el("th", { scope: "col", title: t("tournament.better.why") }, t("tournament.better")),
  );
  return wide(
    t("tournament.standings"),
    el(
      "table",
      { class: "scores", id: "standings-table" },
      el("thead", {}, el("tr", {}, head)),
      el("tbody", {}, standings.map((each, index) => line(each, better[index], scale, t))),
    ),
  );
}

function line(standing, better, scale, t) {
  const { place, name, games, wins, draws, losses } = standing;
  return el(
    "tr",
    { "data-name": name },
    el("td", {}, place),
    el("th", { scope: "row", class: "word" }, el("bdi", {}, plain(name))),
    el("td", {}, games),
    el("td", {}, points(standing.points)),
    [wins, draws, losses].map((each) => el("td", {}, each)),
    el("td", {}, ratingText(standing, t)),
    el("td", { class: "whisker" }, standing.rating !== null && whisker(standing, scale)),
    el("td", {}, better === null ? "" : new Intl.NumberFormat(language(), { style: "percent", maximumFractionDigits: 1 }).format(better)),
  );
}

function ratingText({ rating, error }, t) {
  if (rating === null) return t("tournament.unrated");
  const told = { rating: Math.round(rating), error: Math.round(error) };
  return [
    el("span", { "aria-hidden": "true" }, `${told.rating} ± ${told.error}`),
    el("span", { class: "unseen" }, t("tournament.rating.label", told)),
  ];
}

function scaleOf(standings) {
  const rated = standings.filter((each) => each.rating !== null);
  const low = Math.min(...rated.map(({ rating, error }) => rating - error));
  const high = Math.max(...rated.map(({ rating, error }) => rating + error));
  return (value) => 4 + (112 * (value - low)) / (high - low || 1);
}

/** A rating with its error, on the scale that all share. */
function whisker({ rating, error }, scale) {
  const [left, right] = [scale(rating - error), scale(rating + error)].map((each) => each.toFixed(1));
  return svg(
    "svg",
    { viewBox: "0 0 120 16", "aria-hidden": "true" },
    svg("path", { d: `M${left} 8H${right}M${left} 4v8M${right} 4v8` }),
    svg("circle", { cx: scale(rating).toFixed(1), cy: 8, r: 3.5 }),
  );
}

/** @param {(one: string, other: string) => void} choose shows the games of two */
export function crossTable({ standings, meetings }, choose, t) {
  const numbers = standings.map((_, index) => index + 1);
  return wide(
    t("tournament.cross"),
    el(
      "table",
      { class: "scores cross", id: "cross-table" },
      el("thead", {}, el("tr", {}, el("td", {}), numbers.map((n) => el("th", { scope: "col" }, n)))),
      el(
        "tbody",
        {},
        meetings.map((row, one) =>
          el(
            "tr",
            {},
            el("th", { scope: "row", class: "word" }, `${one + 1} `, el("bdi", {}, plain(standings[one].name))),
            row.map((found, two) => el("td", {}, meeting(found, standings[one].name, standings[two].name, one === two, choose, t))),
          ),
        ),
      ),
    ),
  );
}

function meeting(found, one, two, same, choose, t) {
  if (found === null) return same ? "" : "–";
  const [got, games] = found;
  const label = t("tournament.against", { one, two, points: points(got), n: games });
  const id = ["meeting", one, two].map(encodeURIComponent).join("-");
  return el(
    "button",
    { type: "button", class: "quiet", id, "aria-label": label, title: label, onclick: () => choose(one, two) },
    `${points(got)}/${games}`,
  );
}

/** A box in which a table moves sideways where the screen is small. */
function wide(label, table) {
  return el("div", { class: "wide", role: "group", "aria-label": label, tabindex: 0 }, table);
}
