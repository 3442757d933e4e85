/** The clients, what can be done with each of them, and which clauses they have broken. */

import { el } from "./dom.js";
import { rateText } from "./organiser-numbers.js";
import { askKick, button } from "./organiser-orders.js";
import { recordingSwitch } from "./organiser-recordings.js";
import { createTable } from "./organiser-table.js";
import { language } from "./words.js";

const TOLERATED = ["ignored", "corrected"]; // consequences that nobody holds against a client

/** @param {import("./organiser-orders.js").Desk} desk */
export function clientsTable(desk) {
  const { t } = desk;
  const latest = (client) => {
    // The newest is first.
    const refused = (each) => each.connected && each.id === client.id && !TOLERATED.includes(each.consequence);
    const found = desk.world.refusals.find(refused);
    return found ? `${found.clause} ${found.reason}` : "";
  };
  return createTable(
    {
      kind: "clients",
      label: t("clients"),
      columns: [
        ["client", (client) => client.id],
        ["name", (client) => client.name],
        ["address", (client) => client.address],
        ["where", (client) => client.where ?? ""],
        ["rate", (client) => rateText(desk.rates.clients.get(client.id) ?? 0)],
        ["refused", (client) => client.refused],
        ["refused.last", latest],
      ],
      actions: (client) => clientActions(desk, client),
    },
    t,
  );
}

function clientActions(desk, client) {
  const recording = recordingSwitch(desk, { kind: "client", id: client.id, number: client.number });
  const current = () => desk.world.clients.find((each) => each.id === client.id) ?? client;
  const kick = button(desk, "kick", () => askKick(desk, current()), client.id, { class: "danger" });
  return { element: el("div", { class: "actions" }, recording.element, kick), show: recording.show };
}

/** Also of clients that are gone. @param {import("./organiser-orders.js").Desk} desk */
export function refusalsTable(desk) {
  const { t } = desk;
  const date = new Intl.DateTimeFormat(language(), { dateStyle: "short", timeStyle: "medium" });
  return createTable(
    {
      kind: "refusals",
      label: t("refusals"),
      columns: [
        ["client", (refusal) => refusal.client],
        ["name", (refusal) => refusal.name],
        ["address", (refusal) => refusal.address],
        ["time", (refusal) => date.format(new Date(refusal.time))],
        ["connected", (refusal) => t(refusal.connected ? "yes" : "no")],
        ["consequence", (refusal) => t(`consequence.${refusal.consequence}`)],
        ["clause", (refusal) => refusal.clause],
        ["reason", (refusal) => refusal.reason],
        ["sentence", (refusal) => refusal.quote || refusal.reading],
      ],
    },
    t,
  );
}

/** Refusals with an id for each of them, by which a table knows its rows. */
export function withIds(refusals) {
  const seen = new Map();
  return refusals.map((each) => {
    const about = `${each.id} ${each.time} ${each.address}`;
    seen.set(about, (seen.get(about) ?? 0) + 1);
    return { ...each, client: each.id, id: `${about} ${seen.get(about)}` };
  });
}
