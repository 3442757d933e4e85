/** Programming cards, small enough for five beside a name. */

import { el } from "/assets/dom.js";
import { svg } from "/assets/svg.js";

const UP = (y) => `M5 ${y + 6}L12 ${y}L19 ${y + 6}`;
const BOLT = "M14 2L5 14H11L9 22L19 9H13Z";
const LOOP = "M19 12A7 7 0 1 1 16 6.3M17 2V7H12";
const WARNING = "M12 3L22 21H2ZM12 10V15M12 18V18.2";

const PICTURES = {
  MoveI: UP(9),
  MoveII: UP(5) + UP(12),
  MoveIII: UP(2) + UP(9) + UP(16),
  Speed: UP(2) + UP(9) + UP(16),
  BackUp: "M5 9L12 16L19 9",
  TurnLeft: "M18 21V11Q18 7 14 7H5M9 2L4 7L9 12",
  TurnRight: "M6 21V11Q6 7 10 7H19M15 2L20 7L15 12",
  UTurn: "M18 21V10A6 6 0 0 0 6 10V19M2 15L6 20L10 15",
  PowerUp: BOLT,
  Energy: BOLT,
  Again: LOOP,
  Repeat: LOOP,
  Sandbox: "M4 8H20V20H4ZM4 8L8 3H16L20 8M12 8V20",
  Weasel: "M3 15Q7 5 12 12T21 9M17 6L21.5 9L18 13",
  Spam: WARNING,
  Trojan: WARNING,
  Virus: WARNING,
  Worm: WARNING,
};
const DAMAGE = new Set(["Spam", "Trojan", "Virus", "Worm"]);

/** A card with its picture and name; face down if it is covered, a slot if there is none. */
export function drawCard(card, t, attributes = {}) {
  const { class: extra = "", ...others } = attributes;
  if (!card) {
    const state = card === null ? "slot" : "covered";
    const title = t(state === "slot" ? "no_card" : "covered_card");
    const told = el("span", { class: "unseen" }, title);
    return el("li", { ...others, class: `roborally-card ${state} ${extra}`, title }, told);
  }
  const name = t(`card_${card}`);
  const kind = DAMAGE.has(card) ? "damage" : "";
  return el(
    "li",
    { ...others, class: `roborally-card ${kind} ${extra}`, "data-card": card, title: card },
    picture(PICTURES[card] ?? WARNING),
    el("span", {}, name),
  );
}

function picture(path) {
  return svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: path }));
}
