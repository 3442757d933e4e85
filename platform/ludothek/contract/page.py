"""What the web page shows of a game, as the game tells it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.resources.abc import Traversable
from typing import Any

import attrs

from ludothek.contract.frozen import frozen
from ludothek.contract.table import Stage, Table

# {"what": "moved", …}: `what` is a key of the game's words.js, all else are its arguments: texts,
# numbers, events within the event, for what languages call differently, or lists of all these.
Event = Mapping[str, Any]


@frozen(kw_only=True)
class PlayerView:
    """A player, as people see one beside the board."""

    name: str
    score: int | None = None
    turn: bool = False  # is asked to move
    clock: float | None = None  # seconds left; None: there is no clock
    ticking: bool = False
    gone: bool = False  # has left, or is disconnected
    own: Mapping[str, Any] = attrs.field(factory=dict)  # what only this game has, as JSON

    def simple(self) -> dict[str, Any]:
        """As JSON."""
        return {name: getattr(self, name) for name in _SEAT}


_SEAT = tuple(field.name for field in attrs.fields(PlayerView))


@frozen(kw_only=True)
class View:
    """A position, as people see it."""

    stage: Stage
    players: Sequence[PlayerView]  # in the order of turns
    move: int  # how many were made
    board: Mapping[str, Any]  # what the game's board.js draws, as JSON
    winner: str | None = None
    reason: str | None = None  # once the match is over, as in results

    def simple(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "stage": self.stage.value,
            "players": [seat.simple() for seat in self.players],
            "move": self.move,
            "board": self.board,
            "winner": self.winner,
            "reason": self.reason,
        }


@frozen(kw_only=True)
class Page:
    """What the page needs to know about a game.

    The functions are pure. They are called after each step of a table that somebody watches.
    """

    # What stays the same during a match, such as a course; the browser gets it once, as JSON.
    scenery: Callable[[Table], Any]
    # True: with everything that is hidden from spectators. None: there is no match to show.
    view: Callable[[Table, bool], View | None]
    # What a message that the table sends means to everybody; nothing if it is private.
    tell: Callable[[Table, Any], Iterable[Event]]
    # The folder with board.js and words.js.
    files: Traversable
    # What a client says first, as an example for its author.
    hello: str = ""
    # A legal move as JSON, for games that people can play on the page.
    move: Callable[[Any], Any] | None = None
