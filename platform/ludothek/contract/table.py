"""A table: the conversation inside a lobby."""

import enum
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Protocol

import attrs

from ludothek.contract.client import Client
from ludothek.contract.effects import Effects
from ludothek.contract.frozen import frozen
from ludothek.contract.orders import Order
from ludothek.contract.timers import Timers

# Decisions that a match waits for, by the number of the client that has to make them. While a value
# stays the same, it is the same decision.
Awaited = Mapping[int, Hashable]


class Stage(enum.Enum):
    """How far a match has come, in words that all games share."""

    WAITING = "waiting"
    RUNNING = "running"
    PAUSED = "paused"
    ENDED = "ended"


@frozen(kw_only=True)
class Summary:
    """A lobby in one line, for people who watch over many."""

    name: str  # everybody may see it; empty: it has none
    stage: Stage
    state: str = ""  # the stage in the game's own words, if it has others
    players: Sequence[str] = ()
    spectators: Sequence[str] = ()
    facts: Mapping[str, Any] = attrs.field(factory=dict)  # what only this game has to tell
    idle: bool = False  # no match would be lost if the lobby ended now


class Table(Protocol):
    """The conversation inside a lobby: plain methods that never wait.

    Each happening is answered by its effects; the core performs them in order.
    """

    timers: Timers
    # Plain data from which the game can make this table again, as it was at first.
    recipe: Any = None

    @property
    def summary(self) -> Summary: ...

    @property
    def awaited(self) -> Awaited:
        """Whom this table waits for at this moment; tournaments measure think times with it."""
        return {}

    def enter(self, client: Client, admission: Any) -> Effects:
        """A client comes in; the admission is what the reception knows about it."""

    def receive(self, client: Client, message: Any) -> Effects:
        """A client has said something."""

    def leave(self, client: Client) -> Effects:
        """A client has gone: it has hung up, or this table has released or kicked it."""

    def order(self, order: Order) -> Effects:
        """Obey, or raise OrderRefused; a Shutdown or Fault is never refused."""

    def time_up(self, timer: Hashable) -> Effects:
        """A timer is due."""
        return ()

    def told(self, notice: Any) -> Effects:
        """The reception has something to tell."""
        return ()

    def worked(self, about: Hashable, result: Any) -> Effects:
        """Something slow is done."""
        return ()
