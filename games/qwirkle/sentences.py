"""What clients are told about a breach, in the language of the document."""

from collections.abc import Mapping

from games.qwirkle.clauses import document, ours
from ludothek.contract.clauses import Clause

# Where the clause itself would not tell people who play what is wrong.
_SENTENCES: Mapping[Clause, str] = {
    document.PLAYERS: "Der Client ist in keinem Spiel.",
    document.SENDERS: "Das ist eine Nachricht des Servers.",
    document.CONNECT: "Der Client ist noch nicht verbunden.",
    document.GAMES: "Das Spiel gibt es nicht.",
    document.IN_PROGRESS: "Das Spiel läuft nicht.",
    document.LOOKING: "Der Spieler ist nicht am Zug.",
    document.CONNECTED: "Der Client ist schon verbunden.",
    document.LIST_IN_LOBBY: "Der Client ist schon in einem Spiel.",
    document.JOIN_IN_LOBBY: "Der Client ist schon in einem Spiel.",
    document.NOT_STARTED: "Das Spiel hat schon angefangen.",
    document.PLAYERS_JOIN: "Keine Berechtigung als Beobachter.",
    document.WATCH_IN_LOBBY: "Der Client ist schon in einem Spiel.",
    document.CHAT_IN_GAME: "Der Client ist in keinem Spiel.",
    document.LEAVE_IN_GAME: "Der Client ist in keinem Spiel.",
    document.ACTIVE: "Der Spieler ist nicht am Zug.",
    document.PLAYERS_MOVE: "Keine Berechtigung als Beobachter.",
    document.KNOWN_TILES: "Der Stein ist nicht bekannt.",
    document.ASK_IN_GAME: "Der Client ist in keinem Spiel.",
    document.SPECTATORS_ASK: "Keine Berechtigung als Spieler.",
    document.FULL: "Das Spiel ist voll.",
    ours.LONG_NAMES: "Der Name ist zu lang.",
    ours.TOURNAMENTS: "Die Spieler eines Turniers bestimmt der Ausrichter.",
    ours.CROWDED: "Es sind schon zu viele Zuschauer da.",
    ours.LONG_CHAT: "Die Nachricht ist zu lang.",
    ours.MUCH_CHAT: "Zu viele Nachrichten in kurzer Zeit.",
    ours.SECRET_HANDS: "Hände und Beutel sind bis zum Ende des Spiels geheim.",
}


def sentence(clause: Clause) -> str:
    """A sentence for people who play, without details."""
    return _SENTENCES.get(clause, "Die Nachricht ist nicht lesbar.")
