/** The buttons, the slider and the keys that go through a match. */

import { el } from "./dom.js";
import { sentences } from "./events-text.js";
import { icon } from "./icons.js";
import { SPEEDS } from "./viewing.js";

const FAR = 10; // positions at once, with Page Up and Page Down

/** @param {import("./viewing.js").Viewing} viewing @param {Function} t */
export function createControls(viewing, t) {
  const press = (name, action) =>
    el(
      "button",
      {
        type: "button",
        class: "icon-button",
        id: `go-${name}`,
        "data-action": name,
        "aria-label": t(`viewer.${name}`),
        title: t(`viewer.${name}`),
        onclick: action,
      },
      icon(name),
    );
  const first = press("first", () => viewing.first());
  const back = press("back", () => viewing.step(-1));
  const play = press("play", () => viewing.toggle());
  const forward = press("forward", () => viewing.step(1));
  const last = press("last", () => viewing.last());
  const live = el(
    "button",
    {
      type: "button",
      id: "go-live",
      class: "live",
      "data-action": "live",
      title: t("viewer.live.title"),
      onclick: () => viewing.follow(),
    },
    icon("live"),
    t("viewer.live"),
  );
  const slider = el("input", {
    type: "range",
    id: "position",
    min: 0,
    step: 1,
    "aria-label": t("viewer.slider"),
    oninput: () => viewing.goTo(Number(slider.value)),
  });
  const place = el("output", { class: "place number", for: "position" });
  const speed = el(
    "select",
    { id: "speed", onchange: () => viewing.setSpeed(Number(speed.value)) },
    SPEEDS.map((each) => el("option", { value: each }, `${each}×`)),
  );
  const element = el(
    "div",
    { class: "controls", role: "group", "aria-label": t("viewer.controls") },
    el("div", { class: "slide" }, slider, place),
    el("div", { class: "buttons", title: t("viewer.keys") }, first, back, play, forward, last),
    live,
    el("label", { class: "speed" }, el("span", {}, t("viewer.speed")), speed),
  );

  function refresh() {
    const { index, count, position, playing } = viewing;
    first.disabled = back.disabled = viewing.atStart;
    forward.disabled = last.disabled = viewing.atEnd;
    play.disabled = count < 2 || (viewing.feed.live && viewing.atEnd);
    const name = playing ? "pause" : "play";
    if (play.dataset.action !== name) {
      play.dataset.action = name;
      play.replaceChildren(icon(name));
      play.setAttribute("aria-label", t(`viewer.${name}`));
      play.title = t(`viewer.${name}`);
    }
    live.hidden = !viewing.feed.live;
    live.setAttribute("aria-pressed", String(viewing.following));
    speed.value = String(viewing.speed);
    slider.max = String(Math.max(0, count - 1));
    slider.value = String(Math.max(0, index));
    slider.disabled = count < 2;
    place.value = t("viewer.place", { index: index + 1, count });
    if (!position) return;
    slider.dataset.n = position.n; // as in links
    slider.setAttribute("aria-valuetext", placeText(viewing, t));
  }

  return { element, refresh };
}

function placeText({ index, count, position }, t) {
  const what = sentences(position.told, t).join(" ");
  return t("viewer.slider.text", { index: index + 1, count, move: position.view.move, what });
}

/**
 * What a key does; null: not ours.
 * @param {KeyboardEvent} event
 * @returns {((viewing: import("./viewing.js").Viewing) => void) | null}
 */
export function keyAction(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return null;
  if (event.target.closest?.("input, select, textarea, [contenteditable]")) return null;
  if (event.key === " " && event.target.closest?.("button, a, summary, [role=button]")) return null;
  return KEYS[event.key] ?? null;
}

const KEYS = {
  ArrowLeft: (viewing) => viewing.step(-1),
  ArrowRight: (viewing) => viewing.step(1),
  PageUp: (viewing) => viewing.step(-FAR),
  PageDown: (viewing) => viewing.step(FAR),
  Home: (viewing) => viewing.first(),
  End: (viewing) => viewing.last(),
  " ": (viewing) => viewing.toggle(),
};
