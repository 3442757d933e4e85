/** The colours that a team has chosen, made legible. */

const HEX = /^#[0-9a-f]{6}$/i;

/** Colours that are nearer than this are hard to tell apart from afar; black and white are 441 apart. */
const NEAR = 100;

/**
 * Sets the variables with which a style sheet paints the teams. If both have chosen much the same,
 * the right one wears its colours the other way round.
 * @param {SVGElement} board
 * @param {{primary: string, secondary: string}[]} teams left and right
 */
export function paint(board, [left, right]) {
  const [one, two] = [worn(left), worn(right)];
  dress(board, "left", one);
  dress(board, "right", distance(one.body, two.body) < NEAR ? { body: two.ring, ring: two.body } : two);
}

function worn({ primary, secondary }) {
  return { body: HEX.test(primary) ? primary : "#444444", ring: HEX.test(secondary) ? secondary : "#ffffff" };
}

function dress(board, side, { body, ring }) {
  board.style.setProperty(`--${side}`, body);
  board.style.setProperty(`--${side}-ring`, ring);
  board.style.setProperty(`--${side}-ink`, inkOn(body));
}

function distance(one, other) {
  const parts = [channels(one), channels(other)];
  return Math.hypot(...parts[0].map((value, index) => value - parts[1][index]));
}

function channels(colour) {
  return [1, 3, 5].map((start) => parseInt(colour.slice(start, start + 2), 16));
}

/** Black or white, whichever is easier to read on a colour: the better one always has 4.5 : 1. */
function inkOn(colour) {
  const light = luminance(colour);
  return (light + 0.05) / 0.05 > 1.05 / (light + 0.05) ? "#000000" : "#ffffff";
}

/** As WCAG defines it. @param {string} colour "#rrggbb" */
function luminance(colour) {
  const parts = channels(colour).map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
}
