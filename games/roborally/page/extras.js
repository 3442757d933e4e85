/** What a player has beside the name: robot, checkpoints, energy, registers, upgrades, cards. */

import { el } from "/assets/dom.js";
import { drawCard } from "./card.js";
import { drawBadge } from "./robot.js";

export function playerExtras(seat, view, scenery, t) {
  const { own } = seat;
  if (own.number === undefined) return null;
  const reached = { count: seat.score, all: scenery.checkpoints };
  return el(
    "div",
    { class: "roborally-extras" },
    el(
      "div",
      { class: "facts" },
      drawBadge(own.number),
      fact("checkpoint", `${reached.count}/${reached.all}`, t("checkpoints_of", reached)),
      fact("energy", own.energy, t("energy_of", { count: own.energy })),
      ...states(own, view).map((is) => el("span", { class: `state ${is}` }, t(`is_${is}`))),
    ),
    registers(own, view, t),
    own.upgrades.length ? list("upgrades", t("upgrades"), own.upgrades.map(spaced)) : null,
    own.hand?.length ? cards("hand", t("hand"), own.hand, t) : null,
    own.deck?.length ? pile(own.deck, t) : null,
  );
}

/** Names of upgrades as printed: AdminPrivilege has two words. */
export function spaced(name) {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, " ");
}

function fact(kind, value, text) {
  return el(
    "span",
    { class: `fact ${kind}`, title: text },
    el("span", { class: "icon", "aria-hidden": "true" }, kind === "energy" ? "⚡" : "⚑"),
    el("span", { "aria-hidden": "true" }, value),
    el("span", { class: "unseen" }, text),
  );
}

function states(own, view) {
  return [
    own.finished && view.board.phase === "programming" && "finished",
    own.rebooted && "rebooted",
    own.shielded && "shielded",
  ].filter(Boolean);
}

function registers(own, view, t) {
  const { register } = view.board;
  const ahead = (n) => own.hand !== undefined && n > register;
  return el(
    "ol",
    { class: "registers", "aria-label": t("registers") },
    ...own.registers.map((card, n) =>
      drawCard(card, t, {
        class: n + 1 === register ? "current" : ahead(n + 1) ? "ahead" : "",
        "data-register": n + 1,
      }),
    ),
  );
}

function cards(kind, label, names, t) {
  const drawn = names.map((name) => drawCard(name, t));
  return el("ul", { class: `${kind} cards`, "aria-label": label }, ...drawn);
}

/** What comes next first; nobody needs to see it all the time. */
function pile(names, t) {
  const label = t("deck", { count: names.length });
  return el("details", { class: "deck" }, el("summary", {}, label), cards("pile", label, names, t));
}

function list(kind, label, names) {
  return el(
    "ul",
    { class: kind, "aria-label": label },
    ...names.map((name) => el("li", {}, name)),
  );
}
