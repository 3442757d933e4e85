/** What organisers can have done: at once, or after a question. */

import { el } from "./dom.js";
import { act, keyOf, pathOf } from "./organiser-api.js";
import { choice, chosen, field, openDialog } from "./organiser-dialog.js";
import { plain } from "./words.js";

/**
 * @typedef {object} Desk what the parts of the page share
 * @property {Function} t
 * @property {(text: string, bad?: boolean) => void} tell
 * @property {() => Promise<void>} refresh
 * @property {{status: object, lobbies: object[], clients: object[], refusals: object[], wires: object[]}} world
 */

/** Has something done, says so, and returns the answer. @param {Desk} desk @throws {Refused} */
async function carryOut(desk, what, target, path, body) {
  const answer = await act(path, body);
  desk.tell(desk.t("done", { what: [desk.t(what), target].filter(Boolean).join(" ") }));
  desk.refresh();
  return answer;
}

/** Has something done at once; what the server objects is told. @param {Desk} desk */
export async function order(desk, what, target, path, body = {}) {
  try {
    return await carryOut(desk, what, target, path, body);
  } catch (error) {
    desk.tell(desk.t("failed", { what: desk.t(what), why: error.message }), true);
    desk.refresh();
    return null;
  }
}

/** A button for something of the page's words. */
export function button(desk, what, onclick, target = "", more = {}) {
  const label = desk.t(what);
  return el(
    "button",
    { type: "button", "data-action": what, "aria-label": target && `${label} ${plain(target)}`, onclick, ...more },
    label,
  );
}

function ask(desk, what, target, more) {
  openDialog({ title: `${desk.t(what)}: ${plain(target)}`, go: desk.t(what), ...more }, desk.t);
}

// Lobbies

const ordersPath = (lobby, what) => `${pathOf("lobbies", lobby.id)}/${what}`;

export const lobbyOrder = (desk, what, lobby) => order(desk, what, lobby.id, ordersPath(lobby, what));

/** @param {object} client with the name that it gave itself */
function person(client) {
  return [`${client.id} `, el("bdi", {}, plain(client.name))];
}

const inLobby = (desk, lobby) => desk.world.clients.filter((each) => each.where === lobby.id);

export function askAbort(desk, lobby) {
  const { t } = desk;
  const options = [["", t("winner.none")], ...inLobby(desk, lobby).map((each) => [keyOf(each.id), ...person(each)])];
  ask(desk, "abort", lobby.id, {
    content: [el("p", {}, t("abort.sure")), choice(t("winner"), "winner", "radio", options)],
    harsh: true,
    act: (form) => {
      const winner = form.elements.namedItem("winner").value;
      return carryOut(desk, "abort", lobby.id, ordersPath(lobby, "abort"), winner ? { winner } : {});
    },
  });
}

export function askSeat(desk, lobby) {
  const { t } = desk;
  const free = desk.world.clients.filter((each) => each.game === lobby.game && each.where === null);
  const spectator = el("label", {}, el("input", { type: "checkbox", name: "spectator" }), t("seat.spectator"));
  ask(desk, "seat", lobby.id, {
    content: free.length
      ? [choice(t("seat.who"), "client", "checkbox", free.map((each) => [keyOf(each.id), ...person(each)])), spectator]
      : [el("p", {}, t("seat.nobody"))],
    act: (form) =>
      carryOut(desk, "seat", lobby.id, ordersPath(lobby, "seat"), {
        clients: chosen(form, "client"),
        spectator: form.elements.namedItem("spectator")?.checked ?? false,
      }),
  });
}

export function askExpel(desk, lobby) {
  const { t } = desk;
  const there = inLobby(desk, lobby).map((each) => [keyOf(each.id), ...person(each)]);
  ask(desk, "expel", lobby.id, {
    content: there.length
      ? [el("p", {}, t("expel.sure")), choice(t("expel.who"), "client", "radio", there)]
      : [el("p", {}, t("expel.nobody"))],
    harsh: true,
    act: (form) =>
      carryOut(desk, "expel", lobby.id, ordersPath(lobby, "expel"), {
        client: form.elements.namedItem("client")?.value ?? "",
      }),
  });
}

export function askArrange(desk, lobby) {
  const { t } = desk;
  const players = inLobby(desk, lobby).filter((each) => lobby.players.includes(each.name));
  const list = orderList(players, t);
  const how = choice(t("arrange.how"), "how", "radio", [
    ["chance", t("arrange.chance")],
    ["order", t("arrange.order")],
  ]);
  how.addEventListener("change", () => (list.hidden = how.querySelector(":checked").value !== "order"));
  list.hidden = true;
  ask(desk, "arrange", lobby.id, {
    content: [how, list],
    act: () => {
      const clients = list.hidden ? [] : [...list.children].map((each) => each.dataset.key);
      return carryOut(desk, "arrange", lobby.id, ordersPath(lobby, "arrange"), { clients });
    },
  });
}

/** Players in an order that is changed by buttons, which work everywhere. */
function orderList(players, t) {
  const list = el("ol", { class: "order-list" });
  const up = (item, name) => {
    const raise = el("button", { type: "button", "data-action": "up", "aria-label": t("arrange.up", { name }) }, "↑");
    raise.addEventListener("click", () => {
      item.previousElementSibling?.before(item);
      raise.focus();
    });
    return raise;
  };
  list.append(
    ...players.map((each) => {
      const item = el("li", { class: "row", "data-key": keyOf(each.id) });
      item.append(up(item, each.name || each.id), el("span", {}, ...person(each)));
      return item;
    }),
  );
  return list;
}

// Clients

export function askKick(desk, client) {
  ask(desk, "kick", client.id, {
    content: [el("p", {}, desk.t("kick.sure")), el("p", {}, ...person(client))],
    harsh: true,
    act: () => carryOut(desk, "kick", client.id, `${pathOf("clients", client.id)}/kick`, {}),
  });
}

// The daemon

export async function reload(desk) {
  const answer = await order(desk, "reload", "", "/reload");
  if (answer === null) return;
  const changes = Object.entries(answer).flatMap(([what, names]) => names.map((name) => `${desk.t(`reload.${what}`)}: ${name}`));
  desk.tell(changes.join("; ") || desk.t("reload.nothing"), answer.problems.length > 0);
}

export function askRestart(desk) {
  const { pid } = desk.world.status;
  ask(desk, "restart", desk.t("daemon"), {
    content: [el("p", {}, desk.t("restart.sure"))],
    harsh: true,
    act: async () => {
      await carryOut(desk, "restart", "", "/restart", {});
      desk.awaitSuccessor(pid);
    },
  });
}

export function askDrain(desk) {
  const { t } = desk;
  const seconds = el("input", { type: "number", name: "seconds", min: 0, step: "any" });
  ask(desk, "drain", t("daemon"), {
    content: [el("p", {}, t("drain.sure")), field(t("drain.seconds"), seconds, t("drain.seconds.hint"))],
    harsh: true,
    act: () => carryOut(desk, "drain", "", "/drain", seconds.value === "" ? {} : { seconds: Number(seconds.value) }),
  });
}

export function askLogOutAll(desk) {
  ask(desk, "logout.all", desk.t("title"), {
    content: [el("p", {}, desk.t("logout.all.sure"))],
    harsh: true,
    act: async () => {
      await act("/web/log-out");
      location.reload();
    },
  });
}
