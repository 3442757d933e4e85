/** What happened, in words. */

/**
 * The sentences of a position.
 * @param {object[]} told events
 * @param {Function} t with the words of the game
 * @returns {string[]}
 */
export function sentences(told, t) {
  return told.map((event) => sentence(event, t)).filter(Boolean);
}

function sentence(event, t) {
  if (event.what === "began") return t("began", { players: event.players ?? [] });
  if (event.what === "ended") return endText(event, t);
  return t(event.what, event);
}

/** How a match ended, and why. @param {{winner?: string | null, reason?: string | null}} end */
export function endText({ winner, reason }, t) {
  const why = reasonText(reason, t);
  if (winner) return t("ended.won", { winner, why });
  return t(reason === "regular" ? "ended.draw" : "ended.void", { why });
}

/** @param {string | null | undefined} reason one word, of all games or of one */
export function reasonText(reason, t) {
  if (!reason) return "";
  const key = `reason.${reason}`;
  const text = t(key);
  return text === key ? t("reason.other", { reason: reason.replaceAll("_", " ") }) : text;
}
