/** The view for the lecture hall: goes from match to match by itself. */

import { ask } from "./api.js";
import { el } from "./dom.js";
import { endText } from "./events-text.js";
import { languageSwitch, openPage, themeSwitch } from "./frame.js";
import { loadGame } from "./game-kit.js";
import hallWords from "./hall-words.js";
import { icon } from "./icons.js";
import { MatchFeed } from "./match-feed.js";
import { Rotation } from "./rotation.js";
import { patience, Stream } from "./stream.js";
import { createViewer } from "./viewer.js";
import viewerWords from "./viewer-words.js";
import { Viewing } from "./viewing.js";
import { plain } from "./words.js";

const TICK = 200; // milliseconds
const IDLE = 3000; // without a movement the controls disappear
const SMALLEST = 0.5; // of the usual size
const UNDER_WAY = new Set(["running", "paused"]);

const rotation = new Rotation();
const OWN_WORDS = [viewerWords, hallWords];
const words = [...OWN_WORDS]; // and those of the game that is seen
let games = [];
let scene = null; // {id, viewing, kit}: what is seen; null: the waiting picture
let wanted = null; // the id of the match that is seen or being loaded
let viewer = null;
let lost = false;
let refresh = () => {};

const page = openPage({ bare: true, words, title: (t) => t("hall.title"), draw });
loadGames();
new Stream(
  "/api/live",
  {
    lobbies: (lobbies) => {
      const running = lobbies.filter((each) => each.match && UNDER_WAY.has(each.stage));
      rotation.update(running.map((each) => each.match), now());
      turn();
    },
    ended: ({ id }) => {
      if (id) rotation.ended(id, now());
      turn();
    },
  },
  (state) => {
    lost = state === "lost";
    if (state === "again") loadGames();
    refresh();
  },
);
setInterval(() => {
  rotation.tick(now());
  turn();
  refresh();
}, TICK);
window.addEventListener("resize", () => document.querySelector(".hall-side")?.style.removeProperty("--fit"));
document.addEventListener("keydown", press);
document.addEventListener("pointermove", wake);
document.addEventListener("focusin", wake);

function now() {
  return performance.now() / 1000;
}

async function loadGames(failures = 0) {
  try {
    games = await ask("/api/games");
    if (scene === null) page.redraw();
  } catch {
    setTimeout(loadGames, patience(failures), failures + 1);
  }
}

/** Goes to the match whose turn it is; what is seen stays until the other one can be drawn. */
async function turn() {
  const id = rotation.current;
  if (id === wanted) return;
  wanted = id;
  const found = id === null ? null : await load(id);
  if (wanted !== id) return found?.viewing.close();
  scene?.viewing.close();
  scene = found;
  words.splice(OWN_WORDS.length, 1, ...(found ? [found.kit.words] : []));
  page.redraw();
}

/** @returns {Promise<object | null>} null: there is nothing to see of it */
async function load(id) {
  const feed = new MatchFeed(id, { history: false });
  const viewing = new Viewing(feed);
  const known = new Promise((resolve) => {
    feed.addEventListener("positions", () => resolve(true), { once: true });
    feed.addEventListener("record", () => resolve(feed.timeline.length > 0), { once: true });
    feed.addEventListener("refused", () => resolve(false), { once: true });
  });
  feed.open();
  if (!(await known)) {
    viewing.close();
    rotation.skip(1, now());
    return null;
  }
  feed.addEventListener("match", () => !feed.live && rotation.ended(id, now()));
  if (!feed.live) rotation.ended(id, now());
  return { id, viewing, kit: await loadGame(feed.match.game) };
}

function draw(main, t) {
  viewer?.close();
  viewer = null;
  main.classList.add("hall");
  const parts = scene ? matchParts(scene, t) : waitingParts(t);
  const bar = el("div", { class: "passing", "aria-hidden": "true" });
  const staying = el("span", { class: "badge", id: "staying" }, t("hall.paused"));
  const connection = el("span", { class: "badge", id: "connection", role: "status" }, t("connection.lost"));
  main.append(...parts.nodes, controls(t, staying, connection), bar);
  refresh = () => {
    parts.refresh?.();
    const progress = rotation.progress(now());
    bar.style.transform = `scaleX(${progress ?? 0})`;
    staying.hidden = !rotation.paused;
    connection.hidden = !lost;
    main.dataset.match = scene?.id ?? "";
  };
  refresh();
}

function matchParts({ viewing, kit }, t) {
  viewer = createViewer({ viewing, kit, t, keys: false });
  const head = el("h1");
  const result = el("p", { class: "result", id: "result" });
  const seats = viewing.position.view.players.length;
  viewer.players.style.setProperty("--count", String(seats));
  const side = el("div", { class: "hall-side" }, head, viewer.players, viewer.last, result);
  return {
    nodes: [viewer.boardBox, side, viewer.announcer],
    refresh: () => {
      const { match, live, timeline } = viewing.feed;
      const { view } = timeline.newest;
      head.textContent = `${match.title} · ${t("move.number", { n: view.move })}`;
      const end = live ? null : (match.result ?? view);
      result.hidden = end === null;
      viewer.last.hidden = end !== null;
      if (end) result.textContent = endText(end, t);
      shrink(side);
    },
  };
}

/** Until all of it is on the screen: robots have much to tell, and there may be six of them. */
function shrink(side) {
  let size = Number(side.style.getPropertyValue("--fit") || 1);
  while (side.scrollHeight > side.clientHeight && size > SMALLEST) {
    size *= 0.95;
    side.style.setProperty("--fit", String(size));
  }
}

function waitingParts(t) {
  return {
    nodes: [
      el(
        "div",
        { class: "waiting", id: "waiting" },
        el("img", { src: "/assets/logo.svg", alt: "" }),
        el("h1", {}, t("hall.waiting")),
        games.length > 0 && el("p", {}, t("hall.waiting.connect")),
        el(
          "dl",
          {},
          games.flatMap((each) => [el("dt", {}, each.title), el("dd", {}, plain(each.url))]),
        ),
        el("p", {}, t("hall.waiting.open"), " ", el("strong", {}, location.origin)),
      ),
    ],
  };
}

function controls(t, ...badges) {
  const button = (name, key, action) =>
    el(
      "button",
      { type: "button", class: "icon-button", id: `hall-${name}`, "aria-label": t(key), title: t(key), onclick: action },
      icon(name),
    );
  return el(
    "div",
    { class: "hall-controls", role: "group", "aria-label": t("hall.controls") },
    ...badges,
    el(
      "div",
      { class: "awake-only" },
      button("back", "hall.previous", () => skip(-1)),
      button(rotation.paused ? "play" : "pause", rotation.paused ? "hall.go" : "hall.pause", pause),
      button("forward", "hall.next", () => skip(1)),
      button("screen", "hall.screen", fullScreen),
      languageSwitch(t),
      themeSwitch(t),
      el("a", { class: "button", href: "/" }, t("hall.leave")),
    ),
  );
}

function pause() {
  rotation.pause(!rotation.paused, now());
  page.redraw();
}

function skip(direction) {
  rotation.skip(direction, now());
  turn();
}

function fullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.().catch(() => {});
}

const KEYS = {
  ArrowLeft: () => skip(-1),
  ArrowRight: () => skip(1),
  " ": pause,
  f: fullScreen,
  F: fullScreen,
};

function press(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === " " && event.target.closest?.("button, a")) return;
  const action = KEYS[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

let sleeping = 0;

function wake() {
  document.body.classList.add("awake");
  clearTimeout(sleeping);
  sleeping = setTimeout(() => document.body.classList.remove("awake"), IDLE);
}
