/** The page where somebody plays: choose, sit down, move, and play again. */

import { ask, Refused } from "./api.js";
import { copyable } from "./copy.js";
import { el } from "./dom.js";
import { openPage } from "./frame.js";
import { loadGame } from "./game-kit.js";
import { MatchFeed } from "./match-feed.js";
import { createDesk, overText } from "./play-desk.js";
import { playForm, usualWish } from "./play-form.js";
import { PlayLine } from "./play-line.js";
import { keepSeat, keptSeat, NOW } from "./play-seat.js";
import playWords from "./play-words.js";
import { patience } from "./stream.js";
import { createViewer } from "./viewer.js";
import viewerWords from "./viewer-words.js";
import { Viewing } from "./viewing.js";
import { plain, translator } from "./words.js";

const TICK = 1000; // milliseconds

const name = decodeURIComponent(location.pathname.split("/").at(-1));
const words = [viewerWords, playWords];
let games = null; // of `/api/games`
let game = null; // the one of this page
let kit = null;
let wish = null; // what was chosen, as far as this window knows
let problem = null; // a function of `t`: why there is no game
let current = null; // the game that is played, see `begin`
let viewer = null;
let desk = null;

const page = openPage({ words, title: titleText, draw });
setInterval(() => desk?.tick(), TICK);
load();

async function load(failures = 0) {
  try {
    games = await ask("/api/games");
    const fitting = games.filter((each) => each.endpoint === name || each.name === name);
    game = fitting.find((each) => each.playable) ?? fitting[0] ?? null;
    if (game?.playable) {
      kit = await loadGame(game.name);
      words.push(kit.words);
      const seat = keptSeat(name);
      wish = seat?.wish ?? null;
      const atOnce = location.hash === NOW;
      if (atOnce) history.replaceState(null, "", location.pathname); // once
      if (seat) return begin({ token: seat.token, orWish: atOnce });
      if (atOnce) return beginAnew();
    }
    problem = null;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    problem = (t) => error.tell(t);
    setTimeout(load, patience(failures), failures + 1);
  }
  page.redraw();
}

// A game

/** A game as people usually want it, at once. */
function beginAnew() {
  wish = usualWish(game, translator(playWords));
  begin({ wish });
}

/** @param {{wish?: object, token?: string, orWish?: boolean}} how to get a seat; with `orWish`, a new one if that is gone */
function begin(how) {
  current?.viewing?.close();
  const line = new PlayLine(name, how);
  const mine = { line, seated: null, viewing: null, question: null, over: null, back: false, offered: 0 };
  current = mine;
  problem = null;
  const on = (what, react) => line.addEventListener(what, (event) => current === mine && react(event.detail));
  on("seated", (seated) => {
    mine.seated = seated;
    keepSeat(name, { token: seated.token, wish });
    if (!mine.viewing) page.redraw();
  });
  on("match", ({ id }) => mine.viewing || watch(mine, id));
  on("question", (question) => {
    mine.question = { ...question, at: performance.now() };
    mine.offered = 0;
    refresh();
  });
  on("answered", ({ number }) => {
    if (mine.question && mine.question.number <= number) mine.question = null;
    refresh();
  });
  on("over", (over) => {
    Object.assign(mine, { over, question: null });
    keepSeat(name, null);
    if (mine.viewing?.count) refresh();
    else page.redraw();
  });
  on("refused", ({ code, why, final }) => {
    if (code === "gone" && how.orWish) return beginAnew();
    if (final) leave((t) => refusalText(code, why, t));
  });
  on("unreachable", () => leave((t) => t("play.unreachable")));
  on("state", refresh);
  line.open();
  page.redraw();
}

/** Back to the choice, and say why. */
function leave(why) {
  current?.line.close();
  current?.viewing?.close();
  current = null;
  keepSeat(name, null);
  problem = why;
  page.redraw();
}

function refusalText(code, why, t) {
  const key = `play.refused.${code}`;
  const text = t(key);
  return text === key ? t("play.refused", { why }) : text;
}

function watch(mine, id) {
  const viewing = new Viewing(new MatchFeed(id));
  mine.viewing = viewing;
  const look = () => {
    if (current !== mine) return;
    if (!viewer && viewing.count > 0) page.redraw();
    else refresh();
  };
  viewing.addEventListener("shown", look);
  viewing.addEventListener("state", look);
  viewing.feed.open();
}

// What a person does

const act = {
  choose(index) {
    const { question, line } = current;
    if (!question) return;
    current.question = null;
    line.answer(question.number, index);
    refresh();
  },
  resign: () => current.line.resign(),
  again() {
    if (wish) begin({ wish });
    else act.change();
  },
  change() {
    current?.viewing?.close();
    current = null;
    page.redraw();
  },
};

