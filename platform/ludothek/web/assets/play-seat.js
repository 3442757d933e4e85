/** The seat that this window has in a game, so that a reload does not lose it. */

/** At the end of an address: play at once, with the usual choices. */
export const NOW = "#now";

const key = (game) => `play.seat.${game}`;

/** @returns {{token: string, wish: object | null} | null} wish: what was chosen for that game */
export function keptSeat(game) {
  try {
    return JSON.parse(sessionStorage.getItem(key(game)));
  } catch {
    return null;
  }
}

/** @param {{token: string, wish: object | null} | null} seat null: forget it */
export function keepSeat(game, seat) {
  try {
    if (seat === null) sessionStorage.removeItem(key(game));
    else sessionStorage.setItem(key(game), JSON.stringify(seat));
  } catch {
    // Then it lasts as long as the page.
  }
}
