"""Quidditch: each snapshot is the one before plus its delta, and turns begin with a question."""

from collections.abc import Sequence
from typing import Any

import attrs

from bench.continuity.gap import Answers, News, require
from games.quidditch import rules
from games.quidditch.messages import (
    JoinRequest,
    JoinResponse,
    LoginGreeting,
    MatchFinish,
    MatchStart,
    Next,
    PauseResponse,
    PrivateWarning,
    Snapshot,
)
from games.quidditch.rules import DeltaType, Entity, Phase
from games.quidditch.rules.entities import BLUDGERS

# What a side decides, apart from moves; all other deltas follow from these or from the rules.
DECISIONS = {
    DeltaType.SKIP,
    DeltaType.UNBAN,
    DeltaType.QUAFFLE_THROW,
    DeltaType.WREST_QUAFFLE,
    DeltaType.BLUDGER_BEATING,
    DeltaType.SNITCH_SNATCH,
    DeltaType.TROLL_ROAR,
    DeltaType.ELF_TELEPORTATION,
    DeltaType.GOBLIN_SHOCK,
    DeltaType.WOMBAT_POO,
}


class QuidditchContinuity:
    """One user and the matches of its lobby, whether it plays or watches."""

    def __init__(self) -> None:
        self._answers = Answers()
        self._joined = False
        self._greeted: set[str] = set()
        self._start: MatchStart | None = None
        self._seen: rules.Snapshot | None = None
        self._question: Next | None = None  # that is open
        self._paused = False
        self._repeats = False  # the open question comes once more
        self._pending = False  # after a snapshot something else comes
        self._pushed: rules.Entity | None = None

    def said(self, message: Any) -> None:
        if isinstance(message, JoinRequest):
            self._answers.expect(JoinResponse)

    def heard(self, message: Any) -> None:
        if self._repeats:
            require(isinstance(message, Next), "no question after the pause")
        if self._joined and not self._greeted:
            require(isinstance(message, LoginGreeting), "we were not greeted")
        match message:
            case JoinResponse():
                self._answers.take(message)
                self._joined = True
            case LoginGreeting(user_name=name):
                require(name not in self._greeted, f"{name} is greeted again")
                self._greeted.add(name)
            case PauseResponse(pause=paused):
                self._pause(paused)
            case PrivateWarning(information=information):
                require(self._paused, f"warned: {information}")
            case _:
                self._hear_of_match(message)

    def _hear_of_match(self, message: Any) -> None:
        match message:
            case MatchStart():
                require(self._start is None, "a match began within another")
                self._start, self._seen, self._question = message, None, None
            case Snapshot(snapshot=snapshot):
                require(self._start is not None, "a snapshot of no match")
                self._look_at(snapshot)
            case Next():
                self._ask(message)
            case MatchFinish():
                self._finish(message)

    def news(self, message: Any, frame: bytes) -> News | None:
        inside = isinstance(message, MatchStart | Snapshot | Next | MatchFinish | PauseResponse)
        return News.of(message, frame) if inside else None

    @property
    def owed(self) -> Sequence[str]:
        owed = self._answers.owed
        if self._pending and not self._paused:
            owed.append("Next or MatchFinish")
        if self._repeats:
            owed.append("Next after a pause")
        return owed

    def _look_at(self, after: rules.Snapshot) -> None:
        before, self._seen, self._pending = self._seen, after, True
        question, self._question = self._question, None
        if before is None:
            require(after.round == 1 and after.phase is Phase.BALL, "the first snapshots are gone")
            return
        delta = after.delta
        decided = delta.type in DECISIONS or (delta.type is DeltaType.MOVE and self._flies(delta))
        require(decided is (question is not None), f"{delta.type} with or without a question")
        if question is not None:
            require(delta.active is question.turn, "another one's turn than was asked")
        else:
            require(after != before, "the same snapshot again")
        require(_comes_from(before, delta), f"{delta.active} was not at {delta.old}")
        expected = rules.apply_delta(before, delta)
        require(_is(after, expected), f"{delta.type} does not lead from the last snapshot to this")
        self._pushed = _pushed(after, expected)

    def _flies(self, delta: rules.Delta) -> bool:
        """Whether somebody moves who was not pushed away."""
        entity = delta.active
        return entity is not None and entity.is_player and entity is not self._pushed

    def _ask(self, question: Next) -> None:
        require(self._seen is not None, "a question before the first snapshot")
        if self._repeats:
            self._repeats = False
            same = self._question and (self._question.turn, self._question.type)
            require(same == (question.turn, question.type), "another question than before")
            return
        require(self._question is None, "a question after a question")
        require(self._pending, "a question without a snapshot")
        self._question, self._pending = question, False

    def _pause(self, paused: bool) -> None:
        require(paused is not self._paused, "a pause within a pause, or none to end")
        self._paused = paused
        self._repeats = not paused and self._question is not None

    def _finish(self, finish: MatchFinish) -> None:
        require(self._start is not None and self._seen is not None, "the end of no match")
        assert self._seen is not None
        points = self._seen.left_points, self._seen.right_points
        require((finish.left_points, finish.right_points) == points, "other points at the end")
        require(finish.end_round == self._seen.round, "another round at the end")
        require(self._question is None, "the end while a question is open")
        self._start = self._seen = self._question = None
        self._pending = self._paused = False


def _is(after: rules.Snapshot, expected: rules.Snapshot) -> bool:
    """Whether a snapshot is the expected one, apart from what its delta does not tell."""
    if after == expected:
        return True
    match after.delta.type:
        case DeltaType.MOVE if (entity := _pushed(after, expected)) is not None:
            there = attrs.evolve(expected.player(entity), cell=after.player(entity).cell)
            others = expected.players
            players = tuple(there if each.entity is entity else each for each in others)
            elsewhere = attrs.evolve(expected, players=players, quaffle=after.quaffle)
            return after == elsewhere
        case DeltaType.TURN_USED:  # one of several fans who look alike
            return attrs.evolve(after, fans=expected.fans) == expected
    return False


def _pushed(after: rules.Snapshot, expected: rules.Snapshot) -> rules.Entity | None:
    """The player that another one has pushed off its cell; a delta of its own follows."""
    pairs = zip(after.players, expected.players, strict=True)
    moved = [now.entity for now, then in pairs if now.cell != then.cell]
    return moved[0] if len(moved) == 1 else None


def _comes_from(before: rules.Snapshot, delta: rules.Delta) -> bool:
    """Whether a ball that moves was where its delta says."""
    places = {Entity.QUAFFLE: before.quaffle, Entity.SNITCH: before.snitch}
    places |= dict(zip(BLUDGERS, before.bludgers, strict=True))
    if delta.type is not DeltaType.MOVE or delta.old is None or delta.active not in places:
        return True
    return places[delta.active] == delta.old
