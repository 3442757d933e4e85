/** The list of everything that happened. A click goes there. */

import { el } from "./dom.js";
import { sentences } from "./events-text.js";

// Browsers lay out only the groups that are seen, so thousands of lines cost nothing.
const GROUP = 60;
const HANDS_OFF = 4000; // milliseconds after somebody has scrolled

/** @param {import("./viewing.js").Viewing} viewing @param {Function} t */
export function createHappenings(viewing, t) {
  const box = el("div", { class: "scroller", tabindex: -1 });
  const none = el("p", { class: "muted small" }, t("viewer.happenings.none"));
  const loading = el("p", { class: "muted small", id: "loading", role: "status" }, t("viewer.loading"));
  const element = el(
    "section",
    { class: "happenings", id: "happenings", "aria-labelledby": "happenings-title" },
    el("h2", { id: "happenings-title" }, t("viewer.happenings")),
    loading,
    none,
    box,
  );
  let lines = []; // {n, move, link} in order
  let listed = 0; // positions that are in the list, from the first one
  let current = null;
  let touched = -Infinity;
  for (const each of ["wheel", "touchmove", "pointerdown"]) {
    box.addEventListener(each, () => (touched = performance.now()), { passive: true });
  }
  box.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-n]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    touched = -Infinity;
    viewing.goToNumber(Number(link.dataset.n));
  });

  function append(position) {
    const texts = sentences(position.told, t);
    if (texts.length === 0) return;
    const { move } = position.view;
    const news = move !== (lines.at(-1)?.move ?? 0);
    if (lines.length % GROUP === 0) box.append(group(move, t));
    const link = line(position.n, news ? move : "", texts);
    box.lastChild.append(el("li", {}, link));
    lines.push({ n: position.n, move, link });
  }

  function mark() {
    const wanted = lines[lastUpTo(lines, viewing.position?.n ?? -1)]?.link ?? null;
    if (wanted === current) return;
    current?.removeAttribute("aria-current");
    current?.setAttribute("tabindex", "-1");
    current = wanted;
    current?.setAttribute("aria-current", "true");
    current?.setAttribute("tabindex", "0");
    if (current && performance.now() - touched > HANDS_OFF) reveal(current);
  }

  // Once more when the groups around it have been laid out, whose heights were guesses before.
  function reveal(link) {
    scrollTo(box, link);
    requestAnimationFrame(() => link === current && scrollTo(box, link));
  }

  return {
    element,
    /** @param {"end" | "between"} where positions have come */
    extend(where) {
      if (where === "between") {
        box.replaceChildren();
        lines = [];
        listed = 0;
        current = null;
      }
      const { positions } = viewing.feed.timeline;
      for (; listed < positions.length; listed++) append(positions[listed]);
    },
    refresh() {
      loading.hidden = !viewing.feed.loading;
      none.hidden = lines.length > 0 || viewing.feed.loading;
      mark();
    },
  };
}

function group(move, t) {
  return el("ol", { class: "group", "aria-label": t("viewer.happenings.group", { n: move }) });
}

function line(n, move, texts) {
  return el(
    "a",
    { href: `#${n}`, "data-n": n, tabindex: -1 },
    el("span", { class: "move number" }, move),
    el("span", { class: "what" }, texts.join(" ")),
  );
}

function lastUpTo(lines, n) {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lines[middle].n <= n) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// Scrolls the list, never the page.
function scrollTo(box, link) {
  const outer = box.getBoundingClientRect();
  const inner = link.getBoundingClientRect();
  if (inner.top < outer.top || inner.bottom > outer.bottom) {
    box.scrollTop += inner.top - outer.top - outer.height / 2;
  }
}
