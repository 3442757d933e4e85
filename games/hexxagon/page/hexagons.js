/** Where the tiles lie: column by column, each from top to bottom, as they are numbered. */

const RADIUS = 4;

/** From the middle of a hexagon to its corners. */
export const SIDE = 50;
const HEIGHT = (Math.sqrt(3) / 2) * SIDE;

/** @type {{tile: number, q: number, r: number, x: number, y: number}[]} in the order of their numbers */
export const TILES = [];

for (let q = -RADIUS; q <= RADIUS; q++) {
  for (let r = Math.max(-RADIUS, -RADIUS - q); r <= Math.min(RADIUS, RADIUS - q); r++) {
    TILES.push({ tile: TILES.length + 1, q, r, x: 1.5 * SIDE * q, y: HEIGHT * (2 * r + q) });
  }
}

/** The middle of a tile. @param {number} tile */
export const place = (tile) => TILES[tile - 1];

/** How many steps lie between two tiles. */
export function distance(one, two) {
  const [q, r] = [place(one).q - place(two).q, place(one).r - place(two).r];
  return Math.max(Math.abs(q), Math.abs(r), Math.abs(q + r));
}

/** The corners of a hexagon, as `points` of a polygon. @param {number} [size] */
export function corners(size = SIDE) {
  return [0, 1, 2, 3, 4, 5]
    .map((n) => (n * Math.PI) / 3)
    .map((angle) => `${round(size * Math.cos(angle))},${round(size * Math.sin(angle))}`)
    .join(" ");
}

const EDGE = 14;
const [HALF_WIDTH, HALF_HEIGHT] = [
  (1.5 * RADIUS + 1) * SIDE + EDGE,
  (2 * RADIUS + 1) * HEIGHT + EDGE,
];

export const VIEW_BOX = [-HALF_WIDTH, -HALF_HEIGHT, 2 * HALF_WIDTH, 2 * HALF_HEIGHT].map(round).join(" ");

function round(number) {
  return Math.round(number * 100) / 100;
}
