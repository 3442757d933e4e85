/** Why a game of a tournament ended as it did. */

import { plain } from "./words.js";

/**
 * One sentence for each entrant who has done something wrong.
 * @param {{seats: string[], reasons: string[]}} game
 * @param {Function} t with the words of tournaments
 * @returns {string[]}
 */
export function faults({ seats, reasons }, t) {
  return reasons.flatMap((reason, seat) => (reason === "regular" ? [] : [fault(seats[seat], reason, t)]));
}

function fault(name, reason, t) {
  const key = `tournament.reason.${reason}`;
  const text = t(key, { name });
  return text === key ? t("tournament.reason.other", { name, reason }) : text;
}

/** The seats of those who have won: nobody else was as good. @returns {Set<number>} */
export function winners({ shares }) {
  const best = Math.max(...shares);
  const found = shares.flatMap((share, seat) => (share === best ? [seat] : []));
  return new Set(found.length === 1 ? found : []);
}

/** "Ada – Alan" */
export function namesOf({ seats }) {
  return seats.map(plain).join(" – ");
}
