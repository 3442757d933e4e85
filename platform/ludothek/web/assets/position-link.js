/** The position in the address of the page: `/m/ID#42`. */

const REST = 250; // milliseconds; browsers refuse addresses that change all the time

/** @returns {number | null} */
export function linked(hash = location.hash) {
  const found = /^#(\d{1,9})$/.exec(hash);
  return found ? Number(found[1]) : null;
}

/** Keeps address and place the same. @param {import("./viewing.js").Viewing} viewing */
export function keepLinked(viewing) {
  let timer = 0;
  viewing.addEventListener("shown", () => {
    timer ||= setTimeout(() => {
      timer = 0;
      const hash = viewing.following ? "" : `#${viewing.position.n}`;
      if (hash !== location.hash) history.replaceState(null, "", location.pathname + hash);
    }, REST);
  });
  window.addEventListener("hashchange", () => {
    const n = linked();
    if (n !== null) viewing.goToNumber(n);
  });
}

/** A link to what is seen now, also if it is the newest position. */
export function linkTo({ position }) {
  return location.origin + location.pathname + (position ? `#${position.n}` : "");
}
