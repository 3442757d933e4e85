/** Opening a lobby: with a name, a configuration file, settings, or as a tournament. */

import { el } from "./dom.js";
import { act } from "./organiser-api.js";
import { field, openDialog } from "./organiser-dialog.js";
import { factsText } from "./organiser-facts.js";

// As for `platform ctl open --file`.
const MOST_BYTES = 64 * 1024;

/** @param {import("./organiser-orders.js").Desk} desk */
export function askOpen(desk) {
  const { t } = desk;
  const games = desk.world.status.endpoints.map(({ name }) => el("option", { value: name }, name));
  const controls = {
    game: el("select", { name: "game" }, games),
    name: el("input", { type: "text", name: "name", autocomplete: "off" }),
    file: el("input", { type: "file", name: "file" }),
    settings: el("textarea", { name: "settings", rows: 3, spellcheck: "false", autocapitalize: "off" }),
  };
  const tournament = el("input", { type: "checkbox", name: "tournament" });
  openDialog(
    {
      title: t("open"),
      go: t("open"),
      content: [
        ...["game", "name", "file", "settings"].map((key) =>
          field(t(`open.${key}`), controls[key], key === "game" ? "" : t(`open.${key}.hint`)),
        ),
        el("label", {}, tournament, t("open.tournament")),
      ],
      act: async () => {
        const lobby = await act("/lobbies", await request(controls, tournament.checked, t));
        const facts = factsText(lobby.facts);
        desk.tell([t("opened", { id: lobby.id }), facts].filter(Boolean).join(" "));
        desk.refresh();
      },
    },
    t,
  );
}

async function request({ game, name, file, settings }, tournament, t) {
  return {
    game: game.value,
    ...(name.value ? { name: name.value } : {}),
    ...(file.files.length ? await content(file.files[0], t) : {}),
    settings: { ...readSettings(settings.value, t), ...(tournament ? { tournament: true } : {}) },
  };
}

/** The server reads no files for organisers: it gets the content. */
async function content(file, t) {
  if (file.size > MOST_BYTES) throw new Error(t("open.file.long", { name: file.name }));
  try {
    const bytes = await file.arrayBuffer();
    return { file: file.name, content: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    throw new Error(t("open.file.unreadable", { name: file.name }));
  }
}

/** Lines of the form KEY=VALUE. */
function readSettings(text, t) {
  const lines = text.split("\n").map((line) => line.trim()).filter(Boolean);
  const entries = lines.map((line) => {
    const [key, ...value] = line.split("=");
    if (value.length === 0) throw new Error(t("open.settings.wrong", { line }));
    return [key.trim(), readValue(value.join("=").trim())];
  });
  return Object.fromEntries(entries);
}

/** Numbers, true, false and quoted texts as such; anything else is a bare word. */
function readValue(text) {
  try {
    const value = JSON.parse(text);
    const exact = typeof value !== "number" || (Number.isFinite(value) && (Number.isSafeInteger(value) || !Number.isInteger(value)));
    return exact ? value : text;
  } catch {
    return text;
  }
}
