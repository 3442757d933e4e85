/** Texts that a button copies. */

import { el } from "./dom.js";
import { icon } from "./icons.js";

const THANKS_FOR = 1600; // milliseconds that a button says that it has copied

/**
 * A text in a box, with a button that copies it.
 * @param {string} text one line or more
 */
export function copyable(text, t) {
  const shown = text.includes("\n") ? el("pre", { tabindex: 0 }, text) : el("code", {}, foldable(text));
  return el("div", { class: "copyable" }, shown, copyButton(() => text, t, t("copy"), false));
}

/** A line that is too long for its box is broken after the scheme of an address, if it has one. */
function foldable(text) {
  return text.split(/(?<=:\/\/)/).flatMap((part, index) => (index ? [el("wbr"), part] : [part]));
}

/**
 * @param {() => string} what
 * @param {string} label
 * @param {boolean} [worded] with the label beside the picture
 */
export function copyButton(what, t, label, worded = true, picture = "copy") {
  const words = el("span", { class: worded ? "" : "unseen", role: "status" }, label);
  const button = el(
    "button",
    // A status within a button gives it no name.
    { type: "button", "data-action": "copy", title: label, "aria-label": !worded && label },
    icon(picture),
    words,
  );
  button.addEventListener("click", async () => {
    if (!(await copy(what()))) return;
    button.firstChild.replaceWith(icon("done"));
    words.textContent = t("copied");
    setTimeout(() => {
      button.firstChild.replaceWith(icon(picture));
      words.textContent = label;
    }, THANKS_FOR);
  });
  return button;
}

/** Also works where the page is not secure, which a lab's plain HTTP is not. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text) {
  const before = document.activeElement;
  const area = el("textarea", { class: "unseen", "aria-hidden": "true" });
  area.value = text;
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  before?.focus({ preventScroll: true });
  return copied;
}
