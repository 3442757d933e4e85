"""How one side sees a match at one moment: who is where, what may succeed, what it is worth.

All values are in points of the match, where a goal is worth ten.
"""

import random
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TypeVar

import attrs

from games.quidditch.bots.temper import Temper
from games.quidditch.rules import (
    GOALS,
    NEIGHBOURS,
    Cell,
    DeltaType,
    Entity,
    Fixture,
    MatchConfig,
    Player,
    Position,
    Request,
    Role,
    Side,
    Snapshot,
    State,
    crossed,
    distance,
    player_of,
)
from games.quidditch.rules.fouls import fouls
from games.quidditch.rules.snitch import CATCH_POINTS
from games.quidditch.rules.throws import scores
from games.quidditch.rules.victory import BANS_TO_LOSE

GOAL = 10.0
CARRIED = 0.7  # how likely a chaser gets one cell further with the quaffle
DISASTER = 60.0  # what wins or loses a match for certain

# What it costs to lack a player until the next goal: for the first one, and for the second.
BAN = (4.0, 7.0)
BRIEF_BAN = 0.6  # there was a goal: he is back after this round, just elsewhere
SEEKER_BAN = 8.0  # more, while the snitch is out

T = TypeVar("T")


@attrs.frozen
class Shot:
    """The best throw at a goal from some cell; no goal if it cannot succeed."""

    chance: float
    goal: Cell | None


