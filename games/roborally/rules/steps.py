"""The agenda of a game: what is still to be done, as data.

A turn is a list of steps. The game performs the first one, which may put further steps in front of
the rest, until the first one is a decision that a player has to make. So a game can stop anywhere,
even in the middle of a push, and go on from there.
"""

import enum

from games.roborally.rules.cards import REGISTERS, Card
from games.roborally.rules.decisions import Decision, Program, Purchase, RegisterCard, StartPoint
from games.roborally.rules.geometry import Cell, Direction
from ludothek.contract.frozen import frozen


class Stage(enum.Enum):
    """A part of a round that takes no further parameters."""

    UPGRADE_PHASE = enum.auto()
    PROGRAMMING_PHASE = enum.auto()
    END_OF_PROGRAMMING = enum.auto()
    ACTIVATION_PHASE = enum.auto()
    REGISTER = enum.auto()
    BLUE_BELTS = enum.auto()
    GREEN_BELTS = enum.auto()
    PUSH_PANELS = enum.auto()
    GEARS = enum.auto()
    BOARD_LASERS = enum.auto()
    ROBOT_LASERS = enum.auto()
    ENERGY_SPACES = enum.auto()
    CHECKPOINTS = enum.auto()
    END_OF_ROUND = enum.auto()


ELEMENTS: tuple[Stage, ...] = (
    Stage.BLUE_BELTS,
    Stage.BLUE_BELTS,
    Stage.GREEN_BELTS,
    Stage.PUSH_PANELS,
    Stage.GEARS,
    Stage.BOARD_LASERS,
    Stage.ROBOT_LASERS,
    Stage.ENERGY_SPACES,
    Stage.CHECKPOINTS,
)

ROUND: tuple[Stage, ...] = (
    Stage.UPGRADE_PHASE,
    Stage.PROGRAMMING_PHASE,
    Stage.ACTIVATION_PHASE,
    *(Stage.REGISTER, *ELEMENTS) * REGISTERS,
    Stage.END_OF_ROUND,
)


@frozen
class Call:
    """A player becomes the current one and has to decide."""

    decision: StartPoint | Purchase | RegisterCard

    @property
    def player_id(self) -> int:
        return self.decision.player_id


@frozen
class Execute:
    """A robot does what a card says."""

    player_id: int
    card: Card


@frozen
class Hacked:
    """A robot repeats its register for every Hack that was played before the register's turn."""

    player_id: int


@frozen
class Replace:
    """The next card of the deck is played for a damage card, in its register or without one."""

    player_id: int
    in_register: bool


@frozen
class Advance:
    """A robot makes this many steps, one at a time."""

    player_id: int
    direction: Direction
    steps: int


@frozen
class Fall:
    """A robot reboots; `place` tells on which board that happened."""

    player_id: int
    place: Cell


@frozen
class Suffer:
    """A robot takes damage."""

    player_id: int
    kind: Card
    count: int


Step = Stage | Call | Execute | Hacked | Replace | Advance | Fall | Suffer | Decision


def concerned(step: Step) -> int | None:
    """Return whose step this is, if it belongs to one player."""
    return None if isinstance(step, Stage | Program) else step.player_id
