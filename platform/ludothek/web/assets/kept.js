/** Choices that this browser keeps. Where it keeps nothing, they last as long as the page. */

const here = new Map();

/** @returns {string | null} */
export function kept(name) {
  if (here.has(name)) return here.get(name);
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string | null} value null: forget it */
export function keep(name, value) {
  here.set(name, value);
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // Kept by this page only.
  }
}
