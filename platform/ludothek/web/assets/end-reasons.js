/** Why matches have ended, in a list of matches of many games. */

import { reasonText } from "./events-text.js";
import frameWords from "./frame-words.js";
import { translator } from "./words.js";

const ADDRESS = (game) => `/games/${encodeURIComponent(game)}/words.js`;

/** Event: "loaded". Words that only a game has are loaded when one of its matches needs them. */
export class EndReasons extends EventTarget {
  #words = new Map(); // by game; null: not here, or not yet

  /** @param {{game: string, reason: string}} match */
  tell({ game, reason }) {
    if (translator(frameWords)(`reason.${reason}`) === `reason.${reason}`) this.#load(game);
    return reasonText(reason, translator(frameWords, this.#words.get(game) ?? {}));
  }

  async #load(game) {
    if (this.#words.has(game)) return;
    this.#words.set(game, null);
    try {
      this.#words.set(game, (await import(ADDRESS(game))).default);
      this.dispatchEvent(new CustomEvent("loaded"));
    } catch {
      // A game that is not served here any more: its reasons stay as they are.
    }
  }
}
