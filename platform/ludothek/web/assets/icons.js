/** The small pictures on buttons, drawn in the colour of the text. */

import { svg } from "./svg.js";

const PATHS = {
  first: "M6 5v14M19 5l-9 7 9 7z",
  back: "M16 5l-9 7 9 7z",
  play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  forward: "M8 5l9 7-9 7z",
  last: "M18 5v14M5 5l9 7-9 7z",
  live: "M12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM6.5 6.5a7.8 7.8 0 0 0 0 11M17.5 6.5a7.8 7.8 0 0 1 0 11",
  link: "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1-1",
  copy: "M9 9h10v10H9zM5 15V5h10",
  done: "M5 13l4 4L19 7",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  screen: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  light: "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2",
  dark: "M19 14.5A8 8 0 0 1 9.5 5a8 8 0 1 0 9.5 9.5z",
  auto: "M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM12 4v16M12 8h6M12 12h8M12 16h6",
  crown: "M4 18h16M4 15l-1-8 5 4 4-6 4 6 5-4-1 8z",
  turn: "M9 6l7 6-7 6z",
};

/** Filled where an outline would look thin. */
const SOLID = new Set(["first", "back", "play", "forward", "last", "turn", "crown"]);

/** @param {keyof PATHS} name */
export function icon(name) {
  return svg(
    "svg",
    { class: SOLID.has(name) ? "icon solid" : "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("path", { d: PATHS[name] }),
  );
}
