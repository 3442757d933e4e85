/** A question before something is done, and what is needed to do it. */

import { el } from "./dom.js";

/**
 * It stays open, with the server's own words, if that cannot be done.
 *
 * @param {object} question
 * @param {string} question.title
 * @param {(Node | string | null)[]} [question.content] explanations and fields
 * @param {string} question.go what the button says
 * @param {boolean} [question.harsh] it destroys something
 * @param {(form: HTMLFormElement) => Promise<void>} question.act throws what is shown
 */
export function openDialog({ title, content = [], go, harsh = false, act }, t) {
  const problem = el("p", { class: "notice bad", role: "alert", hidden: true });
  const cancel = el("button", { type: "button", "data-action": "cancel", onclick: () => dialog.close() }, t("cancel"));
  const confirm = el("button", { type: "submit", "data-action": "confirm", class: harsh ? "danger" : "primary" }, go);
  const form = el(
    "form",
    { onsubmit: submit, oninput: () => (problem.hidden = true) },
    el("h2", { id: "dialog-title" }, title),
    ...content,
    problem,
    el("div", { class: "row dialog-buttons" }, confirm, cancel),
  );
  const dialog = el("dialog", { class: "panel", "aria-labelledby": "dialog-title" }, form);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  (form.querySelector("[data-first], input, select, textarea") ?? cancel).focus();

  async function submit(event) {
    event.preventDefault();
    confirm.disabled = true;
    try {
      await act(form);
      dialog.close();
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
    } finally {
      confirm.disabled = false;
    }
  }
}

/** A field with its label above it, and a hint below. */
export function field(label, control, hint = "") {
  const id = `field-${control.name}`;
  control.id = id;
  if (hint) control.setAttribute("aria-describedby", `${id}-hint`);
  return el(
    "p",
    { class: "field" },
    el("label", { for: id }, label),
    control,
    hint && el("span", { class: "muted small", id: `${id}-hint` }, hint),
  );
}

/** A choice of several, or of one; each option is `[value, ...children]`. */
export function choice(legend, name, type, options) {
  return el(
    "fieldset",
    { class: "choice" },
    el("legend", {}, legend),
    options.map(([value, ...children], index) =>
      el(
        "label",
        {},
        el("input", { type, name, value, checked: type === "radio" && index === 0 }),
        el("span", {}, ...children),
      ),
    ),
  );
}

/** What is chosen in a group of checkboxes. */
export function chosen(form, name) {
  return [...form.querySelectorAll(`[name="${name}"]:checked`)].map((each) => each.value);
}
