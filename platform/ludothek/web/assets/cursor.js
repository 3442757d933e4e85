/** Where in a match somebody looks: at a position, or always at the newest one. */

export class Cursor {
  #timeline;
  /** The number of the position; null: the newest one, whichever that is. */
  n = null;

  /** @param {import("./timeline.js").Timeline} timeline @param {number | null} n */
  constructor(timeline, n = null) {
    this.#timeline = timeline;
    this.n = n;
  }

  get following() {
    return this.n === null;
  }

  /** Of the position that is seen; -1 if there is none at all. */
  get index() {
    if (this.n === null) return this.#timeline.length - 1;
    return Math.min(Math.max(0, this.#timeline.find(this.n)), this.#timeline.length - 1);
  }

  get position() {
    return this.#timeline.positions[this.index] ?? null;
  }

  get before() {
    return this.#timeline.positions[this.index - 1] ?? null;
  }

  get atStart() {
    return this.index <= 0;
  }

  get atEnd() {
    return this.index >= this.#timeline.length - 1;
  }

  follow() {
    this.n = null;
  }

  /** @param {number} index beyond the ends: the end */
  goTo(index) {
    const last = this.#timeline.length - 1;
    this.n = this.#timeline.positions[Math.min(Math.max(0, index), last)]?.n ?? null;
  }

  /** @param {number} steps back if below zero */
  step(steps) {
    this.goTo(this.index + steps);
  }
}
