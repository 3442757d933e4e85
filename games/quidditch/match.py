"""A match: its pace, its clocks, and what everybody is told about it."""

import random
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf
from typing import Any

import attrs

from games.quidditch import rules
from games.quidditch.configs import MatchConfig, TeamConfig
from games.quidditch.containers import timestamp
from games.quidditch.lateness import Missed
from games.quidditch.messages import (
    Contained,
    MatchFinish,
    MatchStart,
    Next,
    Reconnect,
    Snapshot,
)
from games.quidditch.pace import Pace
from games.quidditch.replay import Recorder, Recording
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
from games.quidditch.teams import line_up
from ludothek.contract.clock import Clock, Countdown
from ludothek.contract.mistakes import RuleViolation
from ludothek.contract.results import ranked
from ludothek.contract.table import Ended

# A match that is broken off before this round was hardly one.
FEW_ROUNDS = 3


class NotYourTurn(Exception):
    """The other side is asked, or nobody has been yet."""


class TooLate(Exception):
    """An answer to a question that is not open any more; it is ignored."""


@attrs.frozen
class Contestant:
    """One of the two who play."""

    user_name: str
    config: TeamConfig


@attrs.frozen(kw_only=True)
class Terms:
    """What a match is played by."""

    lobby: str
    config: MatchConfig
    rules: rules.MatchConfig
    spectators: Callable[[], Sequence[str]]  # those who watch at this moment
    witnesses: Callable[[], Sequence[str]]  # those who have watched at any moment


