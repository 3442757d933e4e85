/**
 * Light or dark, before anything is drawn: the only script that is no module, so that the page does
 * not flash. Without a choice the style sheet follows the system.
 */
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem("theme");
  } catch {
    // A browser that keeps nothing follows the system.
  }
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
})();
