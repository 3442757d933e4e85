/** What organisers ask of the server; changes carry the token that other pages cannot know. */

import { ask } from "./api.js";

const ROOT = "/api/organiser";
let token = "";

/** Who is logged in. @throws {Refused} if nobody is */
export async function whoAmI() {
  ({ token } = await ask(`${ROOT}/me`));
}

export const look = (path) => ask(ROOT + path);

export const act = (path, body = {}) =>
  ask(ROOT + path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Ludothek-Token": token },
    body: JSON.stringify(body),
  });

/** Exchanges the secret of a link for a cookie. */
export async function logIn(key) {
  ({ token } = await act("/login", { key }));
}

/** The path of a lobby or a client, whose id is like `hexxagon/1`. */
export function pathOf(kind, id) {
  const [game, ...key] = id.split("/");
  return `/${kind}/${encodeURIComponent(game)}/${encodeURIComponent(key.join("/"))}`;
}

export const liveAddress = (path) => ROOT + path;
