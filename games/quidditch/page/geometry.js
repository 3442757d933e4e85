/** Where everything is on the board, in units of the drawing: 40 to a cell, 0|0 at the first one. */

export const CELL = 40;
const SCOREBOARD = 116; // height
const MARGIN = 76; // for the fans, left and right
const FOOT = 18;

/** @typedef {[number, number]} Place */

/** The whole drawing. @param {{width: number, height: number}} pitch */
export function frame({ width, height }) {
  const [wide, high] = [width * CELL + 2 * MARGIN, height * CELL + SCOREBOARD + FOOT];
  return { left: -MARGIN, top: -SCOREBOARD, width: wide, height: high, right: wide - MARGIN };
}

/** The middle of a cell. @param {Place} place @returns {Place} */
export function middle([x, y]) {
  return [(x + 0.5) * CELL, (y + 0.5) * CELL];
}

/** All cells as one path. @param {Place[]} cells */
export function area(cells) {
  return cells.map(([x, y]) => `M${x * CELL} ${y * CELL}h${CELL}v${CELL}h${-CELL}z`).join("");
}

/** The line around cells: every side on which there is no neighbour. @param {Place[]} cells */
export function outline(cells) {
  const inside = new Set(cells.map(String));
  const sides = [
    [0, -1, (x, y) => `M${x} ${y}h${CELL}`],
    [0, 1, (x, y) => `M${x} ${y + CELL}h${CELL}`],
    [-1, 0, (x, y) => `M${x} ${y}v${CELL}`],
    [1, 0, (x, y) => `M${x + CELL} ${y}v${CELL}`],
  ];
  return cells
    .flatMap(([x, y]) =>
      sides
        .filter(([dx, dy]) => !inside.has(String([x + dx, y + dy])))
        .map(([, , line]) => line(x * CELL, y * CELL)),
    )
    .join("");
}

/** Mirrors a place of the left team for the right one. */
function mirrored([x, y], side, { width }) {
  return side === "left" ? [x, y] : [width * CELL - x, y];
}

/** The seat of a fan, on a curve around the goals. @param {number} number of seven @returns {Place} */
export function seat(side, number, pitch) {
  const [x, y] = [(pitch.width * CELL) / 2, (pitch.height * CELL) / 2];
  const down = (number - 3) * 57;
  const across = 392 * Math.sqrt(1 - (down / 330) ** 2);
  return mirrored([x - across, y + down], side, pitch);
}

/** Where a banned player sits: the corner above its own goals. @returns {Place} */
export function bench(side, number, pitch) {
  const [column, row] = [number % 4, Math.floor(number / 4)];
  return mirrored([-54 + column * 37, 12 + row * 37], side, pitch);
}

// Around a player there is room for four balls; they never hide who it is.
const CORNERS = {
  quaffle: [12, 12],
  snitch: [12, -12],
  bludger1: [-12, -12],
  bludger2: [-12, 12],
};

/** Where a ball is drawn on its cell, alone in the middle or beside others. @returns {Place} */
export function ballPlace(name, place, alone) {
  const [x, y] = middle(place);
  return alone ? [x, y] : [x + CORNERS[name][0], y + CORNERS[name][1]];
}
