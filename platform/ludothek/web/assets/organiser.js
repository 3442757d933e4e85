/** The organiser's page: everything that `platform ctl` can do. */

import { Curves } from "./curves.js";
import { clear, el } from "./dom.js";
import { openPage } from "./frame.js";
import { act, liveAddress, logIn, look, pathOf, whoAmI } from "./organiser-api.js";
import words from "./organiser-words.js";
import { Stream } from "./stream.js";

const PERIOD = 2000;
const ORDERS = ["start", "pause", "resume", "step", "abort"];
const HARSH = ["abort", "kick", "restart", "drain"];
const MOST_LINES = 500;

let loggedIn = false;
let problem = "";
let filter = "";
let t = (key) => key;
let parts = {};

async function enter() {
  const key = new URLSearchParams(location.hash.slice(1)).get("key");
  // The secret is valid once; it need not stay where others may see it.
  history.replaceState(null, "", location.pathname);
  try {
    await (key ? logIn(key) : whoAmI());
    loggedIn = true;
  } catch (error) {
    problem = key ? error.message : "";
  }
  page.redraw();
  if (loggedIn) {
    new Stream(liveAddress("/curves"), {
      samples: (samples) => parts.curves.restart(samples),
      sample: (sample) => parts.curves.add(sample),
    });
    refresh();
  }
}

function drawDoor(main) {
  main.append(
    el("h1", {}, t("title")),
    problem ? el("p", { class: "notice", role: "alert" }, t("login.wrong", { why: problem })) : null,
    el("p", { id: "login-how" }, t("login.how")),
  );
}

function drawDesk(main) {
  parts = {
    told: el("p", { id: "told", role: "status", "aria-live": "polite" }),
    status: el("p", { id: "status" }),
    curves: new Curves(t),
    lobbies: el("div", { class: "table-box" }),
    clients: el("div", { class: "table-box" }),
    wire: el("section", { id: "wire" }),
    games: el("select", { id: "open-game", "aria-label": t("game") }),
    name: el("input", { id: "open-name", "aria-label": t("name"), placeholder: t("name") }),
  };
  main.append(
    el("div", { class: "row" }, el("h1", {}, t("title")), button("logout", leave)),
    parts.told,
    parts.status,
    parts.curves.element,
    el("label", { class: "row" }, t("filter"), filterField()),
    el("h2", {}, t("lobbies")),
    el("div", { class: "row" }, parts.games, parts.name, button("open", openLobby)),
    parts.lobbies,
    el("h2", {}, t("clients")),
    parts.clients,
    parts.wire,
    el("h2", {}, t("daemon")),
    el("div", { class: "row" }, ...["reload", "restart", "drain"].map(daemonButton)),
  );
}

function filterField() {
  const field = el("input", { id: "filter", type: "search", value: filter });
  field.addEventListener("input", () => {
    filter = field.value;
    refresh(false);
  });
  return field;
}

function button(what, onclick, more = {}) {
  return el("button", { type: "button", "data-action": what, onclick, ...more }, t(what));
}

const daemonButton = (what) => button(what, () => order(what, `/${what}`, "daemon"));

async function leave() {
  await act("/logout").catch(() => {});
  location.reload();
}

const openLobby = () =>
  order("open", "/lobbies", parts.name.value, {
    game: parts.games.value,
    ...(parts.name.value ? { name: parts.name.value } : {}),
  });

/** Has something done, and says what came of it. */
async function order(what, path, target, body = {}) {
  if (HARSH.includes(what) && !confirm(t("sure", { what: t(what), target }))) return;
  try {
    await act(path, body);
    parts.told.textContent = t("done", { what: `${t(what)} ${target}` });
  } catch (error) {
    parts.told.textContent = t("failed", { why: error.message });
  }
  refresh(false);
}

// What is going on

async function refresh(again = true) {
  try {
    const [status, lobbies, clients, refusals, wires] = await Promise.all(
      ["/status", "/lobbies", "/clients", "/refusals", "/wire"].map(look),
    );
    drawStatus(status);
    drawLobbies(lobbies, new Set(wires.filter((each) => each.on).map((each) => each.id)));
    drawClients(clients, refusals);
  } catch (error) {
    if (error.status === 401) return location.reload();
    parts.told.textContent = t("failed", { why: error.message });
  }
  if (again) setTimeout(refresh, PERIOD);
}

