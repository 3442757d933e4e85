/** The board of Hexxagon. */

import { createPicker } from "/assets/picker.js";
import { clear, svg } from "/assets/svg.js";
import { SIDE, TILES, VIEW_BOX, corners, distance, place } from "./hexagons.js";
import { emblem, shape, sideOf } from "./stones.js";

/**
 * @param {unknown} scenery nothing: every match has the same board
 * @param {(key: string, values?: object) => string} t
 */
export function createBoard(scenery, t) {
  const tiles = new Map(TILES.map((each) => [each.tile, drawTile(each)]));
  const numbers = new Map(TILES.map((each) => [each.tile, drawNumber(each)]));
  const places = new Map(TILES.map((each) => [String(each.tile), drawPlace(each)]));
  const [marks, stonesLayer] = [svg("g", { class: "marks" }), svg("g", { class: "stones" })];
  /** @type {Map<number, SVGElement>} by tile */
  const stones = new Map();
  let shown = null;

  const element = svg(
    "svg",
    { class: "board hexxagon", viewBox: VIEW_BOX, role: "img", "aria-label": t("hexxagon.board") },
    svg("g", { class: "tiles" }, ...tiles.values()),
    marks,
    stonesLayer,
    svg("g", { class: "numbers", "aria-hidden": "true" }, ...numbers.values()),
    svg("g", { class: "places" }, ...places.values()),
  );

  const picker = createPicker(element, places, { label: labelOf, preview });

  function show(view, before) {
    const { tiles: signs, last } = view.board;
    // Only what people have just seen can move on; after a leap through the match, all is set anew.
    const seen = Boolean(shown && before) && shown.move === before.move;
    const follows = seen && Boolean(last) && view.move === before.move + 1;
    shown = view;
    element.classList.toggle("following", follows);
    if (follows) travel(last);
    for (const { tile } of TILES) {
      const sign = signs[tile - 1];
      tiles.get(tile).classList.toggle("blocked", sign === "B");
      numbers.get(tile).setAttribute("class", `number ${sign === "B" ? "blocked" : sideOf(sign) ?? "free"}`);
      put(tile, sideOf(sign), last?.captured.includes(tile) ?? false);
    }
    clear(marks).append(...(last ? drawMarks(last) : []));
    element.setAttribute("aria-label", `${t("hexxagon.board")}. ${describe(view)}`);
  }

  /** The stone of the last move starts where it came from; the style sheet lets it glide. */
  function travel({ side, from, to, jump }) {
    if (!stones.has(from) || stones.has(to)) return;
    const stone = jump ? stones.get(from) : newStone(from, side);
    if (jump) stones.delete(from);
    stone.getBoundingClientRect(); // without this, it would never have been there
    move(stone, to);
    stones.set(to, stone);
  }

  function newStone(tile, side) {
    const stone = svg("g", { class: `stone ${side}`, "data-side": side }, shape(side));
    move(stone, tile);
    stonesLayer.append(stone);
    return stone;
  }

  function move(stone, tile) {
    stone.setAttribute("data-at", tile);
    stone.style.transform = `translate(${place(tile).x}px, ${place(tile).y}px)`;
  }

  /** Lets a tile have the stone of that side, or none. */
  function put(tile, side, captured) {
    const stone = stones.get(tile);
    if (!side) {
      stone?.remove();
      stones.delete(tile);
      return;
    }
    const here = stone ?? newStone(tile, side);
    stones.set(tile, here);
    if (here.getAttribute("data-side") !== side) {
      here.setAttribute("data-side", side);
      clear(here).append(shape(side));
    }
    here.setAttribute("class", `stone ${side}${captured ? " captured" : ""}`);
  }

  function describe(view) {
    const turn = view.players.find((seat) => seat.turn);
    const { last } = view.board;
    const scores = view.players.map((seat) => t("hexxagon.score", { name: seat.name, stones: seat.score }));
    const where = view.players.map((seat) =>
      t("hexxagon.places", { name: seat.name, tiles: tilesOf(view, seat.own.side).join(", ") || "–" }),
    );
    return [
      `${scores.join(", ")}.`,
      turn ? t("hexxagon.turn", { name: turn.name }) : "",
      last ? t("hexxagon.last", last) : "",
      `${where.join("; ")}.`,
    ].filter(Boolean).join(" ");
  }

  function offer(moves, choose) {
    const routes = moves?.map(({ from, to }) => ({ from: String(from), to: String(to) }));
    picker.offer(routes ?? null, choose);
  }

  function labelOf(key, role, chosen) {
    if (role !== "target") return t(`hexxagon.${role}`, { tile: key });
    const jump = distance(Number(chosen), Number(key)) === 2;
    return t(jump ? "hexxagon.jump" : "hexxagon.clone", { tile: key });
  }

  /** Shows which stones a move would capture. */
  function preview(route) {
    const mover = route && shown ? sideOf(shown.board.tiles[Number(route.from) - 1]) : undefined;
    for (const [tile, stone] of stones) {
      const theirs = mover !== undefined && stone.getAttribute("data-side") !== mover;
      stone.classList.toggle("endangered", theirs && distance(tile, Number(route.to)) === 1);
    }
  }

  return { element, show, describe, offer };
}

function drawTile({ tile, x, y }) {
  const transform = `translate(${x} ${y})`;
  return svg("polygon", { class: "tile", "data-at": tile, points: corners(SIDE - 2), transform });
}

function drawNumber({ tile, x, y }) {
  return svg("text", { class: "number", x, y }, tile);
}

/** What can be clicked and focused; the last hexagon on the pile. */
function drawPlace({ tile, x, y }) {
  return svg(
    "g",
    { class: "place", "data-at": tile, transform: `translate(${x} ${y})` },
    svg("polygon", { class: "area", points: corners(SIDE - 5) }),
  );
}

function drawMarks({ from, to, captured }) {
  const [start, end] = [place(from), place(to)];
  const at = ({ x, y }) => `translate(${x} ${y})`;
  return [
    svg("polygon", { class: "from", points: corners(SIDE - 5), transform: at(start) }),
    svg("polygon", { class: "to", points: corners(SIDE - 5), transform: at(end) }),
    drawArrow(start, end),
    ...captured.map((tile) =>
      svg("polygon", { class: "taken", points: corners(SIDE - 5), transform: at(place(tile)) }),
    ),
  ];
}

/** From the edge of one stone to that of another. */
function drawArrow(start, end) {
  const [dx, dy] = [end.x - start.x, end.y - start.y];
  const [length, angle] = [Math.hypot(dx, dy), (Math.atan2(dy, dx) * 180) / Math.PI];
  const tip = length - 34;
  return svg("path", {
    class: "way",
    d: `M26 0H${tip - 8}M${tip - 12}-9L${tip} 0L${tip - 12} 9Z`,
    transform: `translate(${start.x} ${start.y}) rotate(${angle})`,
  });
}

function tilesOf(view, side) {
  return TILES.map(({ tile }) => tile).filter((tile) => sideOf(view.board.tiles[tile - 1]) === side);
}

/** The shape of a player's stones. */
export function playerExtras(seat, view, scenery, t) {
  return emblem(seat.own.side, t(`hexxagon.${seat.own.side}`));
}

/** "30-38", in whatever way the two numbers are set apart. */
export function parseMove(text, moves) {
  const [from, to, ...others] = (text.match(/\d+/g) ?? []).map(Number);
  return others.length > 0 ? -1 : moves.findIndex((move) => move.from === from && move.to === to);
}

export function moveText(move) {
  return `${move.from}-${move.to}`;
}
