/** A recording of the wire log, read while it is written. */

import { clear, el } from "./dom.js";
import { liveAddress, partsOf } from "./organiser-api.js";
import { button } from "./organiser-orders.js";
import { Stream } from "./stream.js";
import { language, plain } from "./words.js";

const MOST_LINES = 500;
const ARROWS = { in: "→", out: "←" };

export class WireReader {
  #stream = null;
  #id = "";
  #kind = "";
  #lost = false; // the connection
  #lines = el("div", { class: "wire-lines", id: "wire-lines", role: "log", "aria-live": "off", tabindex: 0 });
  element = el("section", { id: "wire" });

  /** Reads that recording from now on. @param {"endpoint" | "lobby" | "client"} kind */
  open(kind, id, desk) {
    this.close();
    const [game, key] = partsOf(id);
    [this.#id, this.#kind, this.#lost] = [id, kind, false];
    clear(this.#lines);
    this.draw(desk);
    this.#stream = new Stream(liveAddress("/wire/live", { game, kind, key }), {
      lines: (batch) => this.#add(batch, desk.t),
      end: () => this.#end(desk.t),
    }, (state) => {
      this.#lost = state === "lost";
      if (state === "again") clear(this.#lines); // everything is told again
    });
    this.element.scrollIntoView({ block: "nearest" });
    this.#lines.focus({ preventScroll: true });
  }

  close() {
    this.#stream?.close();
    this.#stream = null;
    this.#id = "";
    clear(this.element);
  }

  /** Hears what is recorded now: a recording that ended while the server was away says nothing more. */
  check(wires, t) {
    const goesOn = wires.some((each) => each.on && each.kind === this.#kind && each.id === this.#id);
    if (this.#stream && this.#lost && !goesOn) this.#end(t);
  }

  #end(t) {
    this.#stream.close();
    this.#stream = null;
    this.#say([el("p", { class: "muted" }, t("wire.end"))]);
  }

  /** Draws it again, perhaps in another language. */
  draw(desk) {
    if (!this.#id) return;
    const title = desk.t("wire", { target: this.#id });
    this.#lines.setAttribute("aria-label", title);
    const head = el("div", { class: "row" }, el("h2", {}, title), button(desk, "close", () => this.close(), this.#id));
    clear(this.element).append(head, el("p", { class: "muted small" }, desk.t("wire.hint")), this.#lines);
  }

  #add({ entries, skipped }, t) {
    const lost = skipped ? [el("p", { class: "muted" }, t("wire.lost", { count: skipped }))] : [];
    this.#say([...lost, ...entries.map(line)]);
  }

  /** Follows the end, unless somebody has scrolled back. */
  #say(lines) {
    const box = this.#lines;
    const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 8;
    box.append(...lines);
    while (box.children.length > MOST_LINES) box.firstChild.remove();
    if (atEnd) box.scrollTop = box.scrollHeight;
  }
}

function line({ time, direction, client, name, lobby, text }) {
  const clock = new Intl.DateTimeFormat(language(), { timeStyle: "medium" });
  const who = [client && `#${client}`, name, lobby && `[${lobby}]`].filter(Boolean).join(" ");
  return el(
    "p",
    { class: direction || "note" },
    el("span", { class: "muted" }, time === null ? "" : clock.format(new Date(time * 1000)), " "),
    el("bdi", {}, plain(who)),
    ` ${ARROWS[direction] ?? "·"} `,
    el("code", {}, plain(text)),
  );
}
