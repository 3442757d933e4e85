/** Qwirkle: a board that grows with what is laid, and the bag. */

import { el } from "/assets/dom.js";
import { clear, svg } from "/assets/svg.js";
import { CELL, drawHand, drawTile, kindName, shapeWord } from "./tile.js";

/** At least so many columns and rows are shown, so that the first tiles are not huge. */
const LEAST = { columns: 11, rows: 7 };
/** Empty cells around the tiles. */
const MARGIN = 1;
/** So many lines of text would be as high as the board is wide: it stays legible on a phone. */
const LINES = 26;
/** How many tiles of the bag are in a line. */
const BAG_COLUMNS = 24;

export function createBoard(scenery, t) {
  const cells = svg("g", { class: "cells" });
  const axes = svg("g", { class: "axes" });
  const tiles = svg("g", { class: "tiles" });
  const bag = svg("g", { class: "bag" });
  const element = svg("svg", { class: "qwirkle board", role: "img" }, cells, axes, tiles, bag);
  const drawn = new Map(); // elements of tiles by place

  function show(view, before) {
    const { board } = view;
    layTiles(board, before?.board);
    const area = areaOf(board.tiles);
    drawGround(cells, area);
    drawAxes(axes, area);
    const bottom = drawBag(bag, board, area, t);
    const left = (area.left - 0.5) * CELL;
    const top = -(area.top + 0.5) * CELL;
    element.setAttribute("viewBox", `${left} ${top} ${area.columns * CELL} ${bottom - top}`);
    element.setAttribute("aria-label", describe(view));
  }

  function layTiles(board, before) {
    const last = new Set(board.last.map(String));
    const known = before ? new Set(before.tiles.map(keyOf)) : null;
    const wanted = new Set(board.tiles.map(keyOf));
    for (const [key, tile] of drawn) {
      if (wanted.has(key)) continue;
      tile.remove();
      drawn.delete(key);
    }
    for (const placed of board.tiles) {
      const [x, y] = placed;
      const key = keyOf(placed);
      if (!drawn.has(key)) drawn.set(key, tiles.appendChild(layTile(placed, t)));
      const tile = drawn.get(key);
      const isLast = last.has(`${x},${y}`);
      tile.classList.toggle("last", isLast);
      tile.classList.toggle("fresh", isLast && known !== null && !known.has(key));
      if (isLast) tiles.append(tile); // so that nothing covers its frame
    }
  }

  function describe(view) {
    const scores = view.players
      .filter((seat) => seat.score !== null)
      .map((seat) => t("has_points", { name: seat.name, points: seat.score }));
    const turn = view.players.find((seat) => seat.turn);
    const last = new Set(view.board.last.map(String));
    const laid = view.board.tiles
      .filter(([x, y]) => last.has(`${x},${y}`))
      .map(([x, y, color, shape]) => t("tile_at", { tile: kindText(color, shape, t), x, y }));
    return [
      `${scores.join(", ")}.`,
      turn ? t("to_move", { name: turn.name }) : "",
      t("on_board", { count: view.board.tiles.length, bag: view.board.bag }),
      laid.length ? t("last_laid", { tiles: laid.join("; ") }) : "",
    ]
      .filter(Boolean)
      .join(" ");
  }

  return { element, show, describe };
}

/** A player's hand: its tiles afterwards, and how many there are meanwhile. */
export function playerExtras(seat, view, scenery, t) {
  if (seat.gone) return null;
  const { hand, tiles } = seat.own;
  const text = hand
    ? hand.map((kind) => kindText(...kind, t)).join(", ") || t("no_tiles")
    : t("holds", { count: tiles });
  return el(
    "div",
    { class: "qwirkle-extras", title: text },
    el("span", { class: "unseen" }, text),
    drawHand(hand, tiles),
  );
}

function kindText(color, shape, t) {
  const word = shapeWord(shape);
  const kind = kindName(color, shape);
  return word ? t("tile_name", { kind, shape: t(word) }) : kind;
}

function keyOf([x, y, color, shape]) {
  return `${x},${y},${color},${shape}`;
}

