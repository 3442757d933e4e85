/** Which match the lecture hall sees, and for how long. Time is passed in, in seconds. */

const DWELL = 20;
export const RESULT = 9;
const SETTLE = 6; // so long a match is seen at least before the end of another one interrupts it

export class Rotation {
  /** The id of the match that is seen; null: nobody plays. */
  current = null;
  paused = false;
  #running = [];
  #since = 0;
  #until = null; // as long as the result is shown

  /** @param {string[]} running ids of the matches under way, in the order of their lobbies */
  update(running, now) {
    this.#running = running;
    if (this.current === null) this.#show(running[0] ?? null, now);
    else if (!running.includes(this.current)) this.#finish(now);
  }

  /** A match has ended: its result is worth seeing. */
  ended(id, now) {
    this.#running = this.#running.filter((each) => each !== id);
    if (id === this.current) return this.#finish(now);
    const settled = now - this.#since >= SETTLE;
    if (this.current !== null && (this.paused || this.#until !== null || !settled)) return;
    this.#show(id, now);
    this.#finish(now);
  }

  tick(now) {
    if (this.paused) return;
    const due = this.#until ?? this.#since + DWELL;
    if (now >= due && (this.#until !== null || this.#running.length > 1)) this.skip(1, now);
  }

  /** @param {1 | -1} direction */
  skip(direction, now) {
    const count = this.#running.length;
    if (count === 0) return this.#show(null, now);
    const at = this.#running.indexOf(this.current);
    const from = at >= 0 ? at : direction > 0 ? -1 : 0;
    this.#show(this.#running[(from + direction + count) % count], now);
  }

  /** @param {boolean} paused stays at the match until it goes on */
  pause(paused, now) {
    this.paused = paused;
    this.#since = now;
    if (this.#until !== null) this.#until = now + RESULT;
  }

  /** How much of the time has passed, from 0 to 1; null: the match stays. */
  progress(now) {
    if (this.paused || this.current === null) return null;
    if (this.#until !== null) return Math.min(1, 1 - (this.#until - now) / RESULT);
    return this.#running.length > 1 ? Math.min(1, (now - this.#since) / DWELL) : null;
  }

  #finish(now) {
    this.#until ??= now + RESULT;
  }

  #show(id, now) {
    this.#until = null;
    this.#since = now;
    this.current = id;
  }
}
