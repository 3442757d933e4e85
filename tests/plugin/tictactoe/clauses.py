"""What binds the clients of tic-tac-toe: the sentences of the README, and our decisions."""

from typing import Any

from ludothek.api import TCP_LIMITS, Clause, Clauses, Example, defined_in

from tictactoe.messages import NotJoined, Refused

_HELLO = '{"type": "Hello", "name": "Ann"}'
_JOIN = '{"type": "Join", "spectator": false}'
_MARK = '{"type": "Mark", "lobby": "b1946ac92492d234", "move": 0, "cell": 4}'

# Of the document

LINES = Clause(
    id="1.1",
    section="The protocol",
    quote="each line is a JSON object whose `type` names the message.",
    reading="Anything else is refused, also a message of the server.",
    good=_HELLO,
    bad="Hello, I am Ann",
)
FIRST = Clause(
    id="Hello.1",
    section="Hello",
    quote="the first message",
    reading="Everything before it is refused, and so is a second Hello.",
    good=_HELLO,
    bad=Example(_JOIN, "as the first message"),
)
UNIQUE_NAME = Clause(
    id="Hello.2",
    section="Hello",
    quote="the name is free to choose, as long as nobody has one that looks the same",
    reading="Letters that look the same count as the same. Whoever comes second is refused.",
    good=_HELLO,
    bad=Example(_HELLO, "while somebody is called Ann"),
)
LOBBY_THERE = Clause(
    id="Join.1",
    section="Join",
    quote="by key or name",
    reading="If there is no such lobby, or no seat in it, the answer is NotJoined.",
    good=_JOIN,
    bad='{"type": "Join", "lobby": "nowhere", "spectator": false}',
)
ANSWER = Clause(
    id="Mark.1",
    section="Mark",
    quote="the active player's answer to a position with that `move`",
    reading="Marks of others, and marks for later positions, are refused.",
    good=Example(_MARK, "when `active` is the player's own sign"),
    bad=Example(_MARK, "when it is the other one"),
)
PATIENCE = Clause(
    id="Refused.1",
    section="Refused",
    quote="after some of these the server hangs up",
    reading="After `max_refusals` of them.",
    good=Example("", "a client that reads the reason, and stops"),
    bad=Example("", "a client that says the same thing again and again"),
)

# Ours

_SILENT = "Where the document is silent"
FIELDS = Clause(
    id="ours.fields",
    section=_SILENT,
    reading="All fields but the `lobby` of Join are required, and numbers are written as numbers. "
    "Anything else is refused.",
    good=_MARK,
    bad='{"type": "Mark", "lobby": "b1946ac92492d234", "move": 0, "cell": "4"}',
)
NAMES = Clause(
    id="ours.names",
    section=_SILENT,
    reading="Names of people and lobbies have 1 to 32 visible characters. Others are refused.",
    good=_HELLO,
    bad='{"type": "Hello", "name": ""}',
)
PLACES = Clause(
    id="ours.places",
    section=_SILENT,
    reading="Mark and Leave are for clients in a lobby, everything else is for those outside.",
    good=Example(_MARK, "inside of a lobby"),
    bad=Example(_JOIN, "inside of a lobby"),
)
FREE_CELL = Clause(
    id="ours.free-cell",
    section=_SILENT,
    reading="The cells are numbered from 0 to 8, row by row. A mark needs a free one.",
    good=_MARK,
    bad='{"type": "Mark", "lobby": "b1946ac92492d234", "move": 0, "cell": 9}',
)
LATE = Clause(
    id="ours.late",
    section=_SILENT,
    reading="A mark for an earlier position or during a pause, and whatever names the lobby that "
    "has just ended, is ignored: it may have been under way.",
    good=Example("", "nothing about a lobby after Over"),
    bad=Example(_MARK, "after Over"),
)
ROOM = Clause(
    id="ours.room",
    section=_SILENT,
    reading="Only so many lobbies fit, for all clients and for one address. NotJoined says so.",
    good=Example(_JOIN, "for any seat there is"),
    bad=Example('{"type": "OpenLobby", "name": "Another"}', "sixty-five times"),
)


def _refuses(message: Any) -> bool:
    return isinstance(message, Refused | NotJoined)


CLAUSES = Clauses([*defined_in(globals()), *TCP_LIMITS], refuses=_refuses)
