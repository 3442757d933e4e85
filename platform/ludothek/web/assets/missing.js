/** The page of an address at which there is nothing. */

import { el } from "./dom.js";
import { openPage } from "./frame.js";
import missingWords from "./missing-words.js";

openPage({ words: [missingWords], title: (t) => t("missing.title"), draw });

function draw(main, t) {
  main.append(
    el(
      "div",
      { class: "missing", id: "missing" },
      el("h1", {}, t("missing.title")),
      el("p", {}, t("missing.why")),
      el("p", {}, el("a", { class: "button primary", href: "/" }, t("missing.home"))),
    ),
  );
}
