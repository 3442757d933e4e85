/** Load and delays of the daemon, as curves. */

import { el } from "./dom.js";
import { svg } from "./svg.js";
import { language } from "./words.js";

const MOST = 450; // points, of two seconds each
const [WIDTH, HEIGHT] = [100, 40];
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
  #show = () => {};
  element = el("div", { class: "curves" });

  restart(samples) {
    this.#samples = samples.slice(-MOST);
    this.#show();
  }

  add(sample) {
    this.restart([...this.#samples, sample]);
  }

  /** Draws all of them, in the language of `t`. */
  draw(t) {
    const curves = Object.entries(KINDS).map(([kind, valueOf]) => createCurve(kind, valueOf, t));
    this.element.replaceChildren(...curves.map((each) => each.element));
    this.#show = () => curves.forEach((each) => each.show(this.#samples));
    this.#show();
  }
}

function createCurve(kind, valueOf, t) {
  const [line, area] = [svg("path", { class: "line" }), svg("path", { class: "area" })];
  const picture = svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img" },
    area,
    line,
  );
  const now = el("span", { class: "number now" });
  const most = el("p", { class: "muted small number" });
  const title = t(`curve.${kind}`);
  const element = el("section", { class: "curve panel", "data-curve": kind }, el("h3", {}, title, " ", now), picture, most);

  function show(samples) {
    const values = samples.map(valueOf);
    const highest = values.reduce((found, value) => Math.max(found, value), 0);
    const texts = { now: round(values.at(-1) ?? 0), most: round(highest) };
    const path = pathOf(values, highest || 1);
    line.setAttribute("d", path);
    area.setAttribute("d", path && `${path}V${HEIGHT}H0Z`);
    now.textContent = texts.now;
    most.textContent = t("curve.most", texts);
    picture.setAttribute("aria-label", `${title}: ${texts.now}. ${most.textContent}`);
  }

  return { element, show };
}

function pathOf(values, highest) {
  const step = WIDTH / Math.max(values.length - 1, 1);
  const y = (value) => (HEIGHT - 1 - ((HEIGHT - 2) * value) / highest).toFixed(2);
  if (values.length === 1) return `M0 ${y(values[0])}H${WIDTH}`;
  return values.map((value, n) => `${n ? "L" : "M"}${(n * step).toFixed(2)} ${y(value)}`).join("");
}

const round = (value) => new Intl.NumberFormat(language(), { maximumFractionDigits: value >= 100 ? 0 : value >= 10 ? 1 : 2 }).format(value);
