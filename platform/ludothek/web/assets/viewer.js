/** A match on the page: board, players, controls, the list of what happened. */

import { createAnnouncer } from "./announcer.js";
import { serverNow } from "./api.js";
import { createControls, keyAction } from "./controls.js";
import { el } from "./dom.js";
import { sentences } from "./events-text.js";
import { createHappenings } from "./happenings.js";
import { createPlayers } from "./players.js";
import { plain } from "./words.js";

const TICK = 100; // milliseconds

/**
 * The parts are elements of their own, so that each page can arrange them as it likes.
 *
 * @param {object} given
 * @param {import("./viewing.js").Viewing} given.viewing whose match is known
 * @param {object} given.kit from `loadGame`
 * @param {Function} given.t with the words of the frame, the viewer and the game
 * @param {boolean} [given.keys] whether arrow keys, Home, End and space go through the match
 * @returns {{board: object, boardBox: HTMLElement, players: HTMLElement, last: HTMLElement,
 *   controls: HTMLElement, happenings: HTMLElement, announcer: HTMLElement, close: () => void}}
 *   `board` is what the game's createBoard has made; `close` before another viewer is made
 */
export function createViewer({ viewing, kit, t, keys = true }) {
  const { scenery } = viewing.feed.match;
  const board = kit.createBoard(scenery, t);
  const undrawable = el("p", { class: "notice bad" }, t("viewer.undrawable"));
  const players = createPlayers((seat, view) => kit.playerExtras(seat, view, scenery, t), t);
  const controls = createControls(viewing, t);
  const happenings = createHappenings(viewing, t);
  const announcer = createAnnouncer();
  const last = el("p", { class: "last", id: "last" });
  const closing = new AbortController();
  let waiting = 0;
  let shown = null;

  function draw() {
    waiting = 0;
    const { position } = viewing;
    if (position && position !== shown) show(position);
    controls.refresh();
    happenings.refresh();
    tick();
  }

  function show(position) {
    shown = position;
    const { view } = position;
    undrawable.hidden = careful(() => {
      board.show(view, viewing.before?.view ?? null);
      board.element.setAttribute("aria-label", plain(board.describe(view)));
    });
    players.show(view);
    const text = sentences(position.told, t).join(" ");
    if (text || !viewing.following) last.textContent = text;
    announcer.say(text || t("move.number", { n: view.move }));
  }

  // However much happens, it is drawn once per frame.
  function soon() {
    waiting ||= requestAnimationFrame(draw);
  }

  function tick() {
    if (!shown) return;
    players.tick(shown.date, viewing.current ? serverNow() : shown.date);
  }

  const listen = (target, event, listener) =>
    target.addEventListener(event, listener, { signal: closing.signal });
  listen(viewing, "shown", soon);
  listen(viewing, "state", soon);
  listen(viewing, "listed", (event) => {
    happenings.extend(event.detail);
    soon();
  });
  if (keys) {
    listen(document, "keydown", (event) => {
      const action = keyAction(event);
      if (!action) return;
      event.preventDefault();
      action(viewing);
    });
  }
  const ticking = setInterval(tick, TICK);
  happenings.extend("between");
  soon();

  return {
    board,
    boardBox: el("div", { class: "board-box", id: "board" }, board.element, undrawable),
    players: players.element,
    last,
    controls: controls.element,
    happenings: happenings.element,
    announcer: announcer.element,
    close() {
      closing.abort();
      clearInterval(ticking);
      cancelAnimationFrame(waiting);
      announcer.close();
    },
  };
}

/** A board that fails costs its picture, not the page. */
function careful(action) {
  try {
    action();
    return true;
  } catch (error) {
    console.error(error);
    return false;
  }
}
