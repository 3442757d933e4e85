/** Numbers as the organiser's page shows them. */

import { language } from "./words.js";

const shown = (value, digits) =>
  new Intl.NumberFormat(language(), { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);

/** Something per second. */
export const rateText = (value) => shown(value, value < 100 ? 1 : 0);

/** Bytes, or bytes per second, in kilobytes. */
export const kilobytesText = (bytes) => shown(bytes / 1000, 1);

/** @param {number | null} seconds */
export const millisecondsText = (seconds) => (seconds === null ? "–" : shown(seconds * 1000, 2));

/** "2 d 03:04:05" */
export function uptimeText(seconds) {
  const whole = Math.floor(seconds);
  const clock = [Math.floor(whole / 3600) % 24, Math.floor(whole / 60) % 60, whole % 60];
  const days = Math.floor(whole / 86400);
  return `${days ? `${days} d ` : ""}${clock.map((each) => String(each).padStart(2, "0")).join(":")}`;
}
