/** The lobbies, and what can be done with each of them. */

import { el } from "./dom.js";
import { factsText } from "./organiser-facts.js";
import { askAbort, askArrange, askExpel, askSeat, button, lobbyOrder } from "./organiser-orders.js";
import { recordingSwitch } from "./organiser-recordings.js";
import { createTable } from "./organiser-table.js";
import { rateText } from "./organiser-numbers.js";

/** @param {import("./organiser-orders.js").Desk} desk */
export function lobbiesTable(desk) {
  const { t } = desk;
  return createTable(
    {
      kind: "lobbies",
      label: t("lobbies"),
      columns: [
        ["lobby", (lobby) => lobby.id],
        ["name", (lobby) => lobby.name],
        ["state", (lobby) => lobby.state],
        ["players", (lobby) => lobby.players.join(", ")],
        ["spectators", (lobby) => lobby.spectators.join(", ")],
        ["rate", (lobby) => rateText(desk.rates.lobbies.get(lobby.id) ?? 0)],
      ],
      actions: (lobby) => lobbyActions(desk, lobby),
    },
    t,
  );
}

function lobbyActions(desk, first) {
  const { t } = desk;
  const { id } = first;
  // As it is when the button is pressed.
  const current = () => desk.world.lobbies.find((each) => each.id === id) ?? first;
  const simple = (what) => button(desk, what, () => lobbyOrder(desk, what, current()), id);
  const asking = (what, ask, more) => button(desk, what, () => ask(desk, current()), id, more);
  const recording = recordingSwitch(desk, { kind: "lobby", id });
  const facts = el("p", { class: "muted small facts" });
  const element = el(
    "div",
    { class: "actions" },
    ["start", "pause", "resume", "step"].map(simple),
    asking("abort", askAbort, { class: "danger" }),
    el(
      "details",
      {},
      el("summary", { "aria-label": `${t("further")} ${id}` }, t("further")),
      el(
        "div",
        { class: "actions" },
        asking("seat", askSeat),
        asking("arrange", askArrange),
        asking("expel", askExpel, { class: "danger" }),
        recording.element,
      ),
      facts,
    ),
  );
  return {
    element,
    show(lobby) {
      recording.show();
      const text = factsText(lobby.facts);
      if (facts.textContent !== text) facts.textContent = text;
    },
  };
}
