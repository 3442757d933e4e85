/** The page of a match: watch it live, or look back. */

import { copyButton } from "./copy.js";
import { el } from "./dom.js";
import { endText } from "./events-text.js";
import { openPage } from "./frame.js";
import { loadGame } from "./game-kit.js";
import { icon } from "./icons.js";
import { MatchFeed } from "./match-feed.js";
import matchWords from "./match-words.js";
import { ago } from "./moment.js";
import { awaitNext } from "./next-match.js";
import { keepLinked, linked, linkTo } from "./position-link.js";
import { faults } from "./tournament-reasons.js";
import tournamentWords from "./tournament-words.js";
import { createViewer } from "./viewer.js";
import viewerWords from "./viewer-words.js";
import { Viewing } from "./viewing.js";
import { plain, telling } from "./words.js";

const id = decodeURIComponent(location.pathname.split("/").at(-1));
const feed = new MatchFeed(id);
const viewing = new Viewing(feed, linked());
const words = [viewerWords, tournamentWords, matchWords];
let kit = null;
let beginning = false;
let watched = false; // was it under way while this page looked?
let awaiting = false;
let refused = null;
let next = null;
let viewer = null;
let refreshStatus = () => {};

const page = openPage({ words, title: titleText, draw });
keepLinked(viewing);
viewing.addEventListener("shown", () => (kit ? refreshStatus() : begin()));
viewing.addEventListener("state", () => (kit ? refreshStatus() : begin()));
feed.addEventListener("refused", (event) => {
  if (feed.match) return;
  refused = event.detail;
  page.redraw();
});
feed.addEventListener("match", () => !feed.live && awaitNextOnce(watched));
feed.addEventListener("positions", () => (watched ||= feed.live));
feed.open();

/** Once it is known which game it is, its board can be drawn. */
async function begin() {
  if (beginning || !feed.match) return;
  beginning = true;
  kit = await loadGame(feed.match.game);
  words.push(kit.words);
  refused = null;
  page.redraw();
}

function awaitNextOnce(waiting) {
  if (awaiting) return;
  awaiting = true;
  const found = (match) => {
    next = match;
    refreshStatus();
  };
  awaitNext(feed.match, found, waiting);
}

function names() {
  const seats = viewing.position?.view.players ?? feed.match?.result?.players ?? [];
  return seats.map((each) => plain(each.name));
}

function titleText(t) {
  if (!feed.match) return t("match.title");
  return [names().join(" – "), feed.match.title].filter(Boolean).join(" · ");
}

function draw(main, t) {
  viewer?.close();
  viewer = null;
  refreshStatus = () => {};
  main.classList.add("match-page");
  if (kit && viewing.count > 0) drawMatch(main, t);
  else if (kit) drawUnseen(main, t);
  else if (refused && !refused.passing) drawMissing(main, t);
  else main.append(el("p", { class: "notice", role: "status" }, refused?.tell(t) ?? t("match.loading")));
}

function drawMatch(main, t) {
  viewer = createViewer({ viewing, kit, t });
  const status = el("div", { class: "status" });
  const actions = el("div", { class: "head-actions" });
  refreshStatus = () => {
    status.replaceChildren(...statusLines(t));
    actions.replaceChildren(...(feed.match.record && !feed.live ? [recordLink(t)] : []), link);
    viewer.last.hidden = !feed.live && viewing.atEnd; // the result says it already
    page.retitle();
  };
  const link = copyButton(() => linkTo(viewing), t, t("match.link"), true, "link");
  link.title = t("match.link.title");
  link.id = "copy-link";
  main.append(
    heading(t, actions),
    el("div", { class: "board-side" }, viewer.boardBox, viewer.controls),
    el("div", { class: "people-side" }, viewer.players, viewer.last, status),
    viewer.happenings,
    viewer.announcer,
  );
  refreshStatus();
}

function heading(t, actions = null) {
  const { match } = feed;
  const lobby = telling(match.lobby);
  return el(
    "div",
    { class: "match-head" },
    el("h1", {}, names().flatMap((name, seat) => [seat > 0 && " – ", el("bdi", {}, name)])),
    el(
      "p",
      { class: "muted small" },
      match.title,
      " · ",
      lobby && [el("bdi", {}, t("match.lobby", { lobby })), " · "],
      ago(match.began),
      match.tournament && [" · ", tournamentLink(match.tournament, t)],
    ),
    actions,
  );
}

function tournamentLink({ id: key, title, game }, t) {
  const text = t("match.tournament", { n: game.number, title });
  return el("a", { id: "tournament", href: `/t/${encodeURIComponent(key)}` }, el("bdi", {}, text));
}

function statusLines(t) {
  const { match, live, lost } = feed;
  const view = viewing.feed.timeline.newest?.view;
  const end = match.result ?? (view?.stage === "ended" ? view : null);
  return [
    lost && el("p", { class: "notice quiet", id: "connection", role: "status" }, t("connection.lost")),
    !live && end && el("p", { class: "notice", id: "result" }, endText(end, t)),
    feed.settled && !end && !match.note && el("p", { class: "notice", id: "cut" }, t("match.cut")),
    live && view?.stage === "paused" && el("p", { class: "notice", id: "paused" }, t("match.paused")),
    ...faultLines(match.tournament, t),
    match.note && el("p", { class: "notice", id: "note" }, t(match.note.what, match.note)),
    next && nextLine(t),
  ].filter(Boolean);
}

/** What the tournament says about this game, whatever the game itself says. */
function faultLines(tournament, t) {
  if (!tournament) return [];
  return faults(tournament.game, t).map((text) => el("p", { class: "notice" }, text));
}

function nextLine(t) {
  const address = `/m/${encodeURIComponent(next)}`;
  return el(
    "p",
    { class: "notice", id: "next", role: "status" },
    t("match.next"),
    " ",
    el("a", { href: address }, t("match.next.watch")),
  );
}

function recordLink(t) {
  const address = `/api/matches/${encodeURIComponent(id)}/record`;
  const title = t("match.record.title");
  return el("a", { class: "button", id: "record", href: address, download: true, title }, icon("download"), t("match.record"));
}

/** A match of which nothing can be drawn, such as one whose record is gone. */
function drawUnseen(main, t) {
  refreshStatus = () => viewing.count > 0 && page.redraw();
  main.append(
    heading(t),
    el("p", { class: "notice", id: "unseen" }, t("match.unseen")),
    el("div", { class: "status" }, ...statusLines(t)),
  );
}

function unknown(t) {
  return [el("h1", {}, t("match.missing")), el("p", {}, t("match.missing.why"))];
}

/** It is here, but damaged, or of another version; the server's own words are for experts. */
function unshowable(t) {
  return [
    el("h1", {}, t("match.unshowable")),
    el("p", {}, t("match.unshowable.why")),
    el("p", { class: "muted" }, plain(refused.message)),
  ];
}

function drawMissing(main, t) {
  main.append(
    el(
      "div",
      { class: "missing", id: "missing" },
      ...(refused.status === 404 ? unknown(t) : unshowable(t)),
      el("p", {}, el("a", { class: "button primary", href: "/" }, t("match.missing.home"))),
    ),
  );
}
