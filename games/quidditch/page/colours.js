/** The colours that a team has chosen, made legible. */

const HEX = /^#[0-9a-f]{6}$/i;

/** Sets the variables with which a style sheet paints a team. @param {SVGElement} board */
export function paint(board, side, { primary, secondary }) {
  const body = HEX.test(primary) ? primary : "#444444";
  const ring = HEX.test(secondary) ? secondary : "#ffffff";
  board.style.setProperty(`--${side}`, body);
  board.style.setProperty(`--${side}-ring`, ring);
  board.style.setProperty(`--${side}-ink`, inkOn(body));
}

/** Black or white, whichever is easier to read on a colour: the better one always has 4.5 : 1. */
export function inkOn(colour) {
  const light = luminance(colour);
  return (light + 0.05) / 0.05 > 1.05 / (light + 0.05) ? "#000000" : "#ffffff";
}

/** As WCAG defines it. @param {string} colour "#rrggbb" */
export function luminance(colour) {
  const parts = [1, 3, 5].map((start) => {
    const value = parseInt(colour.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
}
