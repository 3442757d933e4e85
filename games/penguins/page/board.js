/** The ice of Penguins. */

import { el } from "/assets/dom.js";
import { createPicker } from "/assets/picker.js";
import { clear, svg } from "/assets/svg.js";
import { emblem, penguin, shoal } from "./animals.js";
import { FIELDS, LABELS, SEA, SIDE, VIEW_BOX, key, middle, outline, placeOf, signAt } from "./hexagons.js";

const TEAMS = { R: "ONE", B: "TWO" };
const PENGUINS = 4; // of each team

/**
 * @param {unknown} scenery nothing: the ice is part of every position
 * @param {(key: string, values?: object) => string} t
 */
export function createBoard(scenery, t) {
  const fields = new Map(FIELDS.map((field) => [key(field.at), drawField(field)]));
  const places = new Map(FIELDS.map((field) => [key(field.at), drawPlace(field)]));
  const [marks, layer] = [svg("g", { class: "marks" }), svg("g", { class: "penguins-layer" })];
  /** @type {Map<string, SVGElement>} by field */
  const penguins = new Map();
  let shown = null;

  const element = svg(
    "svg",
    { class: "board penguins", viewBox: VIEW_BOX, role: "img", "aria-label": t("penguins.board") },
    svg("rect", { class: "sea", ...SEA, rx: 28 }),
    svg("g", { class: "coordinates", "aria-hidden": "true" },
      ...LABELS.map(({ text, x, y }) => svg("text", { x, y }, text))),
    svg("g", { class: "ice" }, ...fields.values()),
    marks,
    layer,
    svg("g", { class: "places" }, ...places.values()),
  );

  const picker = createPicker(element, places, { label: labelOf, preview });

  function show(view, before) {
    const { rows, last } = view.board;
    // Only what people have just seen can move on; after a leap through the match, all is set anew.
    const seen = Boolean(shown && before) && shown.move === before.move;
    const follows = seen && Boolean(last) && view.move === before.move + 1;
    shown = view;
    element.classList.toggle("following", follows);
    if (follows && last.from) travel(key(last.from), last.to);
    for (const { at } of FIELDS) {
      freeze(fields.get(key(at)), signAt(rows, at));
      put(at, TEAMS[signAt(rows, at)]);
    }
    clear(marks).append(...(last ? drawMarks(last) : []));
    element.setAttribute("aria-label", `${t("penguins.board")}. ${describe(view)}`);
  }

  /** A penguin keeps being itself when it moves; the style sheet lets it slide. */
  function travel(from, to) {
    const traveller = penguins.get(from);
    if (!traveller || penguins.has(key(to))) return;
    penguins.delete(from);
    penguins.set(key(to), traveller);
    move(traveller, to);
  }

  function move(traveller, at) {
    const { x, y } = middle(at);
    traveller.setAttribute("data-at", key(at));
    traveller.style.transform = `translate(${x}px, ${y}px)`;
  }

  /** Lets a field have a penguin of that team, or none. */
  function put(at, team) {
    const there = penguins.get(key(at));
    if (there?.getAttribute("data-team") === team) return;
    there?.remove();
    penguins.delete(key(at));
    if (!team) return;
    const comer = svg("g", { class: `penguin ${team.toLowerCase()}`, "data-team": team }, penguin(team));
    move(comer, at);
    layer.append(comer);
    penguins.set(key(at), comer);
  }

  function describe(view) {
    const turn = view.players.find((seat) => seat.turn);
    const { last } = view.board;
    const scores = view.players.map((seat) => t("penguins.score", { name: seat.name, fish: seat.score }));
    const where = view.players.map((seat) =>
      t("penguins.places", { name: seat.name, places: fieldsOf(view, seat.own.team).join(", ") || "–" }));
    return [
      `${scores.join(", ")}.`,
      turn ? t("penguins.turn", { name: turn.name }) : "",
      last?.from ? t("penguins.last", { from: key(last.from), to: key(last.to) }) : "",
      last && !last.from ? t("penguins.last_set", { to: key(last.to) }) : "",
      `${where.join("; ")}.`,
    ].filter(Boolean).join(" ");
  }

  function offer(moves, choose) {
    const routes = moves?.map(({ from, to }) => ({ from: from && key(from), to: key(to) }));
    picker.offer(routes ?? null, choose);
  }

  function labelOf(place, role) {
    const fish = fields.get(place).getAttribute("data-fish");
    return t(`penguins.${role}`, { place, fish });
  }

  /** Shows the way that a penguin would take. */
  function preview(route) {
    marks.querySelector(".preview")?.remove();
    if (route?.from) marks.append(drawWay(placeOf(route.from), placeOf(route.to), "preview"));
  }

  return { element, show, describe, offer };
}

