/** Which ended matches are shown, page by page; kept in the address. */

import { ask } from "./api.js";

const PAGE = 50;

/** Events: "change" */
export class EndedSearch extends EventTarget {
  matches = [];
  /** Where older ones begin; null: there are none. */
  next = null;
  /** Whether an answer has come. */
  known = false;
  #asking = null;

  constructor() {
    super();
    const given = new URLSearchParams(location.search);
    this.player = given.get("player") ?? "";
    this.game = given.get("game") ?? "";
  }

  get filtered() {
    return this.player !== "" || this.game !== "";
  }

  /** @param {{player?: string, game?: string}} wanted */
  search(wanted) {
    Object.assign(this, wanted);
    const query = this.#query();
    history.replaceState(null, "", location.pathname + (query.size ? `?${query}` : ""));
    return this.load();
  }

  load() {
    return this.#ask(null);
  }

  /** Shows the newest matches, which somebody else has asked for. @param {{ended: object[], next: number | null}} told */
  take({ ended, next }) {
    this.#asking?.abort();
    this.#show(ended, next);
  }

  more() {
    return this.#ask(this.next);
  }

  /** Adds a match that has just ended, if it fits. */
  add(match) {
    if (!fits(match, this) || this.matches.some((each) => same(each, match))) return;
    this.matches = [match, ...this.matches];
    this.#tell();
  }

  async #ask(before) {
    this.#asking?.abort();
    this.#asking = new AbortController();
    const query = this.#query();
    query.set("limit", String(PAGE));
    if (before !== null) query.set("before", before);
    try {
      const found = await ask(`/api/ended?${query}`, { signal: this.#asking.signal });
      const matches = before === null ? found.matches : [...this.matches, ...found.matches];
      this.#show(matches, found.next);
    } catch (error) {
      if (error.name === "AbortError") return;
      throw error;
    }
  }

  #show(matches, next) {
    this.matches = matches;
    this.next = next;
    this.known = true;
    this.#tell();
  }

  #query() {
    const query = new URLSearchParams();
    if (this.player) query.set("player", this.player);
    if (this.game) query.set("game", this.game);
    return query;
  }

  #tell() {
    this.dispatchEvent(new CustomEvent("change"));
  }
}

/** Whether a match is one of those that were asked for. */
export function fits(match, { player, game }) {
  const wanted = player.toLowerCase();
  const named = match.players.some((each) => each.name.toLowerCase().includes(wanted));
  return (game === "" || match.game === game) && (wanted === "" || named);
}

function same(one, other) {
  return one.id !== null ? one.id === other.id : one.time === other.time && one.lobby === other.lobby;
}
