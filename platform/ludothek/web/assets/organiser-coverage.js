/** How much of its protocol the clients of a game have used, as `platform ctl coverage` shows it. */

import { el } from "./dom.js";
import { look } from "./organiser-api.js";
import { button } from "./organiser-orders.js";
import { createTable } from "./organiser-table.js";

const KINDS = ["message", "field", "answer", "clause"];

/** Asked for only when somebody wants to know: with a whole class, the answer is long. */
export class Coverage {
  element = el("div", { id: "coverage", class: "coverage" });
  #games = el("select", { id: "coverage-game" });
  #found = null; // the latest answer
  #clients = null;
  #items = null; // tables by kind
  #more = null; // all that is hidden until there is an answer

  /** @param {import("./organiser-orders.js").Desk} desk */
  draw(desk) {
    const { t } = desk;
    this.#clients = clientsTable(t, () => this.#found);
    this.#items = new Map(KINDS.map((kind) => [kind, itemsTable(kind, t)]));
    this.#more = el(
      "div",
      { class: "coverage" },
      el("p", { class: "muted small" }, t("coverage.hint")),
      this.#clients.element,
      [...this.#items].map(([kind, { element }]) => el("details", {}, el("summary", {}, t(`coverage.${kind}`)), element)),
    );
    this.element.replaceChildren(
      el(
        "div",
        { class: "row" },
        el("label", {}, t("game"), " ", this.#games),
        button(desk, "coverage.show", () => this.#ask(desk)),
      ),
      this.#more,
    );
    this.show(() => true);
  }

  /** @param {string[]} names of the endpoints */
  setGames(names) {
    const known = [...this.#games.options].map((each) => each.value);
    if (names.join("\n") === known.join("\n")) return;
    const chosen = this.#games.value;
    this.#games.replaceChildren(...names.map((name) => el("option", { value: name }, name)));
    if (names.includes(chosen)) this.#games.value = chosen;
  }

  /** @param {(text: string) => boolean} wanted which names of clients */
  show(wanted) {
    this.#more.hidden = this.#found === null;
    if (this.#found === null) return;
    const { items, clients } = this.#found;
    this.#clients.show(clients.filter(({ name }) => wanted(name)).map((each) => ({ ...each, id: each.name })));
    for (const [kind, { show }] of this.#items) {
      show(items.filter((each) => each.kind === kind).map((each) => ({ ...each, id: each.item })));
    }
  }

  async #ask(desk) {
    try {
      [this.#found] = await look(`/coverage?${new URLSearchParams({ game: this.#games.value })}`);
      this.show(() => true);
    } catch (error) {
      desk.tell(error.message, true);
    }
  }
}

function clientsTable(t, found) {
  const all = (kind) => found().items.filter((each) => each.kind === kind).map(({ item }) => item);
  const clauses = (client) => Object.values(client.clauses);
  return createTable(
    {
      kind: "coverage-clients",
      label: t("coverage.clients"),
      columns: [
        ["name", (client) => client.name],
        ["connections", (client) => client.connections],
        ["kept", (client) => clauses(client).filter((count) => count === 0).length],
        ["broken", (client) => clauses(client).filter((count) => count > 0).length],
        ["not_reached", (client) => all("clause").length - clauses(client).length],
        ["never_sent", (client) => all("message").filter((each) => !(each in client.messages)).join(", ")],
      ],
    },
    t,
  );
}

function itemsTable(kind, t) {
  return createTable(
    {
      kind: `coverage-${kind}`,
      label: t(`coverage.${kind}`),
      columns: [
        ["item", ({ item }) => item],
        ["count", ({ count }) => count],
        ["clients", ({ clients }) => clients],
        ["usage", ({ status }) => t(`usage.${status.replaceAll(" ", "_")}`)],
      ],
    },
    t,
  );
}
