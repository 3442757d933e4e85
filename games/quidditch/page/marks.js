/** What has just happened on the pitch: from where to where everything has gone. */

import { svg } from "/assets/svg.js";
import { CELL, middle } from "./geometry.js";

const GAP = 17; // between an arrow and the middles of its cells
const HEAD = 9;

/**
 * @param {{type: string, old: number[] | null, new: number[]}[]} last
 * @returns {SVGElement[]}
 */
export function marks(last) {
  return last.flatMap(({ type, old, new: target }) => {
    const moved = old !== null && String(old) !== String(target);
    return [
      moved && mark(old, "old"),
      mark(target, "new"),
      ...(moved ? arrow(middle(old), middle(target), type) : []),
    ].filter(Boolean);
  });
}

function mark(place, which) {
  const [x, y] = place.map((each) => each * CELL + 2);
  const size = CELL - 4;
  return svg("rect", { class: `mark ${which}`, "data-at": place.join("|"), x, y, width: size, height: size, rx: 7 });
}

function arrow([x, y], [toX, toY], type) {
  const length = Math.hypot(toX - x, toY - y);
  const [dx, dy] = [(toX - x) / length, (toY - y) / length];
  const start = [x + dx * GAP, y + dy * GAP];
  const end = [toX - dx * GAP, toY - dy * GAP];
  const wings = [1, -1].map((turn) => [
    end[0] - dx * HEAD + turn * dy * HEAD * 0.6,
    end[1] - dy * HEAD - turn * dx * HEAD * 0.6,
  ]);
  const d = `M${text(start)}L${text(end)}M${text(wings[0])}L${text(end)}L${text(wings[1])}`;
  return ["arrow casing", `arrow ${type}`].map((name) => svg("path", { class: name, d }));
}

function text(point) {
  return point.map((each) => each.toFixed(1)).join(" ");
}
