"""A match: its pace, its timers, and what everybody is told about it."""

import random
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from math import inf
from typing import Any

import attrs

from games.quidditch import rules
from games.quidditch.codec.containers import timestamp
from games.quidditch.lateness import Missed
from games.quidditch.messages import Contained, MatchFinish, MatchStart, Next, Reconnect, Snapshot
from games.quidditch.pace import Pace
from games.quidditch.replay import MatchRecord, Transcript
from games.quidditch.rules import (
    Delta,
    DeltaType,
    Formation,
    Phase,
    Progress,
    Request,
    Side,
    State,
    Step,
    Turn,
    VictoryReason,
)
from games.quidditch.sight import Sight
from games.quidditch.teams import line_up
from ludothek.contract.clock import Clock
from ludothek.contract.effects import Ended
from ludothek.contract.mistakes import RuleViolation
from ludothek.contract.results import ranked
from ludothek.contract.timers import Timers

# Timers: for the teams to line up, for the answer to a question, and until the next snapshot.
FORMATION, TURN, SNAPSHOT = "formation", "turn", "snapshot"

# A match that is broken off before this round hardly counts.
FEW_ROUNDS = 3


class NotYourTurn(Exception):
    """It is the other side's turn, or nobody's yet."""


class TooLate(Exception):
    """An answer to a question that is no longer open; it is ignored."""


@attrs.frozen(kw_only=True)
class MatchSetup:
    """What a match is played with."""

    lobby: str
    start: MatchStart
    rules: rules.MatchConfig
    spectators: Callable[[], Sequence[str]]  # watching right now
    witnesses: Callable[[], Sequence[str]]  # who have watched at any moment


