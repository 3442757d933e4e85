/** Server-sent events that come back by themselves, and rest while nobody looks. */

const SHORTEST = 1000;
const LONGEST = 15000;
const REST_AFTER = 20000; // hidden for so long; browsers allow few connections to one server

/** How long to wait before the next attempt, in milliseconds. @param {number} failures so far */
export function patience(failures, chance = Math.random()) {
  return Math.min(LONGEST, SHORTEST * 2 ** Math.min(failures, 10)) * (0.75 + chance / 2);
}

export class Stream {
  #address;
  #listeners;
  #state;
  #source = null;
  #waiting = 0;
  #failures = 0;
  #ended = false;
  #opened = false;
  #resting = 0;

  /**
   * @param {string} address
   * @param {Record<string, (data: any) => void>} listeners by the name of the event
   * @param {(state: "open" | "again" | "lost") => void} [state] "again": it was lost, and
   *   something may have been missed
   */
  constructor(address, listeners, state = () => {}) {
    this.#address = address;
    this.#listeners = listeners;
    this.#state = state;
    this.seen = () => this.#look();
    this.online = () => this.#reopen();
    document.addEventListener("visibilitychange", this.seen);
    window.addEventListener("online", this.online);
    if (!document.hidden) this.#open();
  }

  close() {
    this.#ended = true;
    this.#stop();
    clearTimeout(this.#resting);
    document.removeEventListener("visibilitychange", this.seen);
    window.removeEventListener("online", this.online);
  }

  #open() {
    const source = new EventSource(this.#address);
    this.#source = source;
    source.onopen = () => {
      this.#failures = 0;
      this.#state(this.#opened ? "again" : "open");
      this.#opened = true;
    };
    source.onerror = () => this.#failed(source);
    for (const [name, listener] of Object.entries(this.#listeners)) {
      source.addEventListener(name, (event) => listener(JSON.parse(event.data)));
    }
  }

  // A browser tries again by itself if the connection broke, not if the server refused it.
  #failed(source) {
    if (source !== this.#source) return;
    this.#state("lost");
    if (source.readyState !== EventSource.CLOSED) return;
    this.#stop();
    this.#waiting = setTimeout(() => this.#open(), patience(this.#failures++));
  }

  #stop() {
    clearTimeout(this.#waiting);
    this.#source?.close();
    this.#source = null;
  }

  #reopen() {
    if (this.#ended || document.hidden) return;
    this.#stop();
    this.#open();
  }

  #look() {
    clearTimeout(this.#resting);
    if (document.hidden) this.#resting = setTimeout(() => this.#stop(), REST_AFTER);
    else if (this.#source === null) this.#reopen();
  }
}
