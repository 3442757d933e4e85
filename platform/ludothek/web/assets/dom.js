/** Makes HTML elements. Texts become text nodes, so nothing that they contain is markup. */

/**
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes] `on…` are listeners, `class` and others attributes;
 *   false, null and undefined are left out, true stands for an empty value
 * @param {...(Node | string | number | false | null | undefined)} children
 * @returns {HTMLElement}
 */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** Sets attributes and appends children; for elements of every kind. */
export function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

/** Removes all children. */
export function clear(node) {
  node.replaceChildren();
  return node;
}
