/** What the page of a match says. */

export default {
  en: {
    "match.title": "Match",
    "match.lobby": "Lobby {lobby}",
    "match.tournament": "game {n} of {title}",
    "match.live": "live",
    "match.over": "ended",
    "match.paused": "The match is paused. It goes on when an organiser says so.",
    "match.link": "Copy link",
    "match.link.title": "Copy a link to this position",
    "match.record": "Record",
    "match.record.title": "Download the record of this match",
    "match.next": "The next match in this lobby has begun.",
    "match.next.watch": "Watch it",
    "match.loading": "The match is being loaded …",
    "match.missing": "This match is not here",
    "match.missing.why":
      "The address may be mistyped, the match may not have been recorded, or its record has made room for newer ones.",
    "match.missing.home": "See what is being played",
    "match.unseen": "There are no positions to show of this match.",
  },
  de: {
    "match.title": "Partie",
    "match.lobby": "Lobby {lobby}",
    "match.tournament": "Partie {n} von {title}",
    "match.live": "live",
    "match.over": "beendet",
    "match.paused": "Die Partie ist angehalten. Sie geht weiter, wenn die Leitung es will.",
    "match.link": "Link kopieren",
    "match.link.title": "Einen Link zu dieser Stellung kopieren",
    "match.record": "Aufzeichnung",
    "match.record.title": "Die Aufzeichnung dieser Partie herunterladen",
    "match.next": "Die nächste Partie in dieser Lobby hat begonnen.",
    "match.next.watch": "Zusehen",
    "match.loading": "Die Partie wird geladen …",
    "match.missing": "Diese Partie gibt es hier nicht",
    "match.missing.why":
      "Vielleicht ist die Adresse falsch geschrieben, die Partie wurde nicht aufgezeichnet, oder ihre Aufzeichnung hat neueren Platz gemacht.",
    "match.missing.home": "Sehen, was gespielt wird",
    "match.unseen": "Von dieser Partie sind keine Stellungen zu sehen.",
  },
};
