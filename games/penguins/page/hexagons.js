/** Where the fields lie: in rows, of which every other one is shifted by half a field. */

export const SIZE = 8;

/** From the middle of a hexagon to its corners. */
export const SIDE = 50;
const HALF_WIDTH = (Math.sqrt(3) / 2) * SIDE;
const ROW = 1.5 * SIDE;

/** The x of a field is doubled, as in the protocol, so that its neighbours in the row are at x ± 2. */
export const key = ([x, y]) => `${x}|${y}`;

/** The inverse of `key`. @param {string} text */
export const placeOf = (text) => text.split("|").map(Number);

/** The middle of a field. @param {[number, number]} coordinates */
export const middle = ([x, y]) => ({ x: round(x * HALF_WIDTH), y: y * ROW });

/** @type {{at: [number, number], x: number, y: number}[]} row by row */
export const FIELDS = Array.from({ length: SIZE * SIZE }, (_, n) => {
  const y = Math.floor(n / SIZE);
  const at = /** @type {[number, number]} */ ([2 * (n % SIZE) + (y % 2), y]);
  return { at, ...middle(at) };
});

/** What a field holds, by its coordinates. @param {string[]} rows */
export const signAt = (rows, [x, y]) => rows[y][x >> 1];

/** The outline of a hexagon with rounded corners. @param {number} size from the middle to a corner */
export function outline(size) {
  const corner = (n) => {
    const angle = ((n - 0.5) * Math.PI) / 3;
    return [size * Math.cos(angle), size * Math.sin(angle)];
  };
  const between = (one, two, share) => one.map((each, n) => round(each + share * (two[n] - each))).join(" ");
  return (
    [0, 1, 2, 3, 4, 5]
      .map((n) => [corner(n - 1), corner(n), corner(n + 1)])
      .map(([last, here, next], n) =>
        `${n ? "L" : "M"}${between(here, last, 0.22)}Q${between(here, here, 0)} ${between(here, next, 0.22)}`)
      .join("") + "Z"
  );
}

const numbers = (count) => Array.from({ length: count }, (_, n) => n);

/** Where the coordinates are written: above the columns and left of the rows. */
export const LABELS = [
  ...numbers(2 * SIZE).map((x) => ({ text: x, x: middle([x, 0]).x, y: -SIDE - 22 })),
  ...numbers(SIZE).map((y) => ({ text: y, x: -HALF_WIDTH - 24, y: y * ROW })),
];

/** The water around the ice, with room for the coordinates. */
export const SEA = {
  x: round(-HALF_WIDTH - 48),
  y: -SIDE - 48,
  width: round((2 * SIZE + 1) * HALF_WIDTH + 72),
  height: (SIZE - 1) * ROW + 2 * SIDE + 72,
};

export const VIEW_BOX = [SEA.x, SEA.y, SEA.width, SEA.height].join(" ");

function round(number) {
  return Math.round(number * 100) / 100;
}
