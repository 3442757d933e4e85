"""What we have decided where the interface document is silent.

It describes messages, and leaves the rules of the game to the printed ones.
"""

from games.qwirkle.clauses import examples
from ludothek.contract.clauses import Clause, Example

_RULES = "Rules of the game"
SOME_TILES = Clause(
    id="ours.some-tiles",
    section=_RULES,
    reading="A move has at least one tile; there is no message for passing. An empty list is a "
    "wrong move: MoveValid or TileSwapValid with validation false, and what wrongMove says.",
    good=examples.PLAY,
    bad=examples.message(414, tiles=[]),
    binds=("PlayTiles", "TileSwapRequest"),
)
FREE_CELLS = Clause(
    id="ours.free-cells",
    section=_RULES,
    reading="Each tile is laid on a cell of its own that no tile lies on. Otherwise MoveValid with "
    "validation false, and what wrongMove says.",
    good=examples.play((17, 1, 0)),
    bad=Example(examples.play((17, 0, 0)), "when a tile lies on (0, 0)"),
)
ONE_LINE = Clause(
    id="ours.one-line",
    section=_RULES,
    reading="All tiles of a move lie in one row or in one column, and between the outermost of "
    "them no cell is left empty. Otherwise MoveValid with validation false, and what wrongMove "
    "says.",
    good=examples.play((12, 0, 0), (13, 1, 0)),
    bad=examples.play((12, 0, 0), (13, 2, 0)),
)
CONTACT = Clause(
    id="ours.contact",
    section=_RULES,
    reading="From the second move on, at least one of the tiles lies directly beside, above or "
    "below a tile of the board. Otherwise MoveValid with validation false, and what wrongMove "
    "says.",
    good=Example(examples.play((13, 1, 0)), "when a tile lies on (0, 0)"),
    bad=Example(examples.play((13, 1, 1)), "when the only tile lies on (0, 0)"),
)
MATCHING = Clause(
    id="ours.matching",
    section=_RULES,
    reading="In every line of two or more tiles that a move makes or extends, all have the same "
    "color and different shapes, or the same shape and different colors. Otherwise MoveValid with "
    "validation false, and what wrongMove says.",
    good=examples.play((12, 0, 0), (13, 1, 0)),
    bad=examples.play((12, 0, 0), (19, 1, 0)),
)

_COURTESY = "Where the document is silent"
GREETING = Clause(
    id="ours.greeting",
    section=_COURTESY,
    reading="A client has to send its ConnectRequest within `greeting_seconds` of connecting. The "
    "connection ends otherwise.",
    good=Example(examples.CONNECT, "right after connecting"),
    bad=Example("", "a connection without a ConnectRequest for more than a minute"),
)
LONG_NAMES = Clause(
    id="ours.long-names",
    section=_COURTESY,
    reading="clientName has at most 256 characters. A longer one is answered with ParsingError "
    "(910).",
    good=examples.CONNECT,
    bad=examples.message(100, clientName="x" * 257, clientType="PLAYER"),
)
TOURNAMENTS = Clause(
    id="ours.tournaments",
    section=_COURTESY,
    reading="Who plays in a tournament is for the organiser to decide. GameJoinRequest for a game "
    "with isTournament true is NotAllowed (920); watching it is allowed.",
    good=Example(examples.WATCH, "for a game with isTournament true"),
    bad=Example(examples.JOIN, "for a game with isTournament true"),
    rare="there is no tournament in a check",
)
CROWDED = Clause(
    id="ours.crowded",
    section=_COURTESY,
    reading="A game takes `max_clients_per_lobby` clients, and `max_clients_per_lobby_and_address` "
    "of one address. More are NotAllowed (920).",
    good=Example(examples.WATCH, "once"),
    bad=Example(examples.WATCH, "from a hundred connections of the same machine"),
    rare="only a server that is full insists on it",
)
LONG_CHAT = Clause(
    id="ours.long-chat",
    section=_COURTESY,
    reading="A chat message has at most `chat_length` characters. A longer one is NotAllowed (920) "
    "and reaches nobody.",
    good=examples.CHAT,
    bad=examples.message(306, message="blah " * 201),
)
MUCH_CHAT = Clause(
    id="ours.much-chat",
    section=_COURTESY,
    reading="A client may send `chat_burst` chat messages at once, and `chats_per_second` in the "
    "long run; every 100 characters count as one. More are NotAllowed (920) and reach nobody.",
    good=examples.CHAT,
    bad=Example(examples.CHAT, "eleven times at once"),
)
SECRET_HANDS = Clause(
    id="ours.secret-hands",
    section=_COURTESY,
    reading="With `secret_hands`, BagRequest and PlayerHandsRequest are answered with AccessDenied "
    "(900) until the game is over, whoever asks: a player could watch with a second client.",
    good=Example(examples.BAG, "after Winner"),
    bad=Example(examples.BAG, "during the game"),
    binds=("BagRequest", "PlayerHandsRequest"),
)
IDLE_TURNS = Clause(
    id="ours.idle-turns",
    section=_COURTESY,
    reading="In a game without an organiser, a player whose turns have run out `idle_turns` times "
    "in a row is sent back to the lobby as if slowMove were KICK.",
    good=Example(examples.PLAY, "in every turn in which a move is possible"),
    bad=Example("", "no move in five turns"),
    rare="only in a game without an organiser, and a check has one",
)
