"""Situations through which a check leads a client, as plain data."""

import enum
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from ludothek.contract.frozen import frozen
from ludothek.contract.orders import Opening


class Opponents(enum.StrEnum):
    """What the other players do."""

    PLAY = "play"
    LEAVE = "leave"  # hang up in the middle of the match
    ARE_SLOW = "are slow"  # but in time
    STRAY = "stray"  # send something unreadable once, and play on
    ARE_EXPELLED = "are expelled"  # send nothing but that, until they are sent away
    ARE_SILENT = "are silent"  # until their time has run out


class Server(enum.StrEnum):
    """What the server does in the middle of the match."""

    PLAYS = "plays"
    PAUSES = "pauses"
    SHUTS_DOWN = "shuts down"
    CUTS_OFF = "cuts off"  # the client's connection breaks, and it may come back


class Delivery(enum.StrEnum):
    """How messages of the server look and arrive."""

    PLAIN = "plain"
    PIECES = "pieces"
    GLUED = "glued"
    UNKNOWN_FIELDS = "unknown fields"
    REORDERED = "reordered"


class Seats(enum.StrEnum):
    """What the client finds when it comes."""

    FREE = "free"
    TAKEN = "taken"  # others play already
    GONE = "gone"  # the lobby is closed


@frozen(kw_only=True)
class Situation:
    """One of them."""

    name: str  # what people type
    about: str  # a sentence for people
    opponents: Opponents = Opponents.PLAY
    strength: int | None = None  # the difficulty of the opponents; None: the one at random
    players: int = 0  # how many play; 0: as few as possible
    server: Server = Server.PLAYS
    delivery: Delivery = Delivery.PLAIN
    seats: Seats = Seats.FREE
    long_names: bool = False
    settings: Mapping[str, Any] = attrs.field(factory=dict)  # of the game's endpoint
    lobbies: Sequence[Opening] = ()  # other lobbies that are open
    says: Sequence[Any] = ()  # messages of the opponents when the match has begun
    decisions: int = 0  # of the client, after which this is enough; 0: to the end of the match


@frozen(kw_only=True)
class Situations:
    """What a game says about the situations of its clients."""

    more: Sequence[Situation] = ()
    settings: Mapping[str, Any] = attrs.field(factory=dict)  # for all: short matches, for example
    # For the situation in which time runs out; without, there is none.
    quick_clock: Mapping[str, Any] = attrs.field(factory=dict)
    # For the one in which the connection breaks and the client comes back; without, there is none.
    coming_back: Mapping[str, Any] = attrs.field(factory=dict)
    # Names of situations that its protocol does not have, and why.
    absent: Mapping[str, str] = attrs.field(factory=dict)
