/** What is written to the wire log: switches for everything that can be recorded, and a list. */

import { el } from "./dom.js";
import { partsOf, pathOf } from "./organiser-api.js";
import { button, order } from "./organiser-orders.js";
import { createTable } from "./organiser-table.js";

/**
 * @typedef {{kind: "endpoint" | "lobby" | "client", id: string, number?: number}} Target number: of a
 *   client, by which recordings know it
 */

/** The id of a target's recording. */
function recordingId({ kind, id, number }) {
  return kind === "client" ? `${partsOf(id)[0]}/${number}` : id;
}

function switchPath({ kind, id }) {
  const path = { endpoint: () => `/endpoints/${encodeURIComponent(id)}`, lobby: () => pathOf("lobbies", id), client: () => pathOf("clients", id) };
  return `${path[kind]()}/wire`;
}

function find(desk, target) {
  const id = recordingId(target);
  return desk.world.wires.find((each) => each.on && each.kind === target.kind && each.id === id);
}

/** Buttons that switch a recording and show it. @param {Target} target */
export function recordingSwitch(desk, target) {
  const turn = (on) => () => order(desk, on ? "record" : "stop", target.id, switchPath(target), { on });
  const record = button(desk, "record", turn(true), target.id);
  const stop = button(desk, "stop", turn(false), target.id);
  const read = button(desk, "read", () => desk.read(target.kind, recordingId(target)), target.id);
  const element = el("span", { class: "actions" }, record, stop, read);
  function show() {
    const on = find(desk, target) !== undefined;
    const pressed = [record, stop].includes(document.activeElement);
    record.hidden = on;
    stop.hidden = read.hidden = !on;
    if (pressed) (on ? stop : record).focus({ preventScroll: true });
  }
  show();
  return { element, show };
}

/** @param {import("./organiser-orders.js").Desk} desk */
export function recordingsTable(desk) {
  const { t } = desk;
  return createTable(
    {
      kind: "recordings",
      label: t("recordings"),
      columns: [
        ["recorded", (each) => each.target],
        ["kind", (each) => t(`kind.${each.kind}`)],
        ["lines", (each) => each.lines],
        ["lost", (each) => each.lost],
        ["file", (each) => each.file ?? ""],
      ],
      actions: (each) => recordingSwitch(desk, targetOf(desk, each)),
    },
    t,
  );
}

/** Recordings with ids that differ between kinds, by which a table knows its rows. */
export function withKinds(wires) {
  return wires.filter((each) => each.on).map((each) => ({ ...each, target: each.id, id: `${each.kind} ${each.id}` }));
}

function targetOf(desk, { kind, target }) {
  if (kind !== "client") return { kind, id: target };
  const [game, number] = partsOf(target);
  const client = desk.world.clients.find((each) => each.game === game && String(each.number) === number);
  return { kind, id: client?.id ?? target, number: Number(number) };
}
