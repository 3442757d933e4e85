/** Moments in the words of the page's language. */

import { el } from "./dom.js";
import { language } from "./words.js";

const UNITS = [
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
];
const REFRESH = 30000;

/** @param {string | number} moment ISO 8601, or seconds since 1970 */
function toDate(moment) {
  return new Date(typeof moment === "number" ? moment * 1000 : moment);
}

/** "3 minutes ago", with the exact time as a tooltip; stays true while it is on the page. */
export function ago(moment) {
  const date = toDate(moment);
  const exact = new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeStyle: "medium" });
  return el(
    "time",
    { datetime: date.toISOString(), title: exact.format(date), "data-ago": true },
    agoText(date, Date.now()),
  );
}

/** @param {Date} date @param {number} now milliseconds */
function agoText(date, now) {
  const seconds = (now - date.getTime()) / 1000;
  const words = new Intl.RelativeTimeFormat(language(), { numeric: "auto" });
  const [unit, size] = UNITS.find(([, each]) => seconds >= each) ?? ["second", 1];
  if (unit === "second") return words.format(0, "second");
  if (unit === "day" && seconds > 7 * size) {
    return new Intl.DateTimeFormat(language(), { dateStyle: "medium" }).format(date);
  }
  return words.format(-Math.floor(seconds / size), unit);
}

/** Keeps all moments on the page true. */
export function keepTrue() {
  setInterval(() => {
    for (const each of document.querySelectorAll("time[data-ago]")) {
      each.textContent = agoText(new Date(each.dateTime), Date.now());
    }
  }, REFRESH);
}
