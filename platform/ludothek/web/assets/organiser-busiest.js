/** The lobbies and clients with the most messages per second. */

import { el } from "./dom.js";
import { rateText } from "./organiser-numbers.js";
import { plain } from "./words.js";

const MOST = 5;

export function busiestList(t) {
  const lists = { lobbies: el("ol", {}), clients: el("ol", {}) };
  const element = el(
    "div",
    { class: "busiest" },
    Object.entries(lists).map(([kind, list]) =>
      el("section", { "data-busiest": kind }, el("h3", {}, t(`busiest.${kind}`)), list),
    ),
  );
  return {
    element,
    /** @param {{lobbies: Map<string, number>, clients: Map<string, number>}} rates @param {object[]} clients */
    show(rates, clients) {
      const names = new Map(clients.map((each) => [each.id, each.name]));
      for (const [kind, list] of Object.entries(lists)) list.replaceChildren(...ranked(rates[kind], names, t));
    },
  };
}

function ranked(rates, names, t) {
  const first = [...rates].filter(([, rate]) => rate > 0).sort(([, one], [, other]) => other - one).slice(0, MOST);
  if (first.length === 0) return [el("li", { class: "muted" }, t("none"))];
  return first.map(([id, rate]) =>
    el("li", {}, el("span", { class: "number" }, rateText(rate)), ` ${id} `, el("bdi", {}, plain(names.get(id) ?? ""))),
  );
}
