/** The language of the page, and texts in it. */

const LANGUAGES = ["en", "de"];
const KEPT_AS = "language";

/** The language that was chosen here, or the browser's, or English. */
export function language() {
  const wanted = [localStorage.getItem(KEPT_AS), ...navigator.languages];
  const found = wanted.map((each) => each?.slice(0, 2)).find((each) => LANGUAGES.includes(each));
  return found ?? LANGUAGES[0];
}

/** Keeps a choice; it takes effect when the page is drawn again. */
export function setLanguage(chosen) {
  localStorage.setItem(KEPT_AS, chosen);
}

/**
 * @param {...Record<string, Record<string, string>>} tables texts by language and key; later ones win
 * @returns {(key: string, values?: Record<string, unknown>) => string} fills `{name}` in a text;
 *   a key without a text stands for itself
 */
export function translator(...tables) {
  const texts = Object.assign({}, ...tables.map((table) => table[language()]));
  return (key, values = {}) =>
    (Object.hasOwn(texts, key) ? texts[key] : key).replace(/\{(\w+)\}/g, (hole, name) =>
      Object.hasOwn(values, name) ? String(values[name] ?? "") : hole,
    );
}
