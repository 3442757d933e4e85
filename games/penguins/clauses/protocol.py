"""What the protocol document of the Software-Challenge demands of clients, sentence by sentence.

The document does not number its headings. An id is a word of the heading and the number of the
clause under it.
"""

from games.penguins.clauses import examples
from ludothek.contract.clauses import EVERY_MESSAGE, Clause, Example

# Das Spielprotokoll

PACKETS = Clause(
    id="Spielprotokoll.1",
    section="Das Spielprotokoll",
    quote="In diesem Abschnitt wird die spielunabhängige Kommunikationsschnittstelle für Spieler "
    "festgehalten, um das Schreiben eines komplett eigenen Clients zu ermöglichen.",
    reading="Players send join, joinRoom, joinPrepared and room, in this spelling, and close or "
    "</protocol> in the end; administrators have some packets more. Any other element ends the "
    "connection without an answer, and the game as LEFT with PROTOCOL_ERROR.",
    good=examples.JOIN,
    bad="<Join/>",
    binds=EVERY_MESSAGE,
)

# Spiel betreten

ROOT = Clause(
    id="Betreten.1",
    section="Spiel betreten",
    quote="Dieses Tag eröffnet die Kommunikation mit dem Server.",
    reading="<protocol> comes first and once, and everything else is inside of it, until the "
    "connection ends. A packet instead of it, or a second <protocol>, ends the connection.",
    good=Example("", "<protocol><join/>, and later only <room>…</room> on the same connection"),
    bad=Example(examples.JOIN, "as the first bytes of a connection"),
    binds=EVERY_MESSAGE,
)

# Bestimmte Partie

ROOM_THERE = Clause(
    id="BestimmtePartie.1",
    section="Bestimmte Partie",
    quote="Einer bestimmten, bereits offenen aber noch nicht gestarteten Partie kann durch Angabe "
    "der `ROOM_ID` beigetreten werden:",
    reading="The room must be open. A room is gone when its game is over, or when somebody has "
    "left it. The answer is an errorpacket, and the connection stays open.",
    good=examples.JOIN_ROOM,
    bad=Example(examples.JOIN_ROOM, "when the game in that room is over"),
    crossing=True,
)
ROOM_FREE = Clause(
    id="BestimmtePartie.2",
    section="Bestimmte Partie",
    quote="noch nicht gestarteten Partie",
    reading="A seat must be free. One that is reserved is free only for whoever has its code "
    "(joinPrepared). The answer is an errorpacket, and the connection stays open.",
    good=examples.JOIN_ROOM,
    bad=Example(examples.JOIN_ROOM, "when two players are in that room"),
    crossing=True,
)
ROOM_NAMED = Clause(
    id="BestimmtePartie.3",
    section="Bestimmte Partie",
    quote="durch Angabe der `ROOM_ID`",
    reading="joinRoom has the attribute roomId, in this spelling. Without it: an errorpacket.",
    good=examples.JOIN_ROOM,
    bad=f'<joinRoom room="{examples.ROOM}"/>',
)

# Mit Reservierung

RESERVED = Clause(
    id="Reservierung.1",
    section="Mit Reservierung",
    quote="Unter Angabe eines Reservierungscodes kann man einen reservierten Platz in einer "
    "geplanten Partie einnehmen:",
    reading="A code works once, and as long as its room is there. Otherwise: an errorpacket.",
    good=examples.JOIN_PREPARED,
    bad=Example(examples.JOIN_PREPARED, "for the second time"),
    crossing=True,
)
CODE_NAMED = Clause(
    id="Reservierung.2",
    section="Mit Reservierung",
    quote="Unter Angabe eines Reservierungscodes",
    reading="joinPrepared has the attribute reservationCode. Without it: an errorpacket.",
    good=examples.JOIN_PREPARED,
    bad=f'<joinPrepared code="{examples.CODE}"/>',
)

# Antwort (auf einen Spielbeitritt)

OWN_ROOM = Clause(
    id="Antwort.1",
    section="Spiel betreten: Antwort",
    quote="Identifikationscode der Spielpartie",
    reading="The roomId of a move is that of joined, and the client still plays there: after left "
    "the room is gone. Otherwise the answer is an errorpacket, and no game is lost by it.",
    good=examples.PLACEMENT,
    bad=Example(examples.PLACEMENT, "after left"),
)

# Ablauf

REQUESTED = Clause(
    id="Ablauf.1",
    section="Ablauf",
    quote="Der erste Spieler erhält dann eine Zugaufforderung:",
    reading="Nobody moves without a moveRequest, neither before the opponent is there nor during a "
    "pause. The answer is an error, and the game is lost (RULE_VIOLATION).",
    good=Example(examples.PLACEMENT, "after a moveRequest"),
    bad=Example(examples.PLACEMENT, "right after joined"),
)
IN_TIME = Clause(
    id="Ablauf.2",
    section="Ablauf",
    quote="innerhalb der gesetzten Zeitbeschränkung",
    reading="A move comes within `soft_seconds` of its moveRequest. A later one is not made and "
    "loses the game (SOFT_TIMEOUT); without any, the game ends after `hard_seconds` "
    "(HARD_TIMEOUT). This holds for prepared players with canTimeout, and with "
    "`players_time_out` for all.",
    good=Example(examples.PLACEMENT, "a second after the moveRequest"),
    bad=Example(examples.PLACEMENT, "three seconds after the moveRequest"),
)
MOVE_FORM = Clause(
    id="Ablauf.3",
    section="Ablauf",
    quote="Worauf dieser innerhalb der gesetzten Zeitbeschränkung mit einem [[Zug]]"
    "(https://docs.software-challenge.de/schnittstelle.html#Zug) antwortet:",
    reading="A room has a roomId and one data of the class move. Without a roomId, without data, "
    "or with data that only the server sends, the answer is an errorpacket; anything else that "
    "is in a room ends the connection (LEFT with PROTOCOL_ERROR).",
    good=examples.PLACEMENT,
    bad=examples.room('<data class="Move"><to x="2" y="4"/></data>'),
)

# Zug

MOVE_PARTS = Clause(
    id="Zug.1",
    section="Zug",
    quote="Ein Zug besteht aus einem ``from`` und einem ``to`` Vektor, welche beide `x` und `y` "
    "Werte enthalten.",
    reading="One to, and at most one from, in any order; a penguin is placed without a from. "
    "Anything else among them loses the game (RULE_VIOLATION), hints of earlier years too.",
    good=examples.SLIDE,
    bad=examples.move('<from x="0" y="6"/>'),
)
MOVE_VALUES = Clause(
    id="Zug.2",
    section="Zug",
    quote="welche beide `x` und `y` Werte enthalten",
    reading="Both are there, and both are whole numbers, without blanks, signs other than a minus, "
    "or decimals. Anything else loses the game (RULE_VIOLATION).",
    good=examples.PLACEMENT,
    bad=examples.move('<to x="2"/>'),
)
TURN = Clause(
    id="Zug.3",
    section="Zug",
    quote="Nach Erhalt des Zuges sendet der Server den neuen Spielstatus an alle Spieler und dem "
    "nächsten Spieler eine Zugaufforderung.",
    reading="One move for each moveRequest: whoever moves while it is the other one's turn gets an "
    "error and loses the game (RULE_VIOLATION). A player who cannot move is skipped, so the same "
    "one may be asked twice. A client on both seats moves only for the first.",
    good=Example(examples.PLACEMENT, "once for each moveRequest"),
    bad=Example(examples.PLACEMENT, "twice for one moveRequest"),
)