@attrs.frozen(slots=False)
class Outlook:
    """What the side on turn sees; a client can see all of it."""

    fixture: Fixture
    snapshot: Snapshot
    entity: Entity  # whose turn it is
    temper: Temper
    rng: random.Random
    _shots: dict[tuple[Side, Cell], Shot] = attrs.field(factory=dict, repr=False)

    @classmethod
    def of(cls, state: State, temper: Temper, rng: random.Random) -> "Outlook":
        assert state.turn is not None
        return cls(state.fixture, state.snapshot, state.turn.entity, temper, rng)

    # Who is where

    @property
    def config(self) -> MatchConfig:
        return self.fixture.config

    @property
    def side(self) -> Side:
        return self.entity.side

    @property
    def cell(self) -> Cell:
        """Where the player on turn is."""
        return self.snapshot.player(self.entity).cell

    @cached_property
    def there(self) -> Mapping[Cell, Player]:
        return {player.cell: player for player in self.snapshot.players if not player.banned}

    @cached_property
    def foes(self) -> tuple[Player, ...]:
        return self._present(self.side.opponent)

    @cached_property
    def mates(self) -> tuple[Player, ...]:
        """The own team except for the player on turn."""
        return tuple(each for each in self._present(self.side) if each.entity is not self.entity)

    def _present(self, side: Side) -> tuple[Player, ...]:
        return tuple(player for player in self.snapshot.team(side) if not player.banned)

    @cached_property
    def awake(self) -> Mapping[Side, frozenset[Cell]]:
        """Where the players are who can catch a throw."""
        return {
            side: frozenset(each.cell for each in self._present(side) if not each.knockout)
            for side in Side
        }

    def seeker(self, side: Side) -> Player:
        return self.snapshot.player(player_of(side, Position.SEEKER))

    @property
    def holder(self) -> Player | None:
        """Who has the quaffle."""
        holder = self.snapshot.holder
        return None if holder is None else self.snapshot.player(holder)

    @property
    def foe_with_quaffle(self) -> Player | None:
        holder = self.holder
        return holder if holder and holder.entity.side is not self.side else None

    # What may succeed

    def flight(self, side: Side, start: Cell, target: Cell) -> float:
        """The probability that a throw by a side's player comes down on its target."""
        opponents = self.awake[side.opponent]
        in_the_way = sum(cell in opponents for cell in (*crossed(start, target), target))
        config = self.config
        straight = config.throw_success ** distance(start, target)
        return float(straight * (1 - config.catch_quaffle) ** in_the_way)

    def shot(self, side: Side, start: Cell) -> Shot:
        """The best chance of a side's chaser to score from a cell."""
        known = self._shots.get((side, start))
        if known is None:
            known = self._shots[side, start] = self._best_shot(side, start)
        return known

    def _best_shot(self, side: Side, start: Cell) -> Shot:
        best = Shot(0.0, None)
        for goal in GOALS[side.opponent]:
            if scores(start, goal) and not self.guarded(goal, side.opponent):
                chance = self.flight(side, start, goal)
                if chance > best.chance:
                    best = Shot(chance, goal)
        return best

    def prospect(self, side: Side, start: Cell) -> float:
        """How likely the quaffle in the hands of a side's chaser becomes a goal: it can be thrown
        at an open one, or carried into one that is not."""
        shot = self.shot(side, start).chance
        if not self.temper.fouls:
            return shot
        way = min(distance(start, goal) for goal in GOALS[side.opponent])
        return max(shot, CARRIED**way)

    def guarded(self, goal: Cell, defender: Side) -> bool:
        """Whether a player of a team sits in a goal, so that nothing can get in."""
        player = self.there.get(goal)
        return player is not None and player.entity.side is defender

    # What it is worth

    @property
    def lead(self) -> int:
        return self.snapshot.points(self.side) - self.snapshot.points(self.side.opponent)

    @property
    def wants_snitch(self) -> bool:
        """Whether catching the snitch would win the match."""
        return self.lead + CATCH_POINTS >= 0

    def doomed(self, side: Side) -> bool:
        """Whether a side loses by its bans after this round if nobody scores."""
        snapshot = self.snapshot
        return (
            snapshot.banned(side) >= BANS_TO_LOSE
            and snapshot.banned(side.opponent) < BANS_TO_LOSE
            and not snapshot.goal_was_thrown_this_round
        )

    @cached_property
    def goal_worth(self) -> float:
        """What the next goal of the own team is worth: it brings back all banned players."""
        if self.doomed(self.side.opponent):
            return -DISASTER
        if self.doomed(self.side):
            return DISASTER
        if self.snapshot.goal_was_thrown_this_round:
            return GOAL
        ours, theirs = map(self.snapshot.banned, (self.side, self.side.opponent))
        return GOAL + 2.0 * (min(ours, 2) - min(theirs, 2))

    def ban_cost(self, entity: Entity) -> float:
        """What it costs if one of our players is banned now."""
        if self.snapshot.goal_was_thrown_this_round:
            return BRIEF_BAN
        banned = self.snapshot.banned(entity.side)
        cost = BAN[banned] if banned < len(BAN) else DISASTER
        seeks = entity.role is Role.SEEKER and self.snapshot.snitch is not None
        return cost + (SEEKER_BAN if seeks else 0.0)

    def foul_cost(self, cell: Cell, *, scores: bool = False) -> float:
        """What the fouls of a move are expected to cost; a goal undoes every ban."""
        undetected = 1.0
        for foul in fouls(self.snapshot, self.entity, cell):
            if not self.temper.fouls:
                return DISASTER
            undetected *= 1 - self.config.foul_detection[foul]
        return (1 - undetected) * (BRIEF_BAN if scores else self.ban_cost(self.entity))

    # Choosing

    def steps(self) -> list[Cell]:
        """Where the player on turn may move, including his own cell."""
        cells = (self.cell, *NEIGHBOURS[self.cell])
        return [cell for cell in cells if cell not in self.snapshot.cubes]

    def best(self, options: Iterable[T], worth: Callable[[T], float]) -> tuple[T, float]:
        """The option worth most, and how much; ties are broken at random."""
        valued = [(worth(option), self.rng.random(), option) for option in options]
        value, _, option = max(valued, key=lambda each: each[:2])
        return option, value

    def move(self, worth: Callable[[Cell], float]) -> Request:
        """The move that is worth most."""
        steps = self.steps()
        if not steps:
            return self.skip()
        cell, _ = self.best(steps, worth)
        return Request(DeltaType.MOVE, new=cell, active=self.entity)

    def skip(self) -> Request:
        return Request(DeltaType.SKIP, active=self.entity)
