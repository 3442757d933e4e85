/** The language of the page, and texts in it. */

import { keep, kept } from "./kept.js";

export const LANGUAGES = ["en", "de"];
const KEPT_AS = "language";

// They turn the direction of the text around them, which names and chat must not do.
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

// Letters that are read from right to left.
const LEFTWARDS = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

// What a lobby is called that nobody has named: by some games, or by the server instead of a key.
const RANDOM = /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{10})$/i;

// {name}, or {name|one|many}: the word for one of them or for another number.
const HOLE = /\{(\w+)(?:\|([^|{}]*)\|([^{}]*))?\}/g;

const listeners = new Set();

/** The language that was chosen here, or the browser's, or English. */
export function language() {
  const wanted = [kept(KEPT_AS), ...navigator.languages];
  const found = wanted.map((each) => each?.slice(0, 2)).find((each) => LANGUAGES.includes(each));
  return found ?? LANGUAGES[0];
}

/** Keeps a choice, and has everything drawn again that was drawn in another language. */
export function setLanguage(chosen) {
  keep(KEPT_AS, chosen);
  for (const listener of listeners) listener(chosen);
}

/** Calls the listener whenever the language has changed. */
export function onLanguage(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A text of somebody else, without what would turn the direction of ours. */
export function plain(text) {
  return String(text ?? "").replace(DIRECTIONS, "");
}

/** The same within a sentence of ours, which goes on from left to right whatever comes. */
function within(text) {
  const told = plain(text);
  return LEFTWARDS.test(told) ? `\u2068${told}\u2069` : told;
}

/** A name that tells people something, which a random number does not; else nothing. */
export function telling(name) {
  return RANDOM.test(name) ? "" : plain(name);
}

/**
 * @param {...Record<string, Record<string, string>>} tables texts by language and key; later ones win
 * @returns {(key: string, values?: Record<string, unknown>) => string} fills `{name}` in a text, and
 *   `{name|move|moves}` by number; a value with a key of its own, as `what`, is put into words first,
 *   and so are those in a list; a key without a text stands for itself
 */
export function translator(...tables) {
  const texts = Object.assign({}, ...tables.map((table) => table[language()]));
  const word = (value) => {
    if (Array.isArray(value)) return value.map(word).join(", ");
    return value?.what === undefined ? within(value) : t(value.what, value);
  };
  const t = (key, values = {}) =>
    (Object.hasOwn(texts, key) ? texts[key] : key).replace(HOLE, (hole, name, one, many) => {
      if (!Object.hasOwn(values, name)) return hole;
      const value = values[name];
      if (one === undefined) return word(value);
      return Number(value) === 1 ? one : many;
    });
  return t;
}
