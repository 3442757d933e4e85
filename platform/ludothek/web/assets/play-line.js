/** The line to the server while somebody plays. It comes back by itself, with the token of the seat. */

import { patience } from "./stream.js";

const FINAL = new Set(["gone", "closing", "no-seat", "nonsense", "silent", "flood", "taken-over"]);

/**
 * Events: those of the server by their type, "seated", "match", "question", "answered", "over" and
 * "refused" (detail: the message); "state" (`lost` has changed); "unreachable" (nobody has answered,
 * and there is no seat to come back to). After "over", "unreachable" and a refusal that is final, the
 * line is closed.
 */
export class PlayLine extends EventTarget {
  /** Whether the connection is lost and being tried again. */
  lost = false;
  #address;
  #hello;
  #token;
  #socket = null;
  #failures = 0;
  #timer = 0;
  #closed = false;

  /** @param {string} game @param {{wish?: object, token?: string | null}} how to get a seat */
  constructor(game, { wish = null, token = null }) {
    super();
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.#address = `${scheme}//${location.host}/play/${encodeURIComponent(game)}/socket`;
    this.#hello = wish;
    this.#token = token;
    this.online = () => this.lost && this.#again(0);
    window.addEventListener("online", this.online);
  }

  open() {
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    socket.onopen = () => {
      this.#say(this.#token ? { type: "sit", token: this.#token } : { type: "sit", ...this.#hello });
    };
    socket.onmessage = (event) => this.#hear(JSON.parse(event.data));
    socket.onclose = () => socket === this.#socket && this.#broken();
  }

  answer(number, move) {
    this.#say({ type: "answer", number, move });
  }

  resign() {
    this.#say({ type: "resign" });
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    window.removeEventListener("online", this.online);
    this.#socket?.close();
  }

  #say(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #hear(message) {
    if (this.#closed) return;
    if (message.type === "seated") {
      this.#token = message.token;
      this.#failures = 0;
      this.#setLost(false);
    }
    const final = message.type === "over" || (message.type === "refused" && FINAL.has(message.code));
    if (final) this.close();
    this.dispatchEvent(new CustomEvent(message.type, { detail: { ...message, final } }));
  }

  #broken() {
    if (this.#closed) return;
    if (this.#token === null) {
      this.close();
      this.dispatchEvent(new CustomEvent("unreachable"));
      return;
    }
    this.#setLost(true);
    this.#again(patience(this.#failures++));
  }

  #again(milliseconds) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.open(), milliseconds);
  }

  #setLost(lost) {
    if (this.lost === lost) return;
    this.lost = lost;
    this.dispatchEvent(new CustomEvent("state"));
  }
}
