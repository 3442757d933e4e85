/** A table whose rows stay where they are while their texts change, so that no button runs away. */

import { el } from "./dom.js";
import { plain } from "./words.js";

const MOST_ROWS = 200;

/**
 * @param {object} options
 * @param {string} options.kind for tests and styles
 * @param {string} options.label what a screen reader calls it
 * @param {[string, (item: any) => unknown][]} options.columns key of the heading, text of the cell
 * @param {(item: any) => {element: Node, show?: (item: any) => void}} [options.actions] made once per
 *   row, with the item as it is then; `show` hears of changes
 * @returns {{element: HTMLElement, show: (items: any[]) => void}} items have an `id`
 */
export function createTable({ kind, label, columns, actions }, t) {
  const rows = new Map();
  const headings = [...columns.map(([key]) => key), ...(actions ? ["actions"] : [])];
  const head = el("tr", { role: "row" }, headings.map((key) => el("th", { scope: "col", role: "columnheader" }, t(key))));
  const body = el("tbody", { role: "rowgroup" });
  const table = el(
    "table",
    { class: "organiser-table", "data-kind": kind, role: "table", "aria-label": label },
    el("thead", { role: "rowgroup" }, head),
    body,
  );
  const empty = el("p", { class: "empty" }, t("none"));
  const more = el("p", { class: "muted", role: "status" });
  // It gets the focus if the row that has it disappears; and it scrolls, so that a table without
  // buttons has to be reached by keyboard, too.
  const about = actions ? { tabindex: -1 } : { tabindex: 0, role: "group", "aria-label": label };
  const element = el("div", { class: "table-box", ...about }, table, empty, more);

  function makeRow(item) {
    const cells = columns.map(([key]) => el("td", { role: "cell", "data-label": t(key), "data-cell": key }));
    const own = actions?.(item) ?? null;
    const last = own && el("td", { role: "cell", "data-label": t("actions"), "data-cell": "actions" }, own.element);
    const row = el("tr", { role: "row", "data-id": item.id }, cells, last);
    return { row, cells, show: own?.show ?? (() => {}) };
  }

  function fill({ cells, show }, item) {
    columns.forEach(([, text], index) => setText(cells[index], text(item)));
    show(item);
  }

  function show(items) {
    const shown = items.slice(0, MOST_ROWS);
    const ids = new Set(shown.map((item) => item.id));
    const stranded = [...rows].some(([id, { row }]) => !ids.has(id) && row.contains(document.activeElement));
    for (const [id, { row }] of rows) {
      if (ids.has(id)) continue;
      row.remove();
      rows.delete(id);
    }
    shown.forEach((item, index) => {
      if (!rows.has(item.id)) rows.set(item.id, makeRow(item));
      const each = rows.get(item.id);
      fill(each, item);
      if (body.children[index] !== each.row) body.insertBefore(each.row, body.children[index] ?? null);
    });
    table.hidden = shown.length === 0;
    empty.hidden = !table.hidden;
    more.hidden = items.length <= MOST_ROWS;
    more.textContent = more.hidden ? "" : t("more", { count: items.length - MOST_ROWS });
    if (stranded) element.focus({ preventScroll: true });
  }

  show([]);
  return { element, show };
}

/** Texts of clients are isolated, so that they cannot turn what stands beside them. */
function setText(cell, value) {
  const text = plain(value);
  if (cell.textContent !== text) cell.replaceChildren(el("bdi", {}, text));
}