function drawStatus(status) {
  parts.status.textContent = t("status", {
    clients: status.clients,
    lobbies: status.lobbies,
    version: status.version,
    minutes: Math.floor(status.uptime_seconds / 60),
  });
  const games = status.endpoints.map((each) => each.name);
  if (parts.games.children.length !== games.length) {
    clear(parts.games).append(...games.map((name) => el("option", { value: name }, name)));
  }
}

function drawLobbies(lobbies, recorded) {
  const rows = lobbies.filter((each) => suits(each.id, each.name, ...each.players)).map((each) => [
    each.id,
    each.name,
    each.state,
    each.players.join(", "),
    el(
      "span",
      { class: "row" },
      ...ORDERS.map((what) =>
        button(what, () => order(what, `${pathOf("lobbies", each.id)}/${what}`, each.id)),
      ),
      wireButtons(each.id, recorded.has(each.id)),
    ),
  ]);
  drawTable(parts.lobbies, "lobbies", ["lobby", "name", "state", "players", "actions"], rows);
}

function drawClients(clients, refusals) {
  const why = new Map(refusals.map((each) => [each.id, each.reason])); // the latest wins
  const rows = clients.filter((each) => suits(each.id, each.name, each.address)).map((each) => [
    each.id,
    each.name,
    each.address,
    each.where ?? "",
    why.get(each.id) ?? "",
    button("kick", () => order("kick", `${pathOf("clients", each.id)}/kick`, each.id)),
  ]);
  drawTable(parts.clients, "clients", ["client", "name", "address", "where", "refused", "actions"], rows);
}

const suits = (...texts) => texts.join(" ").toLowerCase().includes(filter.toLowerCase());

function drawTable(box, kind, columns, rows) {
  const focused = document.activeElement;
  if (box.contains(focused) && rows.length) return; // somebody is about to press a button
  const head = el("tr", {}, ...columns.map((name) => el("th", { scope: "col" }, t(name))));
  const body = rows.map((row) =>
    el("tr", { "data-id": row[0] }, ...row.map((cell) => el("td", {}, cell))),
  );
  clear(box).append(
    rows.length
      ? el("table", { class: "organiser-table", "data-kind": kind }, el("thead", {}, head), el("tbody", {}, ...body))
      : el("p", { class: "empty" }, t("none")),
  );
}

// Messages on the wire

let reading = null;

function wireButtons(id, on) {
  const what = on ? "stop" : "record";
  const change = button(what, () => order(what, `${pathOf("lobbies", id)}/wire`, id, { on: !on }));
  return el("span", { class: "row" }, change, on ? button("read", () => readWire(id)) : null);
}

function readWire(id) {
  const [game, ...key] = id.split("/");
  const query = new URLSearchParams({ game, kind: "lobby", key: key.join("/") });
  const lines = el("pre", { class: "wire-lines panel", tabindex: 0 });
  const say = (...texts) => {
    for (const text of texts) lines.append(`${text}\n`);
    while (lines.childNodes.length > MOST_LINES) lines.firstChild.remove();
    lines.scrollTop = lines.scrollHeight;
  };
  reading?.close();
  reading = new EventSource(liveAddress(`/wire/live?${query}`));
  reading.addEventListener("lines", ({ data }) => {
    const batch = JSON.parse(data);
    if (batch.skipped) say(t("wire.lost", { count: batch.skipped }));
    say(...batch.entries.map((each) => `${each.direction} ${each.client} ${each.name ?? ""} ${each.text}`));
  });
  reading.addEventListener("end", () => {
    say(t("wire.end"));
    reading.close();
  });
  const close = () => {
    reading.close();
    clear(parts.wire);
  };
  clear(parts.wire).append(el("h2", {}, t("wire", { target: id })), button("close", close), lines);
}

const page = openPage({
  place: "organiser",
  words: [words],
  title: (translate) => translate("title"),
  draw: (main, translate) => {
    t = translate;
    loggedIn ? drawDesk(main) : drawDoor(main);
  },
});

await enter();
