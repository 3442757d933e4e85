"""The messages of tic-tac-toe over lines."""

from ludothek.api import frozen


@frozen
class Lobby:
    key: str
    name: str
    players: list[str]
    running: bool


# What clients say


@frozen(kw_only=True)
class Hello:
    name: str


@frozen(kw_only=True)
class ListLobbies:
    pass


@frozen(kw_only=True)
class OpenLobby:
    name: str


@frozen(kw_only=True)
class Join:
    lobby: str | None = None
    spectator: bool


@frozen(kw_only=True)
class Mark:
    lobby: str
    move: int
    cell: int


@frozen(kw_only=True)
class Leave:
    lobby: str


# What the server says


@frozen(kw_only=True)
class Welcome:
    key: str


@frozen(kw_only=True)
class Lobbies:
    lobbies: list[Lobby]


@frozen(kw_only=True)
class Joined:
    lobby: str
    spectator: bool


@frozen(kw_only=True)
class NotJoined:
    reason: str


@frozen(kw_only=True)
class Started:
    x: str
    o: str


@frozen(kw_only=True)
class Position:
    board: str
    move: int
    active: str
    paused: bool
    seconds: int | None = None


@frozen(kw_only=True)
class Over:
    board: str
    winner: str | None = None
    reason: str


@frozen(kw_only=True)
class Left:
    lobby: str


@frozen(kw_only=True)
class Closed:
    lobby: str
    reason: str


@frozen(kw_only=True)
class Refused:
    reason: str


_REQUESTS = (Hello, ListLobbies, OpenLobby, Join, Mark, Leave)
_ANSWERS = (Welcome, Lobbies, Joined, NotJoined, Started, Position, Over, Left, Closed, Refused)

MESSAGES: dict[str, type] = {cls.__name__: cls for cls in (*_REQUESTS, *_ANSWERS)}
REQUESTS = {cls.__name__ for cls in _REQUESTS}
