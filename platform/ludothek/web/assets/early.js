/**
 * What people have chosen, before anything is drawn: the only script that is no module, so that no
 * page flashes in other colours or another language. Without a choice the style sheet follows the
 * system, and the server the language of the browser.
 */
(() => {
  const kept = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null; // a browser that keeps nothing
    }
  };
  const page = document.documentElement;
  const theme = kept("theme");
  if (theme === "light" || theme === "dark") page.dataset.theme = theme;
  const languages = ["en", "de"];
  const wanted = [kept("language"), ...navigator.languages].map((each) => each?.slice(0, 2));
  const language = wanted.find((each) => languages.includes(each)) ?? languages[0];
  page.toggleAttribute("data-foreign", page.lang !== language); // until it is drawn again
})();
