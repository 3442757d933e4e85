/** Looking at a match: its feed, the place where somebody looks, and playing it like a film. */

import { Cursor } from "./cursor.js";

export const SPEEDS = [0.5, 1, 2, 4, 8];
const STEP = 1000; // milliseconds between two positions at speed 1

/**
 * Events: "shown" (another position, or the same one with more in it), "listed" (detail: where
 * positions have come: "end" or "between"), "state" (anything else that people see).
 */
export class Viewing extends EventTarget {
  speed = 1;
  #timer = 0;
  #cursor;

  /** @param {import("./match-feed.js").MatchFeed} feed @param {number | null} n where to look */
  constructor(feed, n = null) {
    super();
    this.feed = feed;
    this.#cursor = new Cursor(feed.timeline, n);
    feed.addEventListener("positions", (event) => {
      this.#tell("listed", event.detail);
      this.#tell("shown");
    });
    feed.addEventListener("record", () => {
      this.#tell("listed", "between");
      this.#tell("shown");
    });
    for (const each of ["match", "connection", "history"]) {
      feed.addEventListener(each, () => this.#tell("state"));
    }
  }

  get index() {
    return this.#cursor.index;
  }

  get count() {
    return this.feed.timeline.length;
  }

  get position() {
    return this.#cursor.position;
  }

  get before() {
    return this.#cursor.before;
  }

  get atStart() {
    return this.#cursor.atStart;
  }

  get atEnd() {
    return this.#cursor.atEnd;
  }

  /** Whether the newest position is seen, whichever that will be. */
  get following() {
    return this.#cursor.following;
  }

  /** The newest position of a match that goes on is seen, so clocks run. */
  get current() {
    return this.feed.live && this.atEnd;
  }

  get playing() {
    return this.#timer !== 0;
  }

  first() {
    this.goTo(0);
  }

  last() {
    this.goTo(this.count - 1);
  }

  step(steps) {
    this.goTo(this.index + steps);
  }

  /** Goes to a position as a person does, which stops the film. @param {number} index */
  goTo(index) {
    this.stop();
    this.#move(index);
  }

  /** @param {number} n the number of a position */
  goToNumber(n) {
    this.stop();
    this.#cursor.n = n;
    this.#tell("shown");
  }

  /** Goes to the newest position and stays there. */
  follow() {
    this.stop();
    this.#cursor.follow();
    this.#tell("shown");
  }

  toggle() {
    if (this.playing) this.stop();
    else this.play();
  }

  /** From the beginning, if it is at its end. */
  play() {
    if (this.atEnd && !this.feed.live) this.#move(0);
    this.#schedule();
    this.#tell("state");
  }

  stop() {
    if (!this.playing) return;
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#tell("state");
  }

  setSpeed(speed) {
    this.speed = speed;
    if (this.playing) this.#schedule();
    this.#tell("state");
  }

  close() {
    this.stop();
    this.feed.close();
  }

  #schedule() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#advance(), STEP / this.speed);
  }

  #advance() {
    if (this.atEnd) return this.stop();
    this.#schedule();
    this.#move(this.index + 1);
    if (this.atEnd) this.stop();
  }

  // Whoever arrives at the end of a match that goes on, follows it.
  #move(index) {
    if (index >= this.count - 1) this.#cursor.follow();
    else this.#cursor.goTo(index);
    this.#tell("shown");
  }

  #tell(what, detail) {
    this.dispatchEvent(new CustomEvent(what, { detail }));
  }
}