function layTile([x, y, color, shape], t) {
  const tile = drawTile(color, shape, { "data-at": `${x},${y}` });
  tile.prepend(svg("title", {}, t("tile_at", { tile: kindText(color, shape, t), x, y })));
  tile.append(svg("rect", { class: "frame", x: -47, y: -47, width: 94, height: 94, rx: 13 }));
  // Placed by an outer group: what moves the tile itself belongs to style sheets.
  return svg("g", { class: "place", transform: `translate(${x * CELL} ${-y * CELL})` }, tile);
}

/** The part of the plane that is shown; y grows upwards. */
function areaOf(tiles) {
  const xs = tiles.map(([x]) => x);
  const ys = tiles.map(([, y]) => y);
  const [left, columns] = stretch(xs, LEAST.columns);
  const [bottom, rows] = stretch(ys, LEAST.rows);
  return { left, bottom, columns, rows, top: bottom + rows - 1 };
}

function stretch(numbers, least) {
  const first = numbers.reduce((a, b) => Math.min(a, b), 0) - MARGIN;
  const last = numbers.reduce((a, b) => Math.max(a, b), 0) + MARGIN;
  const missing = Math.max(0, least - (last - first + 1));
  return [first - Math.ceil(missing / 2), last - first + 1 + missing];
}

function drawGround(ground, { left, top, columns, rows }) {
  const x = (left - 0.5) * CELL;
  const y = -(top + 0.5) * CELL;
  const [width, height] = [columns * CELL, rows * CELL];
  const lines = [
    ...Array.from({ length: columns - 1 }, (_, n) => `M${x + (n + 1) * CELL} ${y}v${height}`),
    ...Array.from({ length: rows - 1 }, (_, n) => `M${x} ${y + (n + 1) * CELL}h${width}`),
  ];
  clear(ground).append(
    svg("rect", { class: "felt", x, y, width, height, rx: 30 }),
    svg("path", { class: "grid", d: lines.join("") }),
    svg("path", { class: "origin", d: "M-14 0H14M0-14V14" }),
  );
}

/** Numbers at the left and lower edge, as clients count. */
function drawAxes(axes, { left, bottom, columns, rows }) {
  const x = (left - 0.5) * CELL;
  const y = -(bottom - 0.5) * CELL;
  clear(axes).append(
    ...Array.from({ length: columns }, (_, n) =>
      svg("text", { x: (left + n) * CELL, y: y - 12, "text-anchor": "middle" }, left + n),
    ),
    ...Array.from({ length: rows - 1 }, (_, n) =>
      svg("text", { x: x + 12, y: -(bottom + n + 1) * CELL + 9 }, bottom + n + 1),
    ),
  );
}

/** Below the board: how many tiles are in the bag, and afterwards which, in drawing order. */
function drawBag(bag, board, { left, bottom, columns }, t) {
  const width = columns * CELL;
  const line = width / LINES;
  const x = (left - 0.5) * CELL;
  const y = -(bottom - 0.5) * CELL + line * 0.6;
  const kinds = board.next ?? [];
  const count = t("bag", { count: board.bag });
  const text = kinds.length > 1 ? `${count} (${t("bag_order")})` : count;
  const place = { x: x + line * 1.9, y: y + line * 0.97, "font-size": line * 0.62 };
  const sack = moved(x + line * 0.9, y + line * 0.75, line / 60);
  clear(bag).append(
    svg("path", { class: "sack", d: SACK, transform: sack }),
    svg("text", { ...place, "data-count": board.bag }, text),
  );
  const size = width / BAG_COLUMNS;
  const top = y + line * 1.7;
  kinds.forEach((kind, n) => {
    const column = x + ((n % BAG_COLUMNS) + 0.5) * size;
    const row = top + (Math.floor(n / BAG_COLUMNS) + 0.5) * size;
    const transform = moved(column, row, (size / CELL) * 0.96);
    bag.append(svg("g", { transform }, drawTile(...kind, { class: "in-bag" })));
  });
  return top + Math.ceil(kinds.length / BAG_COLUMNS) * size;
}

function moved(x, y, scale) {
  return `translate(${x} ${y}) scale(${scale})`;
}

const SACK = "M-12-26C-7-21 7-21 12-26L8-14C30-2 34 30 0 30C-34 30-30-2-8-14ZM-11-11H11";
