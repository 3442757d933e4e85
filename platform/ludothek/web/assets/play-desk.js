/** What a person has beside the board: what is to do, moves by keyboard, resigning, the result. */

import { el } from "./dom.js";

const WARN = 60; // seconds before a game is lost because nothing is done

/**
 * @param {object} game what is known: `question`, `over`, `line`, `waiting`, `back`
 * @param {object} act what a person can do: `choose(index)`, `resign()`, `again()`, `change()`
 * @param {{parseMove: Function, moveText: Function}} kit
 */
export function createDesk(game, act, kit, t) {
  const status = el("p", { class: "notice", id: "turn", role: "status" });
  const idle = el("p", { class: "notice bad", id: "idle", role: "alert", hidden: true });
  const typing = typedMove(game, act, kit, t);
  const resigning = el("div", { class: "resigning" });
  const after = el(
    "div",
    { class: "after" },
    el("button", { class: "primary", id: "again", type: "button", onclick: act.again }, t("play.again")),
    el("button", { id: "change", type: "button", onclick: act.change }, t("play.change")),
  );
  const element = el("section", { class: "desk", id: "desk", "aria-label": t("play.desk") }, status, idle, typing.element, resigning, after);

  function offerResigning(focus) {
    const ask = el("button", { id: "resign", type: "button", class: "danger" }, t("play.resign"));
    ask.addEventListener("click", confirm);
    resigning.replaceChildren(ask);
    if (focus) ask.focus();
  }

  function confirm() {
    const yes = el("button", { id: "resign-yes", type: "button", class: "danger" }, t("play.resign.yes"));
    const no = el("button", { id: "resign-no", type: "button" }, t("play.resign.no"));
    yes.addEventListener("click", act.resign);
    no.addEventListener("click", () => offerResigning(true));
    resigning.replaceChildren(el("span", {}, t("play.resign.sure")), yes, no);
    no.focus();
  }

  function refresh() {
    const text = statusText(game, t);
    if (status.textContent !== text) status.textContent = text;
    status.dataset.state = stateOf(game);
    typing.refresh();
    resigning.hidden = Boolean(game.over);
    after.hidden = !game.over;
    tick();
  }

  function tick() {
    const left = game.question?.clock == null ? Infinity : game.question.clock - (performance.now() - game.question.at) / 1000;
    idle.hidden = left > WARN;
    if (!idle.hidden) idle.textContent = t("play.idle", { n: Math.max(0, Math.ceil(left / 10) * 10) });
  }

  offerResigning(false);
  refresh();
  return { element, refresh, tick };
}

function typedMove(game, act, kit, t) {
  const input = el("input", { id: "typed", type: "text", autocomplete: "off", spellcheck: "false" });
  const button = el("button", { type: "submit", id: "typed-send" }, t("play.typed.send"));
  const problem = el("p", { class: "small wrong", id: "typed-problem", role: "alert" });
  const element = el(
    "form",
    { class: "typed", onsubmit: submit },
    el("label", { class: "field" }, el("span", {}, t("play.typed")), input),
    button,
    problem,
  );

  function submit(event) {
    event.preventDefault();
    if (!game.question || game.line.lost) return;
    const index = kit.parseMove(input.value, game.question.moves);
    problem.textContent = index < 0 ? t("play.typed.wrong", { move: input.value.trim() || "–" }) : "";
    if (index < 0) return;
    input.value = "";
    act.choose(index);
  }

  return {
    element,
    refresh() {
      element.hidden = Boolean(game.over);
      button.disabled = !game.question || game.line.lost;
      if (button.disabled) problem.textContent = "";
      const example = game.question?.moves[0];
      if (example) input.placeholder = t("play.typed.example", { move: kit.moveText(example) });
    },
  };
}

/** @returns {"over" | "lost" | "back" | "asked" | "waiting"} */
function stateOf(game) {
  if (game.over) return "over";
  if (game.line.lost) return "lost";
  if (game.question) return game.back ? "back" : "asked";
  return "waiting";
}

function statusText(game, t) {
  const state = stateOf(game);
  return state === "over" ? overText(game.over, t) : t(`play.status.${state}`);
}

/** How the game ended, for the one who played it. */
export function overText({ ending, report }, t) {
  if (ending !== "regular") return t(`play.over.${ending}`);
  if (report?.won) return t("play.over.won");
  return t(report?.winner === null ? "play.over.draw" : "play.over.lost");
}
