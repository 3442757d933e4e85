/** What somebody chooses before a game: a name, the opponent, its strength, who begins. */

import { el } from "./dom.js";
import { icon } from "./icons.js";
import { keep, kept } from "./kept.js";

const LONGEST_NAME = 40;

/** What somebody wants who does not choose: a game against the computer, otherwise like the last one. */
export function usualWish(game, t) {
  return {
    name: kept("play.name") ?? t("play.name.usual"),
    opponent: "bot",
    difficulty: usualStrength(game),
    begins: kept("play.begins") !== "them",
  };
}

/**
 * @param {object} game of `/api/games`
 * @param {(wish: object) => void} play what to do with the choice, which this browser keeps
 */
export function playForm(game, play, t) {
  const name = el("input", {
    id: "name",
    type: "text",
    required: true,
    maxlength: LONGEST_NAME,
    autocomplete: "nickname",
    value: kept("play.name") ?? t("play.name.usual"),
  });
  const computer = kept("play.opponent") !== "client";
  const opponents = choices("opponent", ["bot", "client"], computer ? "bot" : "client", t);
  const beginners = choices("begins", ["me", "them"], kept("play.begins") === "them" ? "them" : "me", t);
  const strength = strengths(game, t);
  const withComputer = el(
    "div",
    { class: "choices", id: "with-computer" },
    el("label", { class: "field" }, el("span", {}, t("play.strength")), strength),
    beginners,
  );
  const withClient = el("p", { class: "muted small" }, t("play.client.hint"));
  const form = el(
    "form",
    { class: "panel play-form", id: "play-form", onsubmit: submit, onchange: adapt },
    el("label", { class: "field" }, el("span", {}, t("play.name")), name),
    opponents,
    withComputer,
    withClient,
    el("button", { class: "primary", id: "start", type: "submit" }, icon("play"), t("play.start")),
  );
  adapt();

  function chosen(group) {
    return form.elements.namedItem(group).value;
  }

  function adapt() {
    withComputer.hidden = chosen("opponent") !== "bot";
    withClient.hidden = !withComputer.hidden;
  }

  function submit(event) {
    event.preventDefault();
    const opponent = chosen("opponent");
    const own = name.value.trim();
    keep("play.name", own === t("play.name.usual") ? null : own);
    keep("play.opponent", opponent);
    keep("play.begins", chosen("begins"));
    keep(strengthKey(game), strength.value);
    play({
      name: own,
      opponent,
      difficulty: Number(strength.value),
      begins: opponent === "client" || chosen("begins") === "me",
    });
  }

  return form;
}

function choices(name, values, chosen, t) {
  return el(
    "fieldset",
    { class: "choice", id: `${name}-choice` },
    el("legend", {}, t(`play.${name}`)),
    values.map((value) =>
      el(
        "label",
        {},
        el("input", { type: "radio", name, value, checked: value === chosen }),
        t(`play.${name}.${value}`),
      ),
    ),
  );
}

/** Games list the strongest computer first; people begin in the middle. */
function usualStrength(game) {
  const chosen = Number(kept(strengthKey(game)) ?? NaN);
  return chosen in game.difficulties ? chosen : Math.floor(game.difficulties.length / 2);
}

function strengths(game, t) {
  const count = game.difficulties.length;
  const usual = usualStrength(game);
  return el(
    "select",
    { id: "strength" },
    game.difficulties.map((each, index) => {
      const level = t("play.strength.level", { n: count - index, count, name: strengthText(each, t) });
      return el("option", { value: index, selected: index === usual }, level);
    }),
  );
}

/** In the game's own words, if it has some for it. */
function strengthText(strength, t) {
  const key = `strength.${strength}`;
  const text = t(key);
  return text === key ? strength : text;
}

function strengthKey(game) {
  return `play.strength.${game.name}`;
}
