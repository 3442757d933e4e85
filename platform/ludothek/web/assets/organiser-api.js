/** What organisers ask of the server, with the token that other pages cannot know. */

import { ask } from "./api.js";
import { keep, kept } from "./kept.js";

const ROOT = "/api/organiser";
// Browsers keep them for this port only, other than the cookie.
const TOKEN = "organiser.token";
const LIVE = "organiser.live"; // for streams, which have no headers of ours

/** Whether this browser is logged in. @throws {Refused} */
export async function isLoggedIn() {
  const me = await ask(`${ROOT}/me`);
  return me.session !== null && kept(TOKEN) !== null;
}

const headers = () => ({ "Content-Type": "application/json", "X-Ludothek-Token": kept(TOKEN) ?? "" });

export const look = (path) => ask(ROOT + path, { headers: headers() });

export const act = (path, body = {}) =>
  ask(ROOT + path, {
    method: "POST",
    headers: headers(),
    body: JSON.stringify(body),
  });

/** Exchanges the secret of a link for a cookie. */
export async function logIn(key) {
  const { token, live } = await act("/login", { key });
  keep(TOKEN, token);
  keep(LIVE, live);
}

/** Also forgets what was only good for that session. */
export async function logOut() {
  await act("/logout").catch(() => {});
  keep(TOKEN, null);
  keep(LIVE, null);
}

/** Game and key of an id like `hexxagon/1`; a key may contain slashes. */
export function partsOf(id) {
  const [game, ...key] = id.split("/");
  return [game, key.join("/")];
}

/** The key of a lobby or a client, without its game. */
export const keyOf = (id) => partsOf(id)[1];

/** The path of a lobby or a client. @param {"lobbies" | "clients"} kind */
export function pathOf(kind, id) {
  return `/${kind}/${partsOf(id).map(encodeURIComponent).join("/")}`;
}

/** @param {Record<string, string>} [query] */
export const liveAddress = (path, query = {}) =>
  `${ROOT}${path}?${new URLSearchParams({ ...query, live: kept(LIVE) ?? "" })}`;
