"""Invariants of every snapshot of a Quidditch match, and players who make it interesting."""

import random
from collections.abc import Iterator

from games.quidditch.rules import (
    ALL_GOALS,
    GOALS,
    ON_PITCH,
    PLAYERS,
    Cell,
    DeltaType,
    Entity,
    Progress,
    Request,
    Snapshot,
    State,
    Step,
    answer,
    apply_delta,
    can_act,
    displace,
    distance,
    legal_requests,
    skip,
)


def audit(snapshot: Snapshot) -> None:
    """Fail unless everybody and everything is somewhere, and no two players on one cell."""
    assert [player.entity for player in snapshot.players] == list(PLAYERS)
    places = [player.cell for player in snapshot.players if not player.banned]
    assert len(places) == len(set(places)), "two players on one cell"
    assert {player.cell for player in snapshot.players} <= ON_PITCH
    assert {snapshot.quaffle, *snapshot.bludgers, *snapshot.cubes} <= ON_PITCH
    assert snapshot.snitch is None or snapshot.snitch in ON_PITCH
    assert (snapshot.snitch is None) == (snapshot.round < 13) or snapshot.phase == "ballPhase"
    assert len(snapshot.cubes) == len(set(snapshot.cubes))
    assert len(snapshot.fans) == 14
    if snapshot.holder is not None:
        holder = snapshot.player(snapshot.holder)
        assert holder.entity.handles_quaffle
        assert holder.cell == snapshot.quaffle
        assert not holder.banned


def audit_rest(snapshot: Snapshot) -> None:
    """What also holds whenever the match waits for an answer."""
    assert snapshot.quaffle not in ALL_GOALS
    if snapshot.holder is None:
        assert snapshot.at(snapshot.quaffle) is None, "somebody sits on the quaffle"
    things = {snapshot.quaffle, *snapshot.bludgers, snapshot.snitch}
    things |= {player.cell for player in snapshot.players if not player.banned}
    assert not things & set(snapshot.cubes)


class Follower:
    """Follows a match from its first snapshot on by deltas alone."""

    def __init__(self, first: Snapshot, *, carries_bludgers: bool) -> None:
        self.shown = first
        self.believed = first
        self._carries = carries_bludgers
        self._pushed: Entity | None = None

    def follow(self, step: Step) -> None:
        expected = apply_delta(self.shown, step.delta, carries_bludgers=self._carries)
        if step.displaced is not None:
            expected = displace(expected, step.displaced.entity, step.displaced.cell)
            self._pushed = step.displaced.entity
        elif step.delta.type is DeltaType.MOVE and step.delta.active is self._pushed:
            self._pushed = None
        assert step.snapshot == expected
        self.shown = step.snapshot
        self.believed = apply_delta(self.believed, step.delta, carries_bludgers=self._carries)
        if self._pushed is None:
            assert self.believed == self.shown


def watch(progress: Progress, follower: Follower) -> None:
    """Check everything that an answer led to."""
    for step in progress.steps:
        follower.follow(step)
        audit(step.snapshot)
    state = progress.state
    assert state.snapshot is follower.shown
    assert (state.turn is None) is state.over
    if not state.over:
        audit_rest(state.snapshot)


def play(progress: Progress, rng: random.Random) -> Iterator[Progress]:
    """Yield what happens until the match is over."""
    while not progress.state.over:
        request = choose(progress.state, rng)
        if request.type is DeltaType.SKIP and rng.random() < 0.5:
            progress = skip(progress.state, rng)
        else:
            progress = answer(progress.state, request, rng)
        yield progress


def choose(state: State, rng: random.Random) -> Request:
    """Return any legal request, more often one that speeds things up."""
    legal = legal_requests(state)
    assert state.turn is not None
    entity, snapshot = state.turn.entity, state.snapshot
    if rng.random() < 0.3:
        return rng.choice(legal)
    if entity.is_fan:
        return legal[-1]  # they would keep everybody from getting anywhere
    goals = sorted(GOALS[entity.side.opponent])
    if legal[0].type is DeltaType.MOVE and can_act(snapshot, entity) and rng.random() < 0.5:
        return legal[0]  # stay
    if legal[0].type is DeltaType.MOVE:
        return _hurry(legal, _wish(entity, snapshot, goals), rng)
    if legal[0].type is DeltaType.QUAFFLE_THROW:
        return Request(DeltaType.QUAFFLE_THROW, rng.choice(goals), entity)
    hits = [r for r in legal if r.type is DeltaType.BLUDGER_BEATING and _hit(snapshot, r.new)]
    return rng.choice(hits or legal[:-1] or legal)


def _hit(snapshot: Snapshot, cell: Cell | None) -> bool:
    return cell is not None and snapshot.at(cell) is not None


def _wish(entity: Entity, snapshot: Snapshot, goals: list[Cell]) -> Cell:
    if entity.role == "seeker" and snapshot.snitch is not None:
        return snapshot.snitch
    if entity.role == "beater":
        return snapshot.bludgers[entity.number % 2]
    return goals[1] if snapshot.holder is entity else snapshot.quaffle


def _hurry(legal: list[Request], wish: Cell, rng: random.Random) -> Request:
    moves = [request for request in legal if request.new is not None]
    rng.shuffle(moves)
    return min(moves, key=lambda request: distance(request.new or wish, wish))