/** Brings moves and words up to date. */
function refresh() {
  if (!current || !desk) return;
  current.back = Boolean(current.viewing) && !current.viewing.atEnd;
  offerMoves();
  desk.refresh();
  page.retitle();
}

// Once per question, since offering it again takes back what has been chosen.
function offerMoves() {
  const { question, line, back } = current;
  const wanted = question && !line.lost && !back ? question.number : 0;
  if (wanted === current.offered) return;
  const focusless = document.activeElement === null || document.activeElement === document.body;
  current.offered = wanted;
  viewer.board.offer(wanted ? question.moves : null, act.choose);
  if (wanted && focusless) viewer.board.element.querySelector("[role=button]")?.focus({ preventScroll: true });
}

// Drawing

function titleText(t) {
  const title = game ? t("play.title", { game: game.title }) : t("play.page");
  return current?.question ? `● ${t("play.status.asked")} · ${title}` : title;
}

function draw(main, t) {
  viewer?.close();
  viewer = null;
  desk = null;
  main.classList.add("play-page");
  if (current?.viewing?.count > 0) drawGame(main, t);
  else if (current?.over) drawEarlyEnd(main, t);
  else if (current) drawWaiting(main, t);
  else if (game?.playable) drawChoice(main, t);
  else if (games) drawUnplayable(main, t);
  else main.append(el("p", { class: "notice", role: "status" }, problem?.(t) ?? t("play.loading")));
}

function drawChoice(main, t) {
  main.append(
    el(
      "div",
      { class: "play-choice" },
      el("h1", {}, t("play.title", { game: game.title })),
      problem && el("p", { class: "notice bad", id: "problem", role: "alert" }, problem(t)),
      playForm(
        game,
        (chosen) => {
          wish = chosen;
          begin({ wish });
        },
        t,
      ),
    ),
  );
}

function drawWaiting(main, t) {
  const { seated } = current;
  const how = seated?.how;
  const leaving = el("button", { id: "leave", type: "button", onclick: act.resign }, t("play.leave"));
  main.append(
    el(
      "div",
      { class: "play-choice", id: "waiting" },
      el("h1", {}, t("play.title", { game: game.title })),
      el("p", { class: "notice", role: "status" }, t(how ? "play.waiting.client" : "play.waiting")),
      how && el("div", { class: "panel directions" }, ...directions(how, t)),
      seated && el("p", {}, leaving),
    ),
  );
}

/** What a client has to do to be the opponent. */
function directions(how, t) {
  const step = (key, text) => [el("h2", {}, t(key)), copyable(text, t)];
  return [
    ...step("play.how.address", game.url),
    ...(how.name ? step("play.how.lobby", how.name) : []),
    ...step("play.how.message", how.message),
    ...step("play.how.bot", `${game.how.bot} ${how.bot}`),
  ];
}

function drawEarlyEnd(main, t) {
  const { over } = current;
  problem = (words) => overText(over, words);
  current = null;
  drawChoice(main, t);
}

function drawGame(main, t) {
  const { viewing } = current;
  viewer = createViewer({ viewing, kit, t });
  desk = createDesk(current, act, kit, t);
  current.offered = 0;
  const match = `/m/${encodeURIComponent(viewing.feed.id)}`;
  main.classList.add("match-page");
  main.append(
    el(
      "div",
      { class: "match-head" },
      el("h1", {}, t("play.title", { game: game.title })),
      el("p", { class: "muted small" }, el("bdi", {}, plain(current.seated?.name))),
      el("div", { class: "head-actions" }, el("a", { class: "button", id: "watch", href: match, target: "_blank", rel: "noopener" }, t("play.watch"))),
    ),
    el("div", { class: "board-side" }, viewer.boardBox, viewer.controls),
    el("div", { class: "people-side" }, viewer.players, desk.element, viewer.last),
    viewer.happenings,
    viewer.announcer,
  );
  refresh();
}

function drawUnplayable(main, t) {
  const others = games.filter((each) => each.playable);
  const text = game ? t("play.unplayable", { game: game.title }) : t("play.unknown", { game: name });
  main.append(
    el(
      "div",
      { class: "missing", id: "unplayable" },
      el("h1", {}, text),
      el("p", {}, t(others.length > 0 ? "play.others" : "play.others.none")),
      el(
        "ul",
        { class: "others" },
        others.map((each) => el("li", {}, el("a", { class: "button primary", href: `/play/${encodeURIComponent(each.endpoint)}` }, each.title))),
      ),
      el("p", {}, el("a", { class: "button", href: "/" }, t("play.home"))),
    ),
  );
}
