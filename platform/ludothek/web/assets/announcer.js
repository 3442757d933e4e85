/** Tells screen readers what happens, politely: the newest, and not more than they can say. */

import { el } from "./dom.js";

const PAUSE = 3000; // milliseconds between two announcements

export function createAnnouncer() {
  const element = el("p", { class: "unseen", id: "announcer", role: "status", "aria-live": "polite" });
  let timer = 0;
  let saidAt = -Infinity;
  let next = "";
  const speak = () => {
    timer = 0;
    saidAt = performance.now();
    if (element.textContent !== next) element.textContent = next;
  };
  return {
    element,
    /** @param {string} text */
    say(text) {
      next = text;
      if (timer === 0) timer = setTimeout(speak, Math.max(100, saidAt + PAUSE - performance.now()));
    },
    close() {
      clearTimeout(timer);
    },
  };
}
