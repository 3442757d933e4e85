/** Places and directions on a course: x grows to the right, y upwards, as in the protocol. */

/** The side of a cell. */
export const CELL = 100;

const DIRECTIONS = ["up", "right", "down", "left"];
const VECTORS = [[0, 1], [1, 0], [0, -1], [-1, 0]];

/** Degrees clockwise from up. */
export function degrees(direction) {
  return DIRECTIONS.indexOf(direction) * 90;
}

/** The cell that lies so many steps from another one. */
export function step([x, y], direction, steps) {
  const [dx, dy] = VECTORS[DIRECTIONS.indexOf(direction)];
  return [x + dx * steps, y + dy * steps];
}

/** The middle of a cell in the drawing of a course that is so many cells high. */
export function middle([x, y], height) {
  return [(x + 0.5) * CELL, (height - y - 0.5) * CELL];
}

/** The attribute that moves what is drawn around (0, 0), pointing up, to its place. */
export function placed(at, height, direction = "up") {
  const [x, y] = middle(at, height);
  const turn = degrees(direction);
  return `translate(${x} ${y})${turn ? ` rotate(${turn})` : ""}`;
}
