/** Questions to the server. */

import { takeTold, toldAt } from "./told.js";

/** An answer that is none. */
export class Refused extends Error {
  /** @param {number} status 0: the server cannot be reached */
  constructor(status, message) {
    super(message);
    this.status = status;
  }

  /** Whether it may be different in a moment. */
  get passing() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }

  /** One sentence for people. */
  tell(t) {
    if (this.status === 0) return t("problem.network");
    return this.passing ? t("problem.busy") : t("problem.server", { message: this.message });
  }
}

/**
 * @param {string} path
 * @param {{signal?: AbortSignal}} [options]
 * @returns {Promise<any>}
 * @throws {Refused}
 */
export async function ask(path, options = {}) {
  const known = takeTold(path);
  if (known !== undefined) return known;
  let answer;
  try {
    answer = await fetch(path, { headers: { Accept: "application/json" }, ...options });
    heard(answer.headers.get("Date"));
    if (answer.ok) return await answer.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(0, error.message);
  }
  const told = await answer.json().catch(() => ({}));
  throw new Refused(answer.status, told.error ?? `${answer.status} ${answer.statusText}`);
}

// How far the server's clock is ahead of ours. Whatever it says was written before we read it, so
// each date is a lower bound, and the highest is nearest to the truth.
let ahead = toldAt === null ? -Infinity : toldAt - Date.now() / 1000;

function heard(header) {
  const date = Date.parse(header ?? "");
  if (!Number.isNaN(date)) witness(date / 1000);
}

/** Learns from a date that the server has just sent. @param {number} date seconds */
export function witness(date) {
  ahead = Math.max(ahead, date - Date.now() / 1000);
}

/** What the server's clock shows now, in seconds. */
export function serverNow() {
  return Date.now() / 1000 + (Number.isFinite(ahead) ? ahead : 0);
}
