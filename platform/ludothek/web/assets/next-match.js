/** The match that follows another one in the same lobby. */

import { ask } from "./api.js";
import { Stream } from "./stream.js";

/**
 * Calls back once, when the lobby of a match plays another one.
 * @param {{id: string, endpoint: string, lobby: string}} match
 * @param {(id: string) => void} found
 * @param {boolean} waiting whether it is worth waiting for
 * @returns {() => void} stops waiting
 */
export function awaitNext(match, found, waiting) {
  let stream = null;
  const look = (lobbies) => {
    const next = nextOf(match, lobbies);
    if (next === null) return false;
    stream?.close();
    found(next);
    return true;
  };
  ask("/api/matches")
    .then(({ lobbies }) => look(lobbies))
    .catch(() => {});
  if (waiting) stream = new Stream("/api/live", { lobbies: look });
  return () => stream?.close();
}

/** @returns {string | null} the id of a match */
function nextOf({ id, endpoint, lobby }, lobbies) {
  const same = lobbies.find((each) => each.endpoint === endpoint && each.lobby === lobby);
  return same?.match && same.match !== id ? same.match : null;
}
