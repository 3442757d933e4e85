/** What stands above and below a course: its name, how far a round is, what the shop sells. */

import { clear, svg } from "/assets/svg.js";
import { spaced } from "./extras.js";
import { CELL } from "./grid.js";

/** Room around the course, for numbers. */
export const MARGIN = 42;
/** So many lines of text would be as high as the course is wide: it stays legible on a phone. */
const LINES = 26;
/** Of these, this many are above the course, and this many below. */
const ABOVE = 1.7;
const BELOW = 1.7;
/** So many of them fill a line below the course. */
const CHARACTERS = 78;
/** Of the course's name, as many as fit beside the round. */
const NAME = 24;
const REGISTERS = [1, 2, 3, 4, 5];

/** The part of the plane that holds a course and its captions. */
export function viewBox({ width, height }) {
  const line = lineOf(width);
  const top = -MARGIN - line * ABOVE;
  const bottom = height * CELL + MARGIN + line * BELOW;
  return `${-MARGIN} ${top} ${width * CELL + 2 * MARGIN} ${bottom - top}`;
}

/** How far a round is, in words. */
export function moment(board, t) {
  const parts = [t("round", { round: board.round }), t(board.phase)];
  if (board.register) parts.push(t("register", { register: board.register }));
  if (board.timer) parts.push(t("timer_runs"));
  return parts.join(" · ");
}

export function drawHeading(heading, { name, width }, board, t) {
  const line = lineOf(width);
  const y = -MARGIN - line * 0.55;
  const size = line * 0.62;
  const right = width * CELL;
  const pips = board.phase === "activation" ? REGISTERS : [];
  const end = right - pips.length * size * 1.05;
  clear(heading).append(
    svg("text", { class: "name", x: 0, y, "font-size": line * 0.8 }, shortened(name)),
    svg("text", { class: "moment", x: end, y, "font-size": size }, moment(board, t)),
    ...pips.map((register) =>
      svg("circle", {
        class: `pip ${pipState(register, board.register)}`,
        cx: right - (REGISTERS.length - register + 0.5) * size,
        cy: y - size * 0.33,
        r: size * 0.33,
      }),
    ),
  );
}

/** What the shop sells, in as many lines as it takes. */
export function drawShop(shop, { width, height }, board, t) {
  const line = lineOf(width);
  const top = height * CELL + MARGIN;
  const names = board.shop.map((name) => `${spaced(name)} ·`);
  const texts = names.length ? wrapped([`${t("shop")}:`, ...names]) : [];
  clear(shop).append(
    ...texts.map((text, n) => {
      const y = top + line * (0.7 + 0.75 * n);
      return svg("text", { x: 0, y, "font-size": line * 0.55 }, text.replace(/ ·$/, ""));
    }),
  );
}

function lineOf(width) {
  return (width * CELL) / LINES;
}

function pipState(register, present) {
  if (register === present) return "current";
  return register < present ? "past" : "open";
}

/** Courses from files have names of any length. */
function shortened(name) {
  return name.length > NAME ? `${name.slice(0, NAME - 1)}…` : name;
}

function wrapped(words) {
  const lines = [""];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (longer.length <= CHARACTERS) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
