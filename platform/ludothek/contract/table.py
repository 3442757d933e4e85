"""A table, the talk inside a lobby, and what it may ask of the core."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

import attrs

from ludothek.contract.frozen import frozen
from ludothek.contract.keeping import Room
from ludothek.contract.orders import Order
from ludothek.contract.results import Place
from ludothek.runtime.client import Client
from transports import Farewell


@frozen
class Send:
    """Send one message to one or several clients; it is encoded once."""

    to: Client | Iterable[Client]
    message: Any


@frozen
class Fetch:
    """Send one client a message that takes long to make; a worker thread makes and encodes it.

    Who asks for the same again before it is there gets it once.
    """

    to: Client
    make: Callable[[], Any]


@frozen
class Release:
    """Let a client go back to the reception; its connection stays."""

    client: Client


@frozen
class Kick:
    """End a client's connection after everything sent so far has reached it."""

    client: Client
    farewell: Farewell


@frozen
class Close:
    """End this lobby; whoever is still in it goes back to the reception."""


@frozen
class Save:
    """Keep a file in the state directory, beside the game: the table never hears of the disk.

    The content is made in a worker thread. Of all files in the folder as many stay as the room
    allows, in fair shares.
    """

    folder: str
    name: str
    content: Callable[[], bytes]
    room: Room


@frozen
class Chore:
    """Have something done in a worker thread, beside the game, that waits for a disk.

    Nobody is told how it went; it may raise OSError.
    """

    do: Callable[[], None]


@frozen
class Began:
    """A match has begun between players of these names, in the order of turns."""

    players: Sequence[str]


@frozen(kw_only=True)
class Ended:
    """The match that has begun is over; its result is told to the log and kept in a file.

    A table yields it once for each match, however it ends. Where that fails, the lobby does it.
    """

    players: Sequence[Place]
    winner: str | None
    reason: str  # one word: regular, left, timeout, aborted or one of the game's own
    moves: int


Effect = Send | Fetch | Release | Kick | Close | Save | Chore | Began | Ended
Effects = Iterable[Effect]


@frozen(kw_only=True)
class Summary:
    """A lobby in one line, for people who watch over many."""

    name: str
    state: str
    players: Sequence[str] = ()
    spectators: Sequence[str] = ()
    facts: Mapping[str, Any] = attrs.field(factory=dict)  # what only this game has to tell
    idle: bool = False  # no match would be lost if the lobby ended now


class Table(Protocol):
    """The talk inside a lobby: five plain methods that never wait, and a deadline.

    Each happening is answered by the effects it has; the lobby performs them in order.
    """

    @property
    def deadline(self) -> float:
        """When `time_up` is due; infinity for never."""

    @property
    def summary(self) -> Summary: ...

    def enter(self, client: Client, request: Any) -> Effects: ...
    def receive(self, client: Client, message: Any) -> Effects: ...
    def leave(self, client: Client) -> Effects: ...
    def time_up(self) -> Effects: ...
    def order(self, order: Order) -> Effects:
        """Obey, or raise OrderRefused; a Shutdown or Fault is never refused."""
