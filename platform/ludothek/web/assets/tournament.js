/** The page of a tournament: standings, bracket and games, as they change. */

import { ask, Refused } from "./api.js";
import { bracket } from "./bracket.js";
import { el } from "./dom.js";
import { openPage } from "./frame.js";
import { ago, keepTrue } from "./moment.js";
import { crossTable, standingsTable } from "./standings.js";
import { patience, Stream } from "./stream.js";
import { gamesChoice, gamesTable } from "./tournament-games-table.js";
import { TournamentGames } from "./tournament-games.js";
import tournamentWords from "./tournament-words.js";
import { plain } from "./words.js";

const id = decodeURIComponent(location.pathname.split("/").at(-1));
const address = `/api/tournaments/${encodeURIComponent(id)}`;
const list = new TournamentGames(id);
let board = null;
let refused = null;
let lost = false;
let stream = null;
let refresh = {};

const page = openPage({ words: [tournamentWords], title: (t) => (board ? plain(board.title) : t("tournament.title")), draw });
keepTrue();
list.addEventListener("change", () => refresh.games?.());
load();

async function load(failures = 0) {
  try {
    learn(await ask(address));
    if (board.problem === null) await list.load();
    refused = null;
    stream ??= new Stream(`${address}/live`, { tournament: learn }, follow);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    refused = error;
    if (error.passing) setTimeout(load, patience(failures), failures + 1);
    if (board === null) page.redraw();
    refresh.problem?.();
  }
}

function follow(state) {
  lost = state === "lost";
  refresh.problem?.();
  if (state === "again") load();
}

function learn(told) {
  const same = board !== null && board.problem === told.problem;
  board = told;
  if (told.problem === null) {
    if (!list.known && stream) list.load().catch(failed);
    list.learn(told.games);
  }
  if (!same) return page.redraw();
  for (const [name, show] of Object.entries(refresh)) if (name !== "games") show();
  page.retitle();
}

function draw(main, t) {
  refresh = {};
  main.classList.add("home", "tournament");
  if (board === null) drawNothing(main, t);
  else if (board.problem !== null) drawBroken(main, t);
  else drawBoard(main, t);
}

function drawNothing(main, t) {
  if (refused && !refused.passing) {
    main.append(
      el("h1", {}, t("tournament.missing")),
      el("p", { class: "notice bad", id: "missing" }, t("tournament.missing.why")),
      el("p", {}, el("a", { href: "/" }, t("tournament.home"))),
    );
  } else main.append(el("p", { class: "notice", role: "status" }, refused?.tell(t) ?? t("tournament.loading")));
}

function drawBroken(main, t) {
  main.append(
    el("h1", {}, el("bdi", {}, plain(board.title))),
    el("p", { class: "notice bad", id: "broken" }, t("tournament.broken"), " ", el("bdi", {}, plain(board.problem))),
  );
}

function drawBoard(main, t) {
  const boxes = Object.fromEntries(
    ["problem", "head", "standings", "test", "bracket", "cross", "choice", "games"].map((name) => [name, el("div", { id: name })]),
  );
  boxes.problem.setAttribute("role", "status");
  const choose = (one, other) => {
    list.choose(one, other).catch(failed);
    refresh.choice();
    document.getElementById("games-title").scrollIntoView();
  };
  let names = "";
  refresh = {
    problem: () => boxes.problem.replaceChildren(...problemLine(t)),
    head: () => replace(boxes.head, ...headLines(t)),
    standings: () => replace(boxes.standings, standingsTable(board, t)),
    test: () => replace(boxes.test, ...(board.sprt ? testLines(board.sprt, t) : [])),
    bracket: () => board.bracket && replace(boxes.bracket, bracket(board.bracket, choose, t)),
    cross: () => board.meetings && replace(boxes.cross, crossTable(board, choose, t)),
    choice: () => replace(boxes.choice, gamesChoice(entrants(), list.players, choose, t)),
    games: () => list.known && replace(boxes.games, ...gamesPart(t)),
  };
  const showChoice = refresh.choice;
  refresh.choice = () => {
    const now = JSON.stringify([entrants(), list.players]); // an open choice stays open
    if (now !== names) showChoice();
    names = now;
  };
  main.append(
    ...[
      boxes.problem,
      boxes.head,
      board.sprt && section("test", t("tournament.test"), boxes.test),
      board.bracket && section("bracket", t("tournament.bracket"), boxes.bracket),
      section("standings", t("tournament.standings"), boxes.standings),
      board.meetings && section("cross", t("tournament.cross"), el("p", { class: "muted small" }, t("tournament.cross.why")), boxes.cross),
      section("games", t("tournament.list"), boxes.choice, boxes.games),
    ].filter(Boolean),
  );
  for (const each of Object.values(refresh)) each();
}

function entrants() {
  return board.standings.map(({ name }) => name).sort((one, other) => one.localeCompare(other));
}

function section(name, title, ...children) {
  const label = `${name}-title`;
  return el("section", { "data-part": name, "aria-labelledby": label }, el("h2", { id: label }, title), ...children);
}

// Keyboard users stay where they are, however often a table changes.
function replace(box, ...children) {
  const focused = box.contains(document.activeElement) ? document.activeElement.id : "";
  const place = box.firstElementChild?.scrollLeft ?? 0;
  box.replaceChildren(...children);
  if (place) box.firstElementChild.scrollLeft = place;
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

function problemLine(t) {
  if (refused) return [el("p", { class: "notice bad" }, refused.tell(t))];
  return lost ? [el("p", { class: "notice", id: "connection" }, t("connection.lost"))] : [];
}

function headLines(t) {
  const { title, format, entrants: n, game_title: game, played, size, complete, ended, failures } = board;
  const label = t("tournament.progress", { played, size });
  return [
    el("h1", {}, el("bdi", {}, plain(title))),
    el("p", { class: "muted" }, t("tournament.about", { format: t(`tournament.format.${format}`), n, game })),
    el(
      "p",
      { class: "progress" },
      el("progress", { max: Math.max(1, size), value: played, "aria-label": label }),
      el("span", { class: "number", id: "progress" }, label),
      complete && el("span", { class: "badge", id: "complete" }, t("tournament.complete")),
      ended && el("span", { class: "muted small" }, `${t("tournament.latest")}: `, ago(ended)),
    ),
    failures > 0 && el("p", { class: "muted small" }, t("tournament.failures", { n: failures })),
  ].filter(Boolean);
}

function testLines({ verdict, llr, bounds, elo, error }, t) {
  const [low, high] = bounds;
  const lines = [t(`tournament.test.${verdict}`), t("tournament.test.ratio", { llr, low, high })];
  if (typeof elo === "number" && typeof error === "number") lines.push(t("tournament.test.elo", { elo, error }));
  return lines.map((text) => el("p", {}, text));
}

function gamesPart(t) {
  if (list.games.length === 0) {
    return [el("p", { class: "empty" }, t(list.filtered ? "tournament.list.unfound" : "tournament.list.none"))];
  }
  const more = () => list.more().catch(failed);
  return [
    gamesTable(list.games, t),
    list.next !== null && el("button", { type: "button", class: "more", id: "more", onclick: more }, t("tournament.list.more")),
  ].filter(Boolean);
}

function failed(error) {
  if (!(error instanceof Refused)) throw error;
  refused = error;
  refresh.problem?.();
}