class Match:
    """Answers whatever happens with the messages for everybody in the lobby.

    Snapshots wait here until the one before has been looked at long enough. `next` goes out with
    the last of them, so that no animation takes away from the time for a turn.
    """

    def __init__(
        self, terms: Terms, contestants: Mapping[Side, Contestant], clock: Clock, rng: random.Random
    ) -> None:
        left, right = contestants[Side.LEFT], contestants[Side.RIGHT]
        self.start = MatchStart(
            match_config=terms.config,
            left_team_config=left.config,
            right_team_config=right.config,
            left_team_user_name=left.user_name,
            right_team_user_name=right.user_name,
        )
        self.paused = False
        self.paused_by = ""
        self.halted = False  # paused, and no player may end that
        self._overruled: set[str] = set()  # whose pause somebody else has ended in this turn
        self.recording: Recording | None = None  # once it is over
        self._finished: MatchFinish | None = None  # then, too
        self._answers = 0
        self._terms = terms
        self._pace = Pace.of(terms.config)
        self._contestants = contestants
        self._clock, self._rng = clock, rng
        self._recorder = Recorder(terms.lobby, self._date(), self.start)
        self._formations: dict[Side, Formation] = {}
        self._state: State | None = None
        self._steps: deque[Step] = deque()  # that nobody has seen yet
        self._shown: Contained | None = None  # the last snapshot
        self._turn: Turn | None = None  # that everybody knows of
        self._missed = Missed()
        self._began = self._date()
        self._gap, self._time = Countdown(clock.time), Countdown(clock.time)
        self._gap.start(0)
        self._time.start(self._pace.formation / 1000)

    # What it looks like

    @property
    def deadline(self) -> float:
        if self.over:
            return inf
        return self._gap.deadline if self._steps else self._time.deadline

    @property
    def over(self) -> bool:
        return self.recording is not None

    @property
    def decided(self) -> bool:
        """Whether the rules know who has won, even if nobody has seen it yet."""
        return self._state is not None and self._state.over

    @property
    def hardly_played(self) -> bool:
        """Whether it was broken off before anything could happen."""
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
        return self._shown.message.snapshot if self._shown else None

    def side_of(self, user_name: str) -> Side | None:
        sides = (side for side, one in self._contestants.items() if one.user_name == user_name)
        return next(sides, None)

    def reconnect(self) -> Reconnect:
        """All that somebody needs to know who comes now."""
        next_ = Contained(self._date(), self._remaining(self._turn)) if self._turn else None
        return Reconnect(Contained(self._began, self.start), self._shown, next_)

    # What happens

    def form(self, side: Side, formation: Formation) -> Iterator[Any]:
        """A side lines up, as the rules allow it."""
        self._formations[side] = formation
        if not self.unformed:
            left, right = (line_up(self._contestants[each].config) for each in Side)
            places = self._formations[Side.LEFT], self._formations[Side.RIGHT]
            yield from self._go_on(rules.start(self._terms.rules, left, right, *places, self._rng))

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

    def time_up(self) -> Iterator[Any]:
        """The next snapshot is due, or nobody has answered."""
        if self._steps:
            yield from self._release()
        elif self._state is not None and self._turn is not None:
            self._missed.add(self._turn)
            yield from self._go_on(rules.skip(self._state, self._rng))

    def may_be_paused(self, by: str) -> bool:
        """Whether a player may stop the clocks.

        Not twice in a turn against another's will: who could do it for ever would never lose.
        """
        return not self.paused and by not in self._overruled

    def pause(self, by: str, *, halted: bool = False) -> None:
        self.paused, self.paused_by, self.halted = True, by, halted
        self._gap.pause()
        self._time.pause()

    def resume(self, by: str) -> Iterator[Any]:
        """Go on; whoever is asked needs to know how much time is left."""
        if by != self.paused_by:
            self._overruled.add(self.paused_by)
        self.paused = False
        self._gap.resume()
        self._time.resume()
        if self._turn is not None:
            yield self._note(self._remaining(self._turn))
        else:
            yield from self._release()

    def break_off(self, winner: Side | None) -> Iterator[Any]:
        """End it as it was last seen; what is decided already is not taken back."""
        if self.decided:
            self.paused = False
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
        self._time.stop()
        yield from self._release()

    def _release(self) -> Iterator[Any]:
        if self.paused:
            return
        while self._steps and not self._gap.left:
            yield self._show(self._steps.popleft().snapshot)
        if not self._steps and self._state is not None:
            yield self._conclude()

    def _show(self, snapshot: rules.Snapshot) -> Snapshot:
        message = Snapshot(snapshot, tuple(self._terms.spectators()))
        date = self._date()
        if self._shown is None:
            self._began = date  # «time of the first Snapshot»
        self._shown = Contained(date, message)
        self._recorder.snapshot(date, message)
        self._gap.start(self._pace.gaps[snapshot.phase] / 1000)
        return message

    def _conclude(self) -> Any:
        """After the last snapshot: who is asked, or who has won."""
        assert self._state is not None
        if self._state.result is not None:
            return self._finish(self._state.result.winner, self._state.result.reason)
        assert self._state.turn is not None
        self._turn = turn = self._state.turn
        milliseconds = self._pace.turns[turn.type]
        self._time.start(milliseconds / 1000)
        return self._note(Next(turn.entity, turn.type, milliseconds))

    def _remaining(self, turn: Turn) -> Next:
        """The question that is open, with the time that is left for it."""
        return Next(turn.entity, turn.type, round(self._time.left * 1000))

    def _note(self, message: Next) -> Next:
        self._recorder.next(self._date(), message)
        return message

    def _finish(self, winner: Side | None, reason: VictoryReason) -> MatchFinish:
        last = self.seen
        message = MatchFinish(
            end_round=last.round if last else 0,
            left_points=last.left_points if last else 0,
            right_points=last.right_points if last else 0,
            winner_user_name=self._contestants[winner].user_name if winner else "",
            victory_reason=reason,
        )
        self._finished = message
        self.recording = self._recorder.finish(self._date(), message, self._terms.witnesses())
        return message

    def result(self, why: str | None) -> Ended:
        """How it has ended: by the standard's reasons, where the table has no better one."""
        finish = self._finished
        assert finish is not None
        points = (finish.left_points, finish.right_points)
        users = [self._contestants[side].user_name for side in Side]
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
