/** Details that only one game has, as a game reports them. */

/** @param {Record<string, unknown>} facts */
export function factsText(facts) {
  return Object.entries(facts).map(([key, value]) => `${key}: ${valueText(value)}`).join("; ");
}

function valueText(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}
