"""A match in progress: what happens is told delta by delta."""

import random
from collections.abc import Sequence
from typing import TypeVar

import attrs

from games.quidditch.rules.applier import apply_delta, displace
from games.quidditch.rules.config import Fixture, MatchConfig
from games.quidditch.rules.cubes import landing
from games.quidditch.rules.deltas import Delta, DeltaType
from games.quidditch.rules.entities import Entity
from games.quidditch.rules.pitch import Cell, Side
from games.quidditch.rules.places import free_neighbour
from games.quidditch.rules.snapshot import Player, Snapshot
from games.quidditch.rules.state import Placement, Progress, Result, State, Step, Turn

T = TypeVar("T")


@attrs.define
class Draft:
    """A state in the making. Snapshots are frozen, so an old one stays as it was."""

    rng: random.Random
    fixture: Fixture
    snapshot: Snapshot
    turn: Turn | None
    result: Result | None
    queue: tuple[Entity, ...]
    extra_move: bool
    three_bans: tuple[Side, ...]
    snitch_arrival: int | None
    steps: list[Step] = attrs.field(factory=list)

    @classmethod
    def of(cls, state: State, rng: random.Random) -> "Draft":
        return cls(
            rng,
            state.fixture,
            state.snapshot,
            state.turn,
            state.result,
            state.queue,
            state.extra_move,
            state.three_bans,
            state.snitch_arrival,
        )

    @property
    def config(self) -> MatchConfig:
        return self.fixture.config

    @property
    def round(self) -> int:
        return self.snapshot.round

    def player(self, entity: Entity) -> Player:
        return self.snapshot.player(entity)

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def pick(self, options: Sequence[T]) -> T:
        return self.rng.choice(options)

    def free_neighbour(self, cell: Cell) -> Cell:
        return free_neighbour(self.snapshot, cell, self.rng)

    def after(self, delta: Delta) -> Snapshot:
        """Return what a delta would lead to."""
        return apply_delta(self.snapshot, delta, carries_bludgers=self.config.carries_bludgers)

    def tell(self, delta: Delta, displaced: Placement | None = None) -> None:
        """Apply a delta; a cube on which something lands disappears at once."""
        snapshot = self.after(delta)
        if displaced is not None:
            snapshot = displace(snapshot, displaced.entity, displaced.cell)
        self.snapshot = snapshot
        self.steps.append(Step(snapshot, displaced))
        if delta.new in snapshot.cubes and (entity := landing(delta)) is not None:
            self.tell(Delta(DeltaType.REMOVE_POO, old=delta.new, active=entity))

    def progress(self) -> Progress:
        state = State(
            self.fixture,
            self.snapshot,
            self.turn,
            self.result,
            self.queue,
            self.extra_move,
            self.three_bans,
            self.snitch_arrival,
        )
        return Progress(state, tuple(self.steps))