function drawField({ at, x, y }) {
  return svg("g", { class: "field", "data-at": key(at), transform: `translate(${x} ${y})` });
}

/** Lets a field be what its sign says; fish are drawn only where there were others before. */
function freeze(field, sign) {
  if (field.getAttribute("data-sign") === sign) return;
  const fish = Number(sign) || 0;
  const kind = sign === "0" ? "water" : "floe";
  field.setAttribute("data-sign", sign);
  field.setAttribute("data-fish", fish);
  field.setAttribute("class", `field ${kind}`);
  clear(field).append(...(sign === "0" ? ripples() : [...floe(), shoal(fish)]));
}

function floe() {
  return [
    svg("path", { class: "edge", d: outline(SIDE - 3), transform: "translate(0 6)" }),
    svg("path", { class: "top", d: outline(SIDE - 3) }),
  ];
}

function ripples() {
  return [svg("path", { class: "ripples", d: "M-22-8q6-6 12 0t12 0M-4 10q6-6 12 0t12 0" })];
}

/** What can be clicked and focused. */
function drawPlace({ at, x, y }) {
  return svg("g", { class: "place", "data-at": key(at), transform: `translate(${x} ${y})` },
    svg("title", {}, key(at)),
    svg("path", { class: "area", d: outline(SIDE - 5) }));
}

function drawMarks({ from, to }) {
  const at = (place) => `translate(${middle(place).x} ${middle(place).y})`;
  const target = svg("path", { class: "to", d: outline(SIDE - 6), transform: at(to) });
  if (!from) return [target];
  const origin = svg("path", { class: "from", d: outline(SIDE - 10), transform: at(from) });
  return [origin, drawWay(from, to, "way"), target];
}

function drawWay(from, to, name) {
  const [start, end] = [middle(from), middle(to)];
  return svg("line", { class: name, x1: start.x, y1: start.y, x2: end.x, y2: end.y });
}

function fieldsOf(view, team) {
  return FIELDS.map(({ at }) => at).filter((at) => TEAMS[signAt(view.board.rows, at)] === team).map(key);
}

/** What the team's penguins wear, how many are still to be set, and why it has lost early. */
export function playerExtras(seat, view, scenery, t) {
  const { team, penguins, violation } = seat.own;
  const unset = view.stage === "ended" ? 0 : PENGUINS - penguins;
  return el("span", { class: "penguins-extras" },
    emblem(team, t(`penguins.${team}`)),
    unset > 0 ? el("span", { class: "unset" }, t("penguins.unset", { count: unset })) : null,
    violation ? el("strong", { class: "violation" }, t(`penguins.${violation}`)) : null);
}

/** "3|1 5|1", or "4|2" for a new penguin; only the numbers count. */
export function parseMove(text, moves) {
  const numbers = (text.match(/\d+/g) ?? []).join(" ");
  return moves.findIndex(({ from, to }) => [...(from ?? []), ...to].join(" ") === numbers);
}

export function moveText(move) {
  return move.from ? `${key(move.from)} ${key(move.to)}` : key(move.to);
}
