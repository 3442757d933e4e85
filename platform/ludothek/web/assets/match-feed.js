/** A match as the server tells it: what is known of it at first, its past, and what happens. */

import { ask, Refused, witness } from "./api.js";
import { patience, Stream } from "./stream.js";
import { Timeline } from "./timeline.js";

const HISTORY_AGAIN = 10000; // milliseconds between two questions for the past
const RECORD_ATTEMPTS = 6;

/**
 * Events: "match" (it is known, or more is known about it), "positions" (detail: where), "record"
 * (everything is there, nothing is hidden), "connection" (`lost` has changed), "history" (`loading`
 * has changed), "refused" (detail: why there is nothing to see).
 */
export class MatchFeed extends EventTarget {
  timeline = new Timeline();
  /** What `/api/matches/ID` says, without the positions. */
  match = null;
  /** Whether it goes on. */
  live = false;
  /** Whether the connection is lost. */
  lost = false;
  /** Whether the past is being loaded. */
  loading = false;
  /** Whether nothing more will be known: it is over, and its record is here or does not come. */
  settled = false;
  #address;
  #stream = null;
  #closed = false;
  #timers = new Map();
  #askedAt = -Infinity;

  /** @param {string} id @param {{history?: boolean}} [options] history: false if nobody goes back */
  constructor(id, { history = true } = {}) {
    super();
    this.id = id;
    this.wantsHistory = history;
    this.#address = `/api/matches/${encodeURIComponent(id)}`;
  }

  open() {
    return this.#load();
  }

  close() {
    this.#closed = true;
    this.#stream?.close();
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  #tell(what, detail) {
    if (!this.#closed) this.dispatchEvent(new CustomEvent(what, { detail }));
  }

  #later(what, milliseconds, action) {
    clearTimeout(this.#timers.get(what));
    this.#timers.set(what, setTimeout(action, milliseconds));
  }

  async #load(failures = 0) {
    try {
      const { positions, ...match } = await ask(this.#address);
      if (this.#closed) return;
      this.#setLost(false);
      this.#learn(match, positions ?? []);
    } catch (error) {
      this.#failed(error, failures);
    }
  }

  #failed(error, failures) {
    if (!(error instanceof Refused)) throw error;
    if (error.passing || this.match === null) this.#tell("refused", error);
    if (error.passing) {
      this.#setLost(true);
      this.#later("load", patience(failures), () => this.#load(failures + 1));
    } else if (this.match !== null) {
      // It was there and is not any more: what is on the page stays.
      this.#end({ ...this.match, live: false });
    }
  }

  #learn(match, positions) {
    this.match = match;
    if (!match.live) return this.#end(match, positions);
    this.live = true;
    this.#tell("match");
    this.#added(this.timeline.add(positions));
    this.#stream ??= this.#listen();
    if (this.wantsHistory) this.#loadHistory();
  }

  #listen() {
    const listeners = {
      position: (position) => this.#follow(position),
      over: () => this.#over(),
    };
    return new Stream(`${this.#address}/live`, listeners, (state) => {
      this.#setLost(state === "lost");
      if (state === "lost") this.#later("look", patience(1), () => this.#load());
      else clearTimeout(this.#timers.get("look"));
      if (state === "again") this.#load();
    });
  }

  #follow(position) {
    witness(position.date);
    this.#added(this.timeline.follow(position));
    if (this.timeline.gap && this.wantsHistory) this.#loadHistory();
  }

  #added(where) {
    if (where !== "same") this.#tell("positions", where);
  }

  #setLost(lost) {
    if (this.lost === lost) return;
    this.lost = lost;
    this.#tell("connection");
  }

  // The server makes it by repeating the match, so it is not asked more often than people notice.
  #loadHistory(failures = 0) {
    const wait = this.#askedAt + HISTORY_AGAIN - performance.now();
    this.#later("history", Math.max(0, wait), async () => {
      this.#askedAt = performance.now();
      this.#setLoading(true);
      try {
        const { positions } = await ask(`${this.#address}/history`);
        if (this.live) this.#added(this.timeline.complete(positions));
        this.#setLoading(false);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (error.passing && this.live) this.#loadHistory(failures + 1);
        else this.#setLoading(false);
      }
    });
  }

  #setLoading(loading) {
    if (this.loading === loading) return;
    this.loading = loading;
    this.#tell("history");
  }

  #over() {
    this.#stream?.close();
    this.#stream = null;
    clearTimeout(this.#timers.get("history"));
    clearTimeout(this.#timers.get("look"));
    this.live = false;
    this.#setLost(false);
    this.#setLoading(false);
    this.match = { ...this.match, live: false };
    this.#tell("match");
    this.#loadRecord(0);
  }

  // It is written at leisure, so it may not be there yet.
  async #loadRecord(attempt) {
    try {
      const { positions, ...match } = await ask(this.#address);
      if (this.#closed) return;
      if (!match.live && positions?.length) return this.#end(match, positions);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
    if (attempt < RECORD_ATTEMPTS) {
      this.#later("record", patience(attempt, 0.5) / 2, () => this.#loadRecord(attempt + 1));
    } else {
      this.settled = true;
      this.#tell("match");
    }
  }

  #end(match, positions = []) {
    this.#stream?.close();
    this.#stream = null;
    clearTimeout(this.#timers.get("history"));
    clearTimeout(this.#timers.get("look"));
    this.match = match;
    this.live = false;
    this.settled = true;
    this.#setLost(false);
    this.#setLoading(false);
    if (positions.length > 0) this.timeline.replace(positions);
    this.#tell("match");
    this.#tell("record");
  }
}
