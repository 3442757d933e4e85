"""A match at one moment, with everything needed to continue it."""

import enum

from games.quidditch.rules.config import Fixture
from games.quidditch.rules.deltas import Delta
from games.quidditch.rules.entities import Entity
from games.quidditch.rules.pitch import Cell, Side
from games.quidditch.rules.snapshot import Snapshot
from ludothek.contract.frozen import frozen


class TurnType(enum.StrEnum):
    """What a side is asked for (turnType)."""

    MOVE = "move"
    ACTION = "action"
    FAN = "fan"
    REMOVE_BAN = "removeBan"


class VictoryReason(enum.StrEnum):
    """Why a team has won (victoryReasonType)."""

    DISQUALIFICATION = "disqualification"
    BOTH_DISQUALIFICATION_MOST_POINTS = "bothDisqualificationMostPoints"
    BOTH_DISQUALIFICATION_SNITCH_CATCH = "bothDisqualificationPointsEqualSnitchCatch"
    BOTH_DISQUALIFICATION_LAST = "bothDisqualificationPointsEqualLastDisqualification"
    MOST_POINTS = "mostPoints"
    POINTS_EQUAL_SNITCH_CATCH = "pointsEqualSnitchCatch"
    VIOLATION_OF_PROTOCOL = "violationOfProtocol"


@frozen
class Turn:
    """What the match waits for: the content of a `next`."""

    entity: Entity
    type: TurnType

    @property
    def side(self) -> Side:
        return self.entity.side


@frozen
class Result:
    """How a match ended; `end_round` is the round in which it did."""

    winner: Side
    reason: VictoryReason
    end_round: int


@frozen
class State:
    """The last snapshot, whose turn it is, and what no snapshot shows."""

    fixture: Fixture
    snapshot: Snapshot
    turn: Turn | None = None
    result: Result | None = None
    queue: tuple[Entity, ...] = ()  # who has a turn later in this phase
    extra_move: bool = False  # the open move is the second one of its turn
    three_bans: tuple[
        Side, ...
    ] = ()  # teams with three players banned, the first to get there first
    snitch_arrival: int | None = None  # the round in which it came to rest in the middle

    @property
    def over(self) -> bool:
        return self.result is not None


@frozen
class Placement:
    """Where a player is shown."""

    entity: Entity
    cell: Cell


@frozen
class Step:
    """One snapshot to send.

    `displaced` is set where a player moves onto another's cell: no snapshot ever shows two on one
    cell, so the other player already stands where the next move delta will put him. Apart from
    that, each snapshot follows from the previous one by its delta alone.
    """

    snapshot: Snapshot
    displaced: Placement | None = None

    @property
    def delta(self) -> Delta:
        return self.snapshot.delta


@frozen
class Progress:
    """What an answer led to: the new state, and all snapshots up to it, the newest last."""

    state: State
    steps: tuple[Step, ...]
