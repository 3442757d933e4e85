/** What is said at an address at which there is nothing. */

export default {
  en: {
    "missing.title": "There is nothing here",
    "missing.why": "The address may be mistyped, or may come from another version of this server.",
    "missing.home": "See what is being played",
  },
  de: {
    "missing.title": "Hier ist nichts",
    "missing.why": "Vielleicht ist die Adresse falsch geschrieben, oder sie stammt von einer anderen Version dieses Servers.",
    "missing.home": "Sehen, was gespielt wird",
  },
};
