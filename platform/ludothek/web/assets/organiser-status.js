/** The daemon at a glance, and anything out of the ordinary. */

import { el } from "./dom.js";
import { millisecondsText, uptimeText } from "./organiser-numbers.js";
import { language } from "./words.js";

/** @param {Function} t */
export function statusList(t) {
  const element = el("dl", { id: "status", class: "facts-list" });
  return {
    element,
    show(status) {
      const facts = [...usual(status, t), ...unusual(status, t)];
      element.replaceChildren(
        ...facts.map(([key, text, bad]) =>
          el("div", { class: bad && "bad" }, el("dt", {}, t(`status.${key}`)), el("dd", { "data-fact": key }, text)),
        ),
      );
    },
  };
}

function usual(status, t) {
  return [
    ["version", status.version],
    ["uptime", uptimeText(status.uptime_seconds)],
    ["ready", t(status.ready ? "yes" : "no"), !status.ready],
    ["clients", status.clients],
    ["lobbies", status.lobbies],
    ["lag", t("status.lag.text", { milliseconds: millisecondsText(status.loop_lag.seconds_max) })],
  ];
}

function unusual(status, t) {
  const { state, seconds_left: left } = status;
  return [
    status.restarted && ["restarts", t("status.restarts.text", { count: status.restarts, when: dateText(status.restarted) })],
    status.restarted && ["carried", carriedText(status, t)],
    status.not_durable && ["not_durable", status.not_durable, true],
    status.unprotected && ["unprotected", status.unprotected, true],
    state !== "open" && ["state", [state, left !== null && t("status.left", { seconds: Math.ceil(left) })].filter(Boolean).join(", "), true],
    ...status.endpoints.filter(({ faults }) => faults).map(({ name, faults }) => ["faults", `${name}: ${faults}`, true]),
    ...status.problems.map((problem) => ["problem", problem, true]),
    status.reports_failed && ["reports_failed", status.reports_failed, true],
  ].filter(Boolean);
}

/** What a restart has carried over. */
export function carriedText({ carried, pause_seconds: pause }, t) {
  return t("status.carried.text", {
    matches: `${carried.matches.carried}/${carried.matches.all}`,
    connections: `${carried.connections.carried}/${carried.connections.all}`,
    milliseconds: Math.round(pause * 1000),
  });
}

function dateText(date) {
  return new Intl.DateTimeFormat(language(), { dateStyle: "short", timeStyle: "medium" }).format(new Date(date));
}
