/** The endpoints: what they are, and what they do per second. */

import { kilobytesText, millisecondsText, rateText } from "./organiser-numbers.js";
import { recordingSwitch } from "./organiser-recordings.js";
import { createTable } from "./organiser-table.js";

/** @param {import("./organiser-orders.js").Desk} desk */
export function endpointsTable(desk) {
  const rate = (show) => (endpoint) => {
    const found = desk.rates.endpoints.get(endpoint.name);
    return found ? show(found) : "";
  };
  return createTable(
    {
      kind: "endpoints",
      label: desk.t("endpoints"),
      columns: [
        ["game", (each) => each.name],
        ["url", (each) => each.url],
        ["state", (each) => each.state],
        ["clients", (each) => each.clients],
        ["matches.of", (each) => `${each.matches.running} / ${each.lobbies}`],
        ["rate.both", rate((each) => `${rateText(each.messagesIn)} / ${rateText(each.messagesOut)}`)],
        ["kilobytes.both", rate((each) => `${kilobytesText(each.bytesIn)} / ${kilobytesText(each.bytesOut)}`)],
        ["handling", rate((each) => `${millisecondsText(each.half)} / ${millisecondsText(each.nearlyAll)}`)],
        ["waiting", (each) => kilobytesText(each.outbox.bytes)],
        ["drops", rate((each) => each.drops)],
        ["crashes", (each) => each.crashes],
      ],
      actions: (each) => recordingSwitch(desk, { kind: "endpoint", id: each.name }),
    },
    desk.t,
  );
}

export const withNames = (endpoints) => endpoints.map((each) => ({ ...each, id: each.name }));