class Match:
    """Answers whatever happens with the messages for everybody in the lobby.

    Snapshots wait here until the previous one has been shown long enough. `next` is sent with the
    last of them, so that no animation eats into the time for a turn.
    """

    def __init__(
        self,
        setup: MatchSetup,
        clock: Clock,
        timers: Timers,
        rng: random.Random,
    ) -> None:
        self.start = start = setup.start
        self._users = {Side.LEFT: start.left_team_user_name, Side.RIGHT: start.right_team_user_name}
        self.paused_by = ""
        self.halted = False  # paused, and no player can end that
        self._overruled: set[str] = set()  # whose pause somebody else has ended in this turn
        self.record: MatchRecord | None = None  # once it is over
        self._finished: MatchFinish | None = None  # once it is over, too
        self.sight = Sight()
        self._answers = 0
        self._setup = setup
        self._pace = Pace.of(start.match_config)
        self._clock, self._timers, self._rng = clock, timers, rng
        self._transcript = Transcript(setup.lobby, self._date(), start)
        self._formations: dict[Side, Formation] = {}
        self._state: State | None = None
        self._steps: deque[Step] = deque()  # not shown to anybody yet
        self._turn: Turn | None = None  # the one everybody knows about
        self._missed = Missed()
        self._began = self._date()
        timers.start(FORMATION, self._pace.formation / 1000)

    def take_over(self, past: "Match") -> None:
        """Continue from another match with its teams, which these users now lead.

        While teams line up, both do so again: no message could tell how others have done it.
        """
        left, right = self.users
        self.start = attrs.evolve(past.start, left_team_user_name=left, right_team_user_name=right)
        self._setup = attrs.evolve(self._setup, start=self.start, rules=past._setup.rules)
        self._pace = past._pace
        self._transcript = Transcript(self._setup.lobby, self._date(), self.start)
        self._timers.start(FORMATION, self._pace.formation / 1000)
        if past.state is not None:
            self._begin_within(past)

    def _begin_within(self, past: "Match") -> None:
        self._formations, self._answers = {**past._formations}, past._answers
        self._state, self._turn, self._steps = past.state, past._turn, deque(past._steps)
        if past.seen is not None:
            self._show(past.seen)
        self._timers.adopt(past._timers, SNAPSHOT, TURN)
        self._timers.stop(FORMATION)
        if self._turn is not None:
            self.sight.ask(self._turn)
            self._note(self._remaining(self._turn))

    def catch_up(self) -> Iterator[Any]:
        """What is to be told now because it was not in a pause."""
        if self._turn is None and SNAPSHOT not in self._timers:
            yield from self._release()

    # What it looks like

    @property
    def users(self) -> Sequence[str]:
        """Who plays the left side, and who the right one."""
        return tuple(self._users.values())

    @property
    def paused(self) -> bool:
        return self._timers.paused

    @property
    def over(self) -> bool:
        return self.record is not None

    @property
    def decided(self) -> bool:
        """Whether the winner is known by the rules, even if nobody has seen it yet."""
        return self._state is not None and self._state.over

    @property
    def hardly_played(self) -> bool:
        """Whether it was broken off before much could happen."""
        return not self.decided and (self.seen is None or self.seen.round < FEW_ROUNDS)

    @property
    def forming(self) -> bool:
        return self._state is None

    @property
    def unformed(self) -> Sequence[Side]:
        return [side for side in Side if side not in self._formations]

    @property
    def seen(self) -> rules.Snapshot | None:
        """The last snapshot that was sent."""
        return self.sight.snapshot

    @property
    def questions(self) -> Mapping[Side, Hashable]:
        """What the sides have to answer now; each question is different from the one before."""
        if self.forming:
            return dict.fromkeys(self.unformed, FORMATION)
        turn = self._turn
        return {} if turn is None else {turn.side: (self._answers, turn.entity, turn.type)}

    @property
    def formations(self) -> Mapping[Side, Formation]:
        """How teams have lined up, which nobody sees until both have."""
        return self._formations

    @property
    def state(self) -> State | None:
        """Where it stands by the rules, which may be more than was sent; None before it begins."""
        return self._state

    @property
    def unseen(self) -> int:
        """How many snapshots are still to be sent."""
        return len(self._steps)

    def side_of(self, user_name: str) -> Side | None:
        return next((side for side, user in self._users.items() if user == user_name), None)

    def reconnect(self) -> Reconnect:
        """All that a client needs to know when it comes in now."""
        next_ = Contained(self._date(), self._remaining(self._turn)) if self._turn else None
        return Reconnect(Contained(self._began, self.start), self.sight.shown, next_)

    # What happens

    def form(self, side: Side, formation: Formation) -> Iterator[Any]:
        """A side lines up, if the rules allow it."""
        self._formations[side] = formation
        if not self.unformed:
            configs = self.start.left_team_config, self.start.right_team_config
            left, right = map(line_up, configs)
            places = self._formations[Side.LEFT], self._formations[Side.RIGHT]
            yield from self._go_on(rules.start(self._setup.rules, left, right, *places, self._rng))

    def answer(self, side: Side, request: Request) -> Iterator[Any]:
        """A side answers; raises NotYourTurn, TooLate or RuleViolation."""
        if self._state is None or (self._turn and self._turn.side is not side):
            raise NotYourTurn
        if self._turn is None or self._missed.names_other(self._turn, request):
            raise TooLate
        try:
            progress = rules.answer(self._state, request, self._rng)
        except RuleViolation:
            if self._missed.forgive(side, request):
                raise TooLate from None
            raise
        self._answers += 1
        yield from self._go_on(progress)

    def time_up(self, timer: Hashable) -> Iterator[Any]:
        """The next snapshot is due, or nobody has answered."""
        if timer == SNAPSHOT and self._steps:
            yield from self._release()
        elif timer == TURN and self._state is not None and self._turn is not None:
            self._missed.add(self._turn)
            yield from self._go_on(rules.skip(self._state, self._rng))

    def may_be_paused(self, by: str) -> bool:
        """Whether a player may stop the clocks.

        Not twice in a turn against another's will: otherwise a player could avoid losing for ever.
        """
        return not self.paused and by not in self._overruled

    def pause(self, by: str, *, halted: bool = False) -> None:
        self.paused_by, self.halted = by, halted
        self._timers.pause()

    def resume(self, by: str) -> Iterator[Any]:
        """Continue; the side on turn needs to know how much time is left."""
        if by != self.paused_by:
            self._overruled.add(self.paused_by)
        self._timers.resume()
        if self._turn is not None:
            yield self._note(self._remaining(self._turn))
        else:
            yield from self._release()

    def break_off(self, winner: Side | None) -> Iterator[Any]:
        """End it as it was last shown; what is already decided is not taken back."""
        if self.decided:
            while self._steps:
                yield self._show(self._steps.popleft().snapshot)
            yield self._conclude()
            return
        self._steps.clear()
        if self.seen is not None:
            finish = Delta(DeltaType.PHASE_CHANGE, phase=Phase.FINISH)
            yield self._show(rules.apply_delta(self.seen, finish))
        yield self._finish(winner, VictoryReason.VIOLATION_OF_PROTOCOL)

    # How it goes on

    def _go_on(self, progress: Progress) -> Iterator[Any]:
        self._state, self._turn = progress.state, None
        self._overruled.clear()
        self._steps.extend(progress.steps)
        self._timers.stop(FORMATION, TURN)
        yield from self._release()

    def _release(self) -> Iterator[Any]:
        if self.paused:
            return
        while self._steps and not 0 < self._timers.left(SNAPSHOT) < inf:
            yield self._show(self._steps.popleft().snapshot)
        if not self._steps and self._state is not None:
            yield self._conclude()

    def _show(self, snapshot: rules.Snapshot) -> Snapshot:
        message = Snapshot(snapshot, tuple(self._setup.spectators()))
        date = self._date()
        if self.seen is None:
            self._began = date  # «time of the first Snapshot»
        self.sight.show(Contained(date, message), self._answers)
        self._transcript.snapshot(date, message)
        if gap := self._pace.gaps[snapshot.phase]:
            self._timers.start(SNAPSHOT, gap / 1000)
        return message

    def _conclude(self) -> Any:
        """After the last snapshot: who is asked, or who has won."""
        assert self._state is not None
        if self._state.result is not None:
            return self._finish(self._state.result.winner, self._state.result.reason)
        assert self._state.turn is not None
        self._turn = turn = self._state.turn
        self.sight.ask(turn)
        milliseconds = self._pace.turns[turn.type]
        self._timers.start(TURN, milliseconds / 1000)
        return self._note(Next(turn.entity, turn.type, milliseconds))

    def _remaining(self, turn: Turn) -> Next:
        """The open question, with the time that is left for it."""
        return Next(turn.entity, turn.type, round(self._timers.left(TURN) * 1000))

    def _note(self, message: Next) -> Next:
        self._transcript.next(self._date(), message)
        return message

    def _finish(self, winner: Side | None, reason: VictoryReason) -> MatchFinish:
        last = self.seen
        message = MatchFinish(
            end_round=last.round if last else 0,
            left_points=last.left_points if last else 0,
            right_points=last.right_points if last else 0,
            winner_user_name=self._users[winner] if winner else "",
            victory_reason=reason,
        )
        self._timers.stop(FORMATION, TURN, SNAPSHOT)
        self._timers.resume()
        self._finished = message
        self.record = self._transcript.finish(self._date(), message, self._setup.witnesses())
        return message

    def result(self, why: str | None) -> Ended:
        """How it ended: for the standard's reasons, unless the table gives a better one."""
        finish = self._finished
        assert finish is not None
        points = (finish.left_points, finish.right_points)
        users = self.users
        winner = finish.winner_user_name or None
        return Ended(
            players=ranked(
                zip(users, points, strict=True),
                users.index(winner) if winner else None,
                decided=winner is not None,
            ),
            winner=winner,
            reason=why or finish.victory_reason.value,
            moves=self._answers,
        )

    def _date(self) -> str:
        return timestamp(self._clock.date())
