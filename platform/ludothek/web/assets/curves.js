/** Load and delays of the daemon, as curves. */

import { el } from "./dom.js";
import { clear, svg } from "./svg.js";

const MOST = 450; // points, of two seconds each
const KINDS = {
  messages: (sample) => sample.messages_in + sample.messages_out,
  clients: (sample) => sample.clients,
  matches: (sample) => sample.matches,
  lag: (sample) => sample.lag * 1000,
  cpu: (sample) => sample.cpu,
  memory: (sample) => (sample.memory ?? 0) / 1048576,
};

export class Curves {
  #samples = [];

  /** @param {(t: Function) => void} t */
  constructor(t) {
    this.t = t;
    this.element = el("div", { class: "curves" });
  }

  restart(samples) {
    this.#samples = samples;
    this.#draw();
  }

  add(sample) {
    this.#samples = [...this.#samples, sample].slice(-MOST);
    this.#draw();
  }

  #draw() {
    clear(this.element).append(...Object.keys(KINDS).map((kind) => this.#curve(kind)));
  }

  #curve(kind) {
    const values = this.#samples.map(KINDS[kind]);
    const most = Math.max(...values, 1e-9);
    const now = values.at(-1) ?? 0;
    const label = `${this.t(`curve.${kind}`)}: ${round(now)} (max ${round(most)})`;
    const step = 100 / Math.max(values.length - 1, 1);
    const line = values.map((value, n) => `${n ? "L" : "M"}${n * step} ${39 - (38 * value) / most}`);
    return el(
      "section",
      { class: "curve panel" },
      el("h3", {}, label),
      svg(
        "svg",
        { viewBox: "0 0 100 40", preserveAspectRatio: "none", role: "img", "aria-label": label },
        svg("path", { d: line.join("") || "M0 39" }),
      ),
    );
  }
}

const round = (value) => (value >= 100 ? Math.round(value) : Math.round(value * 10) / 10);
