/** Arithmetic of clocks: what they show, from what the server said when. */

/**
 * What is left now.
 * @param {{clock: number | null, ticking: boolean}} seat
 * @param {number} since when the server said so
 * @param {number} now by the same clock
 * @returns {number | null} seconds; null: there is no clock
 */
export function remaining(seat, since, now) {
  if (seat.clock === null || seat.clock === undefined) return null;
  const gone = seat.ticking ? Math.max(0, now - since) : 0;
  return Math.max(0, seat.clock - gone);
}

/** "1:05", with tenths in the last ten seconds: "9.3". @param {number} seconds */
export function clockText(seconds) {
  if (seconds < 10) return (Math.floor(seconds * 10) / 10).toFixed(1);
  const whole = Math.floor(seconds);
  const parts = [Math.floor(whole / 60) % 60, whole % 60].map((each) => String(each).padStart(2, "0"));
  const hours = Math.floor(whole / 3600);
  if (hours > 0) return `${hours}:${parts[0]}:${parts[1]}`;
  return `${Math.floor(whole / 60)}:${parts[1]}`;
}

/** How long something took: "42 s", "3 min 5 s", "2 h 10 min". @param {number} seconds */
export function durationText(seconds) {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return [`${Math.floor(whole / 60)} min`, whole % 60 && `${whole % 60} s`].filter(Boolean).join(" ");
  return `${Math.floor(whole / 3600)} h ${Math.floor(whole / 60) % 60} min`;
}
