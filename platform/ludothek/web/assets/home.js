/** The first page: games, matches under way, matches that have ended. */

import { ask, Refused } from "./api.js";
import { el } from "./dom.js";
import { endedTable } from "./ended-list.js";
import { EndedSearch } from "./ended-search.js";
import { EndReasons } from "./end-reasons.js";
import { openPage } from "./frame.js";
import { gameCards } from "./game-cards.js";
import homeWords from "./home-words.js";
import { FEW, LobbyCards } from "./lobby-cards.js";
import { keepTrue } from "./moment.js";
import { patience, Stream } from "./stream.js";
import { tournamentCards } from "./tournament-cards.js";

const TYPING = 250; // milliseconds without a key before a search
const TOURNAMENTS_AGAIN = 10000; // milliseconds until tournaments are asked for again, if there are any

const search = new EndedSearch();
const reasons = new EndReasons();
const unfolded = new Set();
let games = null;
let lobbies = null;
let allLobbies = false; // or only the first of them
let tournaments = [];
let problem = null;
let lost = false;
let refresh = {};

openPage({ place: "home", words: [homeWords], title: () => "", draw });
keepTrue();
search.addEventListener("change", () => refresh.ended());
reasons.addEventListener("loaded", () => refresh.ended());
load();
loadTournaments();
setInterval(() => tournaments.length > 0 && !document.hidden && loadTournaments(), TOURNAMENTS_AGAIN);
new Stream(
  "/api/live",
  {
    lobbies: (told) => {
      lobbies = told;
      refresh.lobbies();
    },
    ended: (match) => search.add(match),
  },
  (state) => {
    lost = state === "lost";
    refresh.problem();
    if (state === "again") {
      load();
      loadTournaments();
    }
  },
);

/** Also after the connection was lost: the server may be another one now. */
async function load(failures = 0) {
  try {
    const found = search.filtered && search.load();
    const [hosted, matches] = await Promise.all([ask("/api/games"), ask("/api/matches"), found]);
    games = hosted;
    lobbies = matches.lobbies;
    if (!search.filtered) search.take(matches);
    problem = null;
    refresh.games();
    refresh.lobbies();
    refresh.ended();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    problem = error;
    setTimeout(load, patience(failures), failures + 1);
  }
  refresh.problem();
}

/** Nobody waits for them: to count the games of a large one takes a while. */
async function loadTournaments() {
  try {
    tournaments = await ask("/api/tournaments");
    refresh.tournaments();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}

function draw(main, t) {
  const parts = {
    problem: el("div", { role: "status" }),
    lobbies: el("div", { id: "lobbies" }),
    games: el("div", { id: "games" }),
    tournaments: el("div", { id: "tournaments" }),
    ended: el("div", { id: "ended" }),
  };
  let cards = null;
  const contests = section("tournaments", t("home.tournaments"), parts.tournaments);
  refresh = {
    problem: () => parts.problem.replaceChildren(...problemLine(t)),
    games: () => {
      if (!games) return;
      cards = new LobbyCards(games, t);
      parts.games.replaceChildren(gameCards(games, unfolded, t));
    },
    lobbies: () => lobbies && cards && showLobbies(parts.lobbies, cards, t),
    tournaments: () => {
      contests.hidden = tournaments.length === 0;
      const focused = parts.tournaments.contains(document.activeElement) && document.activeElement.id;
      parts.tournaments.replaceChildren(tournamentCards(tournaments, t));
      if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    },
    ended: () => search.known && parts.ended.replaceChildren(...endedPart(t)),
  };
  main.classList.add("home");
  main.append(
    el("h1", { class: "unseen" }, t("home.heading")),
    parts.problem,
    section("games", t("home.games"), parts.games),
    section("now", t("home.now"), parts.lobbies),
    contests,
    section("past", t("home.ended"), searchForm(t), parts.ended),
  );
  for (const each of Object.values(refresh)) each();
}

function section(name, title, ...children) {
  const label = `${name}-title`;
  return el("section", { "data-part": name, "aria-labelledby": label }, el("h2", { id: label }, title), ...children);
}

function problemLine(t) {
  if (problem) return [el("p", { class: "notice bad", id: "problem" }, problem.tell(t))];
  return lost ? [el("p", { class: "notice", id: "connection" }, t("connection.lost"))] : [];
}

// Keyboard users stay on the match that they are at, however often the list changes.
function showLobbies(box, cards, t) {
  const focused = document.activeElement?.closest("#lobbies [data-lobby]")?.dataset.lobby;
  const most = allLobbies ? Infinity : FEW;
  const all = () => {
    allLobbies = true;
    showLobbies(box, cards, t);
    box.querySelectorAll(".lobbies > li")[FEW]?.querySelector("a")?.focus();
  };
  const count = { n: lobbies.length };
  const more = lobbies.length > most && el("button", { type: "button", class: "more", id: "all-lobbies", onclick: all }, t("home.now.all", count));
  const waiting = document.activeElement?.id === "all-lobbies";
  box.replaceChildren(...[cards.draw(lobbies, most), more].filter(Boolean));
  if (waiting) document.getElementById("all-lobbies")?.focus({ preventScroll: true });
  if (focused === undefined) return;
  box.querySelector(`[data-lobby="${CSS.escape(focused)}"] a`)?.focus({ preventScroll: true });
}

function searchForm(t) {
  let timer = 0;
  const player = el("input", { type: "search", id: "search-player", maxlength: 100, value: search.player, autocomplete: "off", spellcheck: "false" });
  const game = el("select", { id: "search-game", onchange: () => search.search({ game: game.value }) });
  player.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => search.search({ player: player.value.trim() }), TYPING);
  });
  const fill = () => {
    const names = new Map((games ?? []).map((each) => [each.name, each.title]));
    if (search.game && !names.has(search.game)) names.set(search.game, search.game);
    game.replaceChildren(
      el("option", { value: "" }, t("home.search.every")),
      ...[...names].map(([name, title]) => el("option", { value: name }, title)),
    );
    game.value = search.game;
  };
  fill();
  const showGames = refresh.games;
  refresh.games = () => {
    showGames();
    fill();
  };
  return el(
    "search",
    {},
    el(
      "form",
      { class: "search", "aria-label": t("home.search"), onsubmit: (event) => event.preventDefault() },
      el("label", {}, t("home.search.player"), player),
      el("label", {}, t("home.search.game"), game),
    ),
  );
}

function endedPart(t) {
  if (search.matches.length === 0) return [nothingEnded(t)];
  const titleOf = (name) => games?.find((each) => each.name === name)?.title ?? name;
  return [
    endedTable(search.matches, titleOf, reasons, t),
    search.next !== null &&
      el("button", { type: "button", class: "more", id: "more", onclick: () => search.more().catch(failed) }, t("home.more")),
  ].filter(Boolean);
}

function nothingEnded(t) {
  const { filtered } = search;
  const all = () => {
    search.search({ player: "", game: "" }).catch(failed);
    document.getElementById("search-player").value = "";
    document.getElementById("search-game").value = "";
  };
  return el(
    "div",
    { class: "empty", id: "nothing-ended" },
    el("p", {}, t(filtered ? "home.ended.unfound" : "home.ended.none")),
    filtered && el("p", {}, el("button", { type: "button", onclick: all }, t("home.ended.all"))),
  );
}

function failed(error) {
  if (!(error instanceof Refused)) throw error;
  problem = error;
  refresh.problem();
}
