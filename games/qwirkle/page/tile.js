/** A tile: a shape in a colour, and a letter for those who cannot tell colours apart. */

import { svg } from "/assets/svg.js";

/** The side of a cell. */
export const CELL = 100;

/** There are classes for this many colours in board.css; others are computed. */
const STYLED = 12;
const LETTERS = 26;
// Neighbours differ most if each hue is this many degrees from the one before.
const GOLDEN_ANGLE = 137.508;

/** The shapes, around (0, 0); each is told from all others by its outline. */
const SHAPES = [
  { name: "circle", path: "M0-31A31 31 0 0 1 0 31A31 31 0 0 1 0-31Z" },
  { name: "square", path: polygon([[-27, -27], [27, -27], [27, 27], [-27, 27]]) },
  { name: "diamond", path: polygon([[0, -37], [30, 0], [0, 37], [-30, 0]]) },
  { name: "star", path: star(4, 38, 12) },
  { name: "sun", path: star(8, 37, 23) },
  { name: "clover", path: clover() },
  { name: "triangle", path: polygon([[0, -34], [34, 27], [-34, 27]]) },
  { name: "hexagon", path: star(3, 34, 34, 30) },
  { name: "plus", path: plus() },
  { name: "moon", path: "M14-32A33 33 0 1 0 14 32A25 25 0 1 1 14-32Z" },
  { name: "heart", path: "M0 33C-58-6-26-46 0-17C26-46 58-6 0 33Z" },
  { name: "hourglass", path: "M-30-33H30L7 0L30 33H-30L-7 0Z" },
];

/** The letter of a colour, as in pictures for the terminal. */
function colorLetter(color) {
  return color < LETTERS ? String.fromCharCode("A".charCodeAt(0) + color) : `${color}.`;
}

/** A short name, such as A3: colour 0, shape 3. */
export function kindName(color, shape) {
  return `${colorLetter(color)}${shape}`;
}

/** The key of words.js for a shape; null if it is known by its number only. */
export function shapeWord(shape) {
  return SHAPES[shape] ? `shape_${SHAPES[shape].name}` : null;
}

/**
 * A tile with its middle at (0, 0).
 * @returns {SVGElement} a group
 */
export function drawTile(color, shape, attributes = {}) {
  const { class: extra, ...others } = attributes;
  const tile = svg(
    "g",
    { ...others, class: `tile ${extra ?? ""}`.trim(), "data-color": color, "data-shape": shape },
    svg("rect", { class: "wood", x: -47, y: -47, width: 94, height: 94, rx: 13 }),
    svg("rect", { class: "sheen", x: -43.5, y: -43.5, width: 87, height: 87, rx: 10 }),
    symbol(shape),
    svg("text", { class: "letter", x: -41, y: -22 }, colorLetter(color)),
  );
  if (color < STYLED) tile.classList.add(`color-${color}`);
  else tile.style.setProperty("--tile", `hsl(${(color * GOLDEN_ANGLE) % 360} 85% 68%)`);
  return tile;
}

function symbol(shape) {
  const known = SHAPES[shape];
  if (known) return svg("path", { class: "symbol", d: known.path });
  const size = shape < 100 ? 46 : 34;
  return svg("text", { class: "symbol number", "font-size": size, y: size * 0.36 }, shape);
}

/** Tiles in a row, for a hand; `count` of them face down if the kinds are not known. */
export function drawHand(kinds, count) {
  const tiles = kinds ?? Array.from({ length: count }, () => null);
  const step = CELL;
  return svg(
    "svg",
    {
      class: "qwirkle-hand",
      viewBox: `0 0 ${Math.max(tiles.length, 1) * step} ${CELL}`,
      "data-count": tiles.length,
      "aria-hidden": "true",
    },
    ...tiles.map((kind, n) => {
      const transform = `translate(${n * step + CELL / 2} ${CELL / 2})`;
      return kind ? drawTile(...kind, { transform }) : drawBack({ transform });
    }),
  );
}

function drawBack(attributes) {
  return svg(
    "g",
    { ...attributes, class: "tile back" },
    svg("rect", { class: "wood", x: -47, y: -47, width: 94, height: 94, rx: 13 }),
    svg("path", { class: "weave", d: star(4, 26, 9) }),
  );
}

// Outlines

function polygon(points) {
  return `M${points.map((point) => point.join(" ")).join("L")}Z`;
}

/** Points that lie on two circles in turn. */
function star(points, outer, inner, turned = 0) {
  const corners = Array.from({ length: 2 * points }, (_, n) => {
    const angle = ((n * 180) / points + turned - 90) * (Math.PI / 180);
    const radius = n % 2 ? inner : outer;
    return [Math.cos(angle) * radius, Math.sin(angle) * radius].map((at) => at.toFixed(2));
  });
  return polygon(corners);
}

function clover() {
  const leaves = [[0, -19], [19, 0], [0, 19], [-19, 0]].map(([x, y]) => disc(x, y, 17));
  return `${leaves.join("")}M-14-14H14V14H-14Z`;
}

function disc(x, y, radius) {
  const half = `a${radius} ${radius} 0 1 1`;
  return `M${x - radius} ${y}${half} ${2 * radius} 0${half} ${-2 * radius} 0Z`;
}

function plus() {
  const [arm, end] = [12, 34];
  const corners = [[-arm, -end], [arm, -end], [arm, -arm], [end, -arm], [end, arm], [arm, arm]];
  return polygon([...corners, ...corners.map(([x, y]) => [-x, -y])]);
}
