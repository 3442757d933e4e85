/** The organiser's page: everything that `platform ctl` can do. */

import { Curves } from "./curves.js";
import { el } from "./dom.js";
import { openPage } from "./frame.js";
import { isLoggedIn, liveAddress, logIn, logOut, look } from "./organiser-api.js";
import { busiestList } from "./organiser-busiest.js";
import { clientsTable, refusalsTable, withIds } from "./organiser-clients.js";
import { Coverage } from "./organiser-coverage.js";
import { endpointsTable, withNames } from "./organiser-endpoints.js";
import { lobbiesTable } from "./organiser-lobbies.js";
import { askOpen } from "./organiser-opening.js";
import { askDrain, askLogOutAll, askRestart, button, reload } from "./organiser-orders.js";
import { recordingsTable, withKinds } from "./organiser-recordings.js";
import { carriedText, statusList } from "./organiser-status.js";
import words from "./organiser-words.js";
import { compare } from "./rates.js";
import { Stream } from "./stream.js";
import { WireReader } from "./wire-reader.js";

// Milliseconds between two looks: more of them where there are many clients, as games come first.
const PERIOD = 2000;
const PERIOD_PER_CLIENT = 10;
const KINDS = ["status", "lobbies", "clients", "refusals", "wire"];

let loggedIn = false;
let problem = "";
let filter = "";
let told = { text: "", bad: false };
let predecessor = null; // the process that is being restarted
let parts = null;
let timer = 0;
let looks = 0;

const curves = new Curves();
const coverage = new Coverage();
const reader = new WireReader();
const desk = {
  t: (key) => key,
  world: null,
  rates: null,
  tell,
  refresh,
  read: (kind, id) => reader.open(kind, id, desk),
  awaitSuccessor: (pid) => (predecessor = pid),
};

// Logging in

async function enter() {
  const key = new URLSearchParams(location.hash.slice(1)).get("key");
  // The secret is valid once; it need not stay where others may see it.
  if (location.hash) history.replaceState(null, "", location.pathname);
  const before = loggedIn;
  problem = "";
  try {
    if (key !== null) await logIn(key).catch((error) => (problem = error.message));
    loggedIn = await isLoggedIn();
  } catch (error) {
    problem = error.message;
  }
  if (loggedIn && !before) begin();
  page.redraw();
  if (loggedIn) refresh();
}

function begin() {
  new Stream(liveAddress("/curves"), {
    samples: (samples) => curves.restart(samples),
    sample: (sample) => curves.add(sample),
  });
}

async function leave() {
  await logOut();
  location.reload();
}

// What is going on

/** Looks now, and again after a while. */
async function refresh() {
  clearTimeout(timer);
  const number = ++looks;
  let world = null;
  try {
    const [status, lobbies, clients, refusals, wires] = await Promise.all(KINDS.map((kind) => look(`/${kind}`)));
    world = { status, lobbies, clients, refusals, wires };
  } catch (error) {
    if (error.status === 401) return location.reload();
    if (number === looks) parts.problem.textContent = error.tell(desk.t);
  }
  if (number !== looks) return; // somebody else is looking
  if (world) show(world);
  parts.problem.hidden = world !== null;
  clearTimeout(timer);
  timer = setTimeout(refresh, Math.max(PERIOD, (desk.world?.clients.length ?? 0) * PERIOD_PER_CLIENT));
}

function show(world) {
  desk.rates = compare(desk.world, world);
  desk.world = world;
  if (predecessor !== null && world.status.pid !== predecessor) {
    predecessor = null;
    tell(desk.t("restarted", { what: carriedText(world.status, desk.t) }));
  }
  reader.check(world.wires, desk.t);
  showParts();
}

function showParts() {
  const { status, lobbies, clients, refusals, wires } = desk.world;
  const wanted = (...texts) => texts.flat().join(" ").toLowerCase().includes(filter.toLowerCase());
  parts.status.show(status);
  parts.endpoints.show(withNames(status.endpoints));
  parts.busiest.show(desk.rates, clients);
  parts.lobbies.show(lobbies.filter((each) => wanted(each.id, each.name, each.state, each.players, each.spectators)));
  parts.clients.show(clients.filter((each) => wanted(each.id, each.name, each.address, each.where ?? "")));
  parts.refusals.show(withIds(refusals).filter((each) => wanted(each.client, each.name, each.address, each.clause, each.reason)));
  parts.recordings.show(withKinds(wires));
  coverage.setGames(status.endpoints.map(({ name }) => name));
  coverage.show(wanted);
}

/** Says what came of an order. */
function tell(text, bad = false) {
  told = { text, bad };
  showTold();
}

function showTold() {
  parts.told.textContent = told.text;
  parts.told.classList.toggle("bad", told.bad);
  parts.told.hidden = !told.text;
}

// Drawing

function drawDoor(main, t) {
  main.append(
    el("h1", {}, t("title")),
    problem && el("p", { class: "notice bad", role: "alert" }, t("login.wrong", { why: problem })),
    el("p", { id: "login-how" }, t("login.how")),
  );
}

function drawDesk(main, t) {
  parts = {
    told: el("p", { id: "told", class: "notice" }),
    problem: el("p", { id: "problem", class: "notice bad", role: "status", hidden: true }),
    status: statusList(t),
    endpoints: endpointsTable(desk),
    busiest: busiestList(t),
    lobbies: lobbiesTable(desk),
    clients: clientsTable(desk),
    refusals: refusalsTable(desk),
    recordings: recordingsTable(desk),
  };
  curves.draw(t);
  coverage.draw(desk);
  reader.draw(desk);
  const daemon = [
    button(desk, "reload", () => reload(desk)),
    button(desk, "restart", () => askRestart(desk), "", { class: "danger" }),
    button(desk, "drain", () => askDrain(desk), "", { class: "danger" }),
    button(desk, "logout.all", () => askLogOutAll(desk), "", { class: "danger" }),
  ];
  main.append(
    el("div", { class: "row" }, el("h1", {}, t("title")), button(desk, "logout", leave)),
    el("div", { role: "status" }, parts.told),
    parts.problem,
    part("load", curves.element, parts.busiest.element),
    el("div", { class: "row" }, el("label", {}, t("filter"), filterField())),
    part("lobbies", el("div", { class: "row" }, button(desk, "open", () => askOpen(desk), "", { class: "primary" })), parts.lobbies.element),
    part("clients", parts.clients.element),
    part("refusals", parts.refusals.element),
    part("coverage", coverage.element),
    part("recordings", parts.recordings.element, reader.element),
    part("endpoints", parts.endpoints.element),
    part("daemon", parts.status.element, el("div", { class: "row" }, daemon)),
  );
  showTold();
  if (desk.world) showParts();
}

function part(name, ...children) {
  return el("section", { class: "desk-part", "aria-labelledby": `part-${name}` }, el("h2", { id: `part-${name}` }, desk.t(name)), ...children);
}

function filterField() {
  const field = el("input", { id: "filter", type: "search", value: filter });
  field.addEventListener("input", () => {
    filter = field.value;
    if (desk.world) showParts();
  });
  return field;
}

const page = openPage({
  place: "organiser",
  words: [words],
  title: (t) => t("title"),
  draw: (main, t) => {
    desk.t = t;
    (loggedIn ? drawDesk : drawDoor)(main, t);
  },
});

// A link that is opened in the same window changes the hash only.
window.addEventListener("hashchange", () => location.hash && enter());
await enter();
