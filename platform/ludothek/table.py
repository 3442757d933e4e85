"""A table, the talk inside a lobby, and what it may ask of the core."""

import enum
from collections.abc import Iterable
from typing import Any, Protocol

import attrs

from ludothek.client import Client
from transports import Farewell


class Order(enum.Enum):
    """What the daemon tells a table; the table says goodbye in its protocol's words."""

    SHUTDOWN = "the daemon ends"
    FAULT = "a bug has ended this lobby"


@attrs.frozen
class Send:
    """Send one message to one or several clients; it is encoded once."""

    to: Client | Iterable[Client]
    message: Any


@attrs.frozen
class Release:
    """Let a client go back to the reception; its connection stays."""

    client: Client


@attrs.frozen
class Kick:
    """End a client's connection after everything sent so far has reached it."""

    client: Client
    farewell: Farewell


@attrs.frozen
class Close:
    """End this lobby; whoever is still in it goes back to the reception."""


Effect = Send | Release | Kick | Close
Effects = Iterable[Effect]


class Table(Protocol):
    """The talk inside a lobby: five plain methods that never wait, and a deadline.

    Each happening is answered by the effects it has; the lobby performs them in order.
    """

    @property
    def deadline(self) -> float:
        """When `time_up` is due; infinity for never."""

    def enter(self, client: Client, request: Any) -> Effects: ...
    def receive(self, client: Client, message: Any) -> Effects: ...
    def leave(self, client: Client) -> Effects: ...
    def time_up(self) -> Effects: ...
    def order(self, order: Order) -> Effects: ...
