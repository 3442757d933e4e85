"""The agenda of a game: what is still to be done, as data.

A turn is a list of steps. The game does the first one, which may put further steps in front of the
rest, until the first one is a decision that a player has to make. So a game stops anywhere, even
in the middle of a push, and goes on from there.
"""

import enum

import attrs

from games.roborally.rules.cards import Card
from games.roborally.rules.decisions import Decision
from games.roborally.rules.geometry import Cell, Direction


class Stage(enum.Enum):
    """A part of a round that takes no further parameters."""

    UPGRADE_PHASE = enum.auto()
    PROGRAMMING_PHASE = enum.auto()
    END_OF_PROGRAMMING = enum.auto()
    ACTIVATION_PHASE = enum.auto()
    NEXT_REGISTER = enum.auto()
    BLUE_BELTS = enum.auto()
    GREEN_BELTS = enum.auto()
    PUSH_PANELS = enum.auto()
    GEARS = enum.auto()
    BOARD_LASERS = enum.auto()
    ROBOT_LASERS = enum.auto()
    ENERGY_SPACES = enum.auto()
    CHECKPOINTS = enum.auto()
    END_OF_ROUND = enum.auto()


@attrs.frozen
class Turn:
    """A player's turn within a register begins."""

    player_id: int


@attrs.frozen
class Execute:
    """A robot does what a card says."""

    player_id: int
    card: Card


@attrs.frozen
class Hacked:
    """A robot repeats its register once for each Hack that waited for it."""

    player_id: int


@attrs.frozen
class Replace:
    """A played damage card is replaced by the next card of the deck."""

    player_id: int


@attrs.frozen
class Advance:
    """A robot makes this many steps, one at a time."""

    player_id: int
    direction: Direction
    steps: int


@attrs.frozen
class Fall:
    """A robot that left the course, last seen at `place`, or that has to leave it now, reboots."""

    player_id: int
    place: Cell


@attrs.frozen
class Suffer:
    """A robot takes damage."""

    player_id: int
    kind: Card
    count: int


Step = Stage | Turn | Execute | Hacked | Replace | Advance | Fall | Suffer | Decision
