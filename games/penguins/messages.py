"""The messages of the Software-Challenge protocol for Penguins, as the 2023 server speaks it.

A packet is an element right below the root; what is said in a room, by either side, travels as the
data of a `Room` packet.
"""

import enum

import attrs

from games.penguins.layout import Tag
from games.penguins.rules import Move, State, Team
from ludothek.contract.flaws import Flaw
from ludothek.contract.frozen import frozen

GAME_TYPE = "swc_2023_penguins"


# What a client asks for


@frozen
class Join:
    game_type: str | None = None


@frozen
class JoinRoom:
    room_id: str | None


@frozen
class JoinPrepared:
    reservation_code: str | None


@frozen
class CloseConnection:
    pass


# What only an administrator may ask for


@frozen
class Authenticate:
    password: str | None


@frozen
class Slot:
    """One player of a prepared game; on the wire both flags are false unless given."""

    display_name: str | None
    can_timeout: bool = False
    reserved: bool = False


@frozen
class Prepare:
    game_type: str | None
    pause: bool
    slots: tuple[Slot, ...]


@frozen
class Observe:
    room_id: str | None


@frozen
class Pause:
    room_id: str | None
    pause: bool


@frozen
class Step:
    room_id: str | None
    forced: bool = False


@frozen
class Cancel:
    room_id: str | None


# What the server answers


@frozen
class Joined:
    room_id: str | None


@frozen
class Prepared:
    room_id: str | None
    reservations: tuple[str, ...]


@frozen
class Observed:
    room_id: str | None


@frozen
class JoinedGameRoom:
    room_id: str | None
    player_count: int


@frozen
class Left:
    room_id: str | None


# What is said in a room


@frozen
class WelcomeMessage:
    color: Team


@frozen
class Memento:
    state: State


@frozen
class MoveRequest:
    pass


@frozen
class UnreadableMove:
    """A move that is well-formed XML, but does not consist of exactly one from and one to."""

    children: tuple[Tag, ...]
    flaw: Flaw = attrs.field(eq=False, repr=False)  # what is wrong with it


@frozen
class Error:
    message: str
    original_message: Move | UnreadableMove


@frozen
class Paused:
    paused: bool


class Cause(enum.Enum):
    """A player's contribution to the end of the game."""

    REGULAR = "REGULAR"
    LEFT = "LEFT"
    RULE_VIOLATION = "RULE_VIOLATION"
    SOFT_TIMEOUT = "SOFT_TIMEOUT"
    HARD_TIMEOUT = "HARD_TIMEOUT"


@frozen
class Entry:
    """A player's line in the result; an unnamed player has no name."""

    name: str | None
    team: Team
    cause: Cause
    reason: str
    points: int
    fish: int


@frozen
class Result:
    scores: tuple[Entry, ...]
    winner: Team | None


RoomData = WelcomeMessage | Memento | MoveRequest | Move | UnreadableMove | Error | Paused | Result


@frozen
class Room:
    room_id: str | None
    data: RoomData | None  # None: it says nothing, but that is no reason to close the connection


Request = (
    Join
    | JoinRoom
    | JoinPrepared
    | CloseConnection
    | Authenticate
    | Prepare
    | Observe
    | Pause
    | Step
    | Cancel
)
Response = Joined | Prepared | Observed | JoinedGameRoom | Left


@frozen
class ErrorPacket:
    """A request that was refused, and why; the connection stays open."""

    message: str
    original_request: "Request | Response | Room | ErrorPacket"


Packet = Request | Response | Room | ErrorPacket
