/** The games of a tournament that people look at: all of them, or those of one or two entrants. */

import { ask } from "./api.js";

/** Events: "change". */
export class TournamentGames extends EventTarget {
  /** The latest first. */
  games = [];
  /** The number before which there are more; null: there are none. */
  next = null;
  /** Whether anything is known. */
  known = false;
  /** Names of those who must have played; empty: anybody. */
  players = ["", ""];
  #address;
  #asked = 0;

  /** @param {string} id of the tournament */
  constructor(id) {
    super();
    this.#address = `/api/tournaments/${encodeURIComponent(id)}/games`;
  }

  get filtered() {
    return this.players.some(Boolean);
  }

  /** Only games of these; answers when they are there. */
  choose(one, other) {
    this.players = one ? [one, one === other ? "" : other] : [other, ""];
    return this.load();
  }

  async load() {
    const found = await this.#ask(null);
    if (found === null) return;
    this.games = found.games;
    this.next = found.next;
    this.known = true;
    this.#tell();
  }

  async more() {
    const found = await this.#ask(this.next);
    if (found === null) return;
    this.#merge(found.games);
    this.next = found.next;
    this.#tell();
  }

  /** Hears of the latest games, which are known already or not. */
  learn(latest) {
    if (!this.known || latest.length === 0) return;
    const newest = this.games[0]?.number ?? 0;
    if (latest.at(-1).number > newest + 1 && !this.filtered) return this.load(); // some were missed
    this.#merge(latest.filter((each) => this.#fits(each)));
    this.#tell();
  }

  #fits({ seats }) {
    return this.players.every((name) => !name || seats.includes(name));
  }

  #merge(games) {
    const all = new Map([...this.games, ...games].map((each) => [each.number, each]));
    this.games = [...all.values()].sort((one, other) => other.number - one.number);
  }

  // An answer that comes after another question is of no use any more.
  async #ask(before) {
    const number = ++this.#asked;
    const query = new URLSearchParams(this.players.filter(Boolean).map((name) => ["player", name]));
    if (before !== null) query.set("before", before);
    const found = await ask(`${this.#address}?${query}`);
    return number === this.#asked ? found : null;
  }

  #tell() {
    this.dispatchEvent(new Event("change"));
  }
}
