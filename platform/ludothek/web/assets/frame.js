/** What is around the content of every page: header, navigation, language, colours, footer. */

import { el } from "./dom.js";
import frameWords from "./frame-words.js";
import { icon } from "./icons.js";
import { keep, kept } from "./kept.js";
import { LANGUAGES, language, onLanguage, setLanguage, translator } from "./words.js";

const PLACES = [
  ["home", "/"],
  ["hall", "/hall"],
  ["organiser", "/organiser"],
];
const THEMES = ["auto", "light", "dark"];

/**
 * Draws a page, and draws it again in another language when that is chosen. What the page knows
 * lives outside of `draw`, so that nothing is lost.
 *
 * @param {object} page
 * @param {string} [page.place] which link of the navigation it is: "home", "hall" or "organiser"
 * @param {object[]} page.words its tables; those of the frame are there already
 * @param {(t: Function) => string} page.title
 * @param {(main: HTMLElement, t: Function) => void} page.draw fills the page's `<main>`
 * @param {boolean} [page.bare] without header and footer
 * @returns {{redraw: () => void, retitle: () => void}}
 */
export function openPage({ place, words, title, draw, bare = false }) {
  let t;
  const retitle = () => {
    document.title = [title(t), "Ludothek"].filter(Boolean).join(" · ");
  };
  const redraw = () => {
    t = translator(frameWords, ...words);
    document.documentElement.lang = language();
    document.documentElement.removeAttribute("data-foreign");
    const main = el("main", { id: "content", tabindex: -1 });
    const focused = document.activeElement?.id;
    const around = bare ? [main] : [skipLink(t), header(place, t), main, footer(t)];
    document.body.replaceChildren(...around);
    draw(main, t);
    retitle();
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  };
  onLanguage(redraw);
  redraw();
  return { redraw, retitle };
}

function skipLink(t) {
  return el("a", { class: "skip", href: "#content", onclick: skip }, t("frame.skip"));
}

// Not by the address, whose hash is the position of a match.
function skip(event) {
  event.preventDefault();
  document.getElementById("content").focus();
}

function header(place, t) {
  return el(
    "header",
    { class: "frame-header" },
    el(
      "a",
      { class: "brand", href: "/" },
      el("img", { src: logo(), alt: "", width: 32, height: 32 }),
      el("span", {}, "Ludothek"),
    ),
    el(
      "nav",
      { "aria-label": t("frame.navigation") },
      PLACES.map(([name, address]) =>
        el(
          "a",
          { href: address, "data-place": name, "aria-current": name === place && "page" },
          t(`frame.${name}`),
        ),
      ),
    ),
    el("div", { class: "switches" }, languageSwitch(t), themeSwitch(t)),
  );
}

/** The picture that the page has already, for its tab. */
function logo() {
  return document.querySelector('link[rel="icon"]').getAttribute("href");
}

/** The buttons that choose the language. */
export function languageSwitch(t) {
  return el(
    "div",
    { class: "segments", role: "group", "aria-label": t("frame.language") },
    LANGUAGES.map((each) =>
      el(
        "button",
        {
          id: `language-${each}`,
          type: "button",
          lang: each,
          title: { en: "English", de: "Deutsch" }[each],
          "aria-pressed": String(each === language()),
          onclick: () => setLanguage(each),
        },
        each.toUpperCase(),
      ),
    ),
  );
}

/** The button that goes through the colours: the system's, light, dark. */
export function themeSwitch(t) {
  const button = el("button", { id: "theme", type: "button", class: "quiet icon-button" });
  const show = () => {
    const label = t(`frame.theme.${theme()}`);
    button.replaceChildren(icon(theme()));
    button.setAttribute("aria-label", label);
    button.title = label;
  };
  button.addEventListener("click", () => {
    setTheme(THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length]);
    show();
  });
  show();
  return button;
}

function theme() {
  const chosen = kept("theme");
  return THEMES.includes(chosen) ? chosen : "auto";
}

function setTheme(chosen) {
  keep("theme", chosen === "auto" ? null : chosen);
  if (chosen === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}

function footer(t) {
  return el(
    "footer",
    { class: "frame-footer" },
    el("p", {}, t("frame.about")),
    el("p", {}, el("a", { href: "/api/openapi.json" }, t("frame.api"))),
  );
}
