/** Makes SVG elements. */

import { clear, fill } from "./dom.js";

const NAMESPACE = "http://www.w3.org/2000/svg";

export { clear };

/**
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes] as for `el` of dom.js
 * @param {...(Node | string | number | null | undefined)} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(NAMESPACE, tag), attributes, children);
}
