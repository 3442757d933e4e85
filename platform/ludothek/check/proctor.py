"""The proctor: leads a client through one situation."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import trio

from ludothek.arena.bounds import Bounds
from ludothek.arena.entrant import Entrant, Kind
from ludothek.arena.outcome import Reason
from ludothek.arena.referee import Referee
from ludothek.arena.seat import Offence, Seat
from ludothek.arena.task import Task
from ludothek.check.attendants import LONG_NAME, Attendants, Tell
from ludothek.check.transcript import Incident
from ludothek.check.trial import Trial
from ludothek.contract import registry
from ludothek.contract.chance import Chance
from ludothek.contract.clauses import Consequence
from ludothek.contract.game import Game
from ludothek.contract.limit_clauses import limit_broken
from ludothek.contract.orders import OrderRefused, Pause, Resume
from ludothek.contract.situation import Seats, Server, Situation
from ludothek.kit.embellished import Embellished, change_for
from ludothek.runtime.lobby import Lobby
from transports import BUGS, Complaint, Farewell, Poller

if TYPE_CHECKING:
    from ludothek.arena.program import End

# Decisions of the client before the server does something.
BEFORE = 2

# Decisions after it has come back that show that it plays.
BACK = 2

PAUSE_SECONDS = 1.5

# Seconds in which a client may show what it does when the match is over, or the server gone.
LINGER_SECONDS = 1.5

# Seconds for which a client that cannot play is listened to, at most.
LISTEN_SECONDS = 8.0

# Seconds between two looks at what nobody tells.
LOOK_SECONDS = 0.05

# Seconds in which a client may connect again by itself.
RETURN_SECONDS = 3.0

# How often a client may ask for what it cannot have: once a second, while it is listened to.
PATIENCE = 10

# The end of the client's output that is kept, and that is searched for a crash, in bytes.
TAIL, SEARCHED = 3000, 100_000

# What runtimes and shells print when nobody has handled an error.
_TRACES = (
    "Traceback (most recent call last)",
    'Exception in thread "',
    "Unhandled exception",
    "panicked at",
    "panic: ",
    "Node.js v",
    "terminate called",
    "Segmentation fault",
)

# How a program ends that was killed for a fault of its own, also if a script has started it.
_FATAL = re.compile(r"ended by SIG|exit code 1(32|34|35|36|37|39)\b")


@attrs.frozen(kw_only=True)
class Examination:
    """What the client is to be led through, and how."""

    game: str
    situation: Situation
    candidate: Entrant
    seat: int  # from 0
    seed: int
    bounds: Bounds
    host: str = "127.0.0.1"
    port: int = 0  # where a client connects that is not started here


class Proctor(Referee):
    """A referee who has an eye on one player, and knows what the others are up to."""

    _invited: Attendants

    def __init__(
        self, examination: Examination, scratch: Path, poller: Poller | None, tell: Tell
    ) -> None:
        self._examination = examination
        self._situation = examination.situation
        self._tell = tell
        self._disturbed = False
        self._shut_down = False
        self._resume_at = inf
        self._cut_at = inf
        self._offence: Offence | None = None
        self._end: End | None = None  # of the client, by itself
        self._remarks: list[str] = []
        super().__init__(_task(examination, scratch), scratch, (), poller)

    # What a referee does otherwise

    def _load(self, name: str) -> Game:
        game = registry.load(name)
        change = change_for(self._situation.delivery, self._examination.seed)
        if change is None:
            return game
        return attrs.evolve(
            game, codec=lambda clock, settings: Embellished(game.codec(clock, settings), change)
        )

    @property
    def _closed(self) -> Mapping[str, Any]:
        """A client may open as many lobbies as it likes."""
        return {}

    def _invitations(
        self, settings: Any, chance: Chance, scratch: Path, cores: Sequence[int]
    ) -> Attendants:
        return Attendants(
            self._situation,
            self._examination.candidate,
            self._examination.seat,
            lambda: self._lobby is not None,
            self._tell,
            *(self._task, self._court, settings, chance, scratch, cores, self._hear),
        )

    @property
    def _candidate(self) -> Seat:
        return self._invited.candidate

    @property
    def _over(self) -> bool:
        # What a match comes to without the client need not be seen; where it may come back, the
        # match would go on for long.
        failed = self._candidate.offence is not None
        return self._shut_down or self._enough or failed or super()._over

    @property
    def _enough(self) -> bool:
        if self._situation.seats is not Seats.FREE:
            return self._lobby is not None
        if not self._situation.decisions or self._resume_at < inf:
            return False
        if self._situation.server is not Server.PLAYS and not self._disturbed:
            return False
        if self._situation.server is Server.CUTS_OFF:
            return self._disturbed and self._cut_at == inf and self._decisions >= BACK
        return self._decisions >= self._situation.decisions

    @property
    def _decisions(self) -> int:
        client = self._candidate.client
        return self._times.thinking(client.number).moves if client else 0

    def _is_there(self, seat: Seat, *, arranged: bool) -> bool:
        if arranged and seat is self._candidate and not self._invited.transcript.is_quiet:
            return False  # nobody is seated in the middle of a sentence
        return super()._is_there(seat, arranged=arranged)

    def _follow(self, lobby: Lobby, *, ends: bool) -> None:
        super()._follow(lobby, ends=ends)
        if self._enough or (not self._disturbed and self._decisions >= BEFORE):
            self._news.set()

    def _next_look(self) -> float:
        moment = trio.current_time() + (LOOK_SECONDS if self._lobby is None else inf)
        return min(super()._next_look(), self._resume_at, self._cut_at + RETURN_SECONDS, moment)

    def _expel(self) -> None:
        super()._expel()
        if self._over or self._lobby is None:
            return
        if not self._disturbed and self._decisions >= BEFORE:
            self._disturbed = True
            self._disturb(self._lobby)
        if trio.current_time() >= self._resume_at:
            self._resume_at = inf
            with suppress(OrderRefused):  # the match is over
                self._lobby.order(Resume())

    def _disturb(self, lobby: Lobby) -> None:
        match self._situation.server:
            case Server.PAUSES:
                with suppress(OrderRefused):  # the match is over
                    lobby.order(Pause())
                    self._resume_at = trio.current_time() + PAUSE_SECONDS
            case Server.SHUTS_DOWN:
                self._shut_down = True
                self._court.close()
            case Server.CUTS_OFF:
                assert self._candidate.client is not None
                self._invited.may_return = True
                self._cut_at = trio.current_time()
                self._candidate.client.close(Farewell.GOING_AWAY)

    # The situation

    async def examine(self) -> Trial:
        """Lead the client through it; whatever goes wrong is in the trial."""
        started = trio.current_time()
        try:
            await self._play()
        except* BUGS as bugs:
            self._bug = self._bug or bugs
        return self.trial(trio.current_time() - started)

    async def _conduct(self) -> None:
        match self._situation.seats:
            case Seats.FREE:
                await self._lead()
            case Seats.TAKEN:
                await super()._conduct()
                await self._turn_away()
            case Seats.GONE:
                self._invited.close_lobby()
                await self._turn_away()
        seat = self._candidate
        self._offence = seat.offence
        self._end = seat.program.end if seat.program else None  # before we end it

    async def _lead(self) -> None:
        async with trio.open_nursery() as nursery:
            if self._situation.server is Server.CUTS_OFF:
                nursery.start_soon(self._bring_back)
            await super()._conduct()
            nursery.cancel_scope.cancel()
        if self._court.ended is not None or self._shut_down:
            await self._linger()
        if self._court.ended is not None and not self._shut_down:
            await self._await_reports()
            self._judge.accuse()

    async def _bring_back(self) -> None:
        """Start a client again that does not come back by itself."""
        await _until(lambda: self._cut_at < inf)
        with trio.move_on_after(RETURN_SECONDS):
            await _until(lambda: not self._invited.may_return)
        if self._invited.may_return:
            self._remarks.append("It did not come back by itself, and was started again.")
            await self._invited.start_again()
            with trio.move_on_after(self._task.bounds.startup_seconds):
                await _until(lambda: not self._invited.may_return)
        self._cut_at = inf
        if self._invited.may_return:
            self._candidate.blame(Reason.NEVER_CONNECTED, "It did not come back.")
        self._hear()

    async def _linger(self) -> None:
        """See what the client does when there is nothing more to do."""
        program = self._candidate.program
        with trio.move_on_after(LINGER_SECONDS):
            if program is None:
                await trio.sleep(LINGER_SECONDS)
            else:
                await program.ended.wait()

    async def _turn_away(self) -> None:
        """See what the client does when it cannot play."""
        await self._invited.invite_late()
        seat, frames = self._candidate, -1
        with trio.move_on_after(self._task.bounds.startup_seconds) as waiting:
            await _until(lambda: seat.client is not None or _has_ended(seat))
        if waiting.cancelled_caught:
            seat.blame(Reason.NEVER_CONNECTED, "It did not connect.")
            return
        with trio.move_on_after(LISTEN_SECONDS):
            while frames != self._invited.transcript.frames and not _has_ended(seat):
                frames = self._invited.transcript.frames
                await self._linger()

    # What came of it

    def trial(self, seconds: float) -> Trial:
        """What is known until now."""
        transcript = self._invited.transcript
        problem, words = self._problem()
        if self._situation.server is not Server.PLAYS and not (self._disturbed or problem):
            self._remarks.append("The match was over before the server did something.")
        situation = self._situation
        return Trial(
            situation=situation,
            seat=self._candidate.number + 1 if situation.seats is Seats.FREE else 0,
            seed=self._examination.seed,
            seconds=round(seconds, 2),
            problem=problem,
            words=words,
            remarks=tuple(self._remarks),
            failure=self._fault(problem),
            incidents=self._excused([*self._turned_away(), *transcript.incidents]),
            messages=dict(transcript.messages),
            output=self._output(TAIL),
        )

    def interrupted(self) -> Trial:
        """What was seen until somebody ended the check; the client is not to blame for that."""
        return attrs.evolve(
            self.trial(0.0), problem="", words="", failure="", remarks=("It was interrupted.",)
        )

    def _turned_away(self) -> Iterator[Incident]:
        """Limits that connections have broken which were never served."""
        noted = {each.breach.clause.id for each in self._invited.transcript.incidents}
        for complaint in Complaint:
            dropped = self._court.traffic.drops[complaint.key]
            if dropped and complaint.clause not in noted:
                yield Incident(limit_broken(complaint), Consequence.KICKED, frame="", number=0)

    def _fault(self, problem: str) -> str:
        """What is wrong with the check itself."""
        crashed = self._court.hall.crashes or self._court.traffic.crashes
        if self._bug or self._invited.bug or crashed:
            return self._failure() or "the server has a fault"
        return ""

    def _problem(self) -> tuple[str, str]:
        offence, end = self._offence or self._candidate.offence, self._end
        reason = offence.reason if offence is not None else end.reason if end is not None else None
        if reason is Reason.EXITED and self._candidate.link is None:
            return Reason.NEVER_CONNECTED.value, "The program ended without connecting."
        if offence is not None and not self._is_forgiven(offence):
            return offence.reason.value, offence.words
        if end is None or end.reason is Reason.EXITED:
            return "", ""
        if end.reason is Reason.CRASHED and not self._is_crash():
            self._remarks.append(end.words)
            return "", ""
        return end.reason.value, end.words

    def _is_forgiven(self, offence: Offence) -> bool:
        """Whether a client may end like that because it cannot play."""
        if self._situation.seats is Seats.FREE:
            return False
        if offence.reason is Reason.CRASHED:
            return not self._is_crash()
        return offence.reason in (Reason.EXITED, Reason.LEFT)

    def _is_crash(self) -> bool:
        """Not every exit code means one: some clients say in this way that they cannot go on."""
        killed = self._end is not None and _FATAL.search(self._end.words) is not None
        output = self._output(SEARCHED)
        return killed or any(trace in output for trace in _TRACES)

    def _excused(self, incidents: Sequence[Incident]) -> tuple[Incident, ...]:
        """Without those that nobody can avoid in this situation, unless the client insists."""
        found, late = list[Incident](), False
        times = Counter(each.breach.clause.id for each in incidents)
        for each in incidents:
            clause = each.breach.clause
            crossed = clause.crossing and times[clause.id] <= PATIENCE
            # What it says about a decision that the server has made for it comes too late, and that
            # is all that is wrong with it.
            too_late = late and each.consequence is Consequence.REFUSED
            late = each.is_silence or (late and not too_late)
            if crossed or too_late:
                each = attrs.evolve(each, consequence=Consequence.IGNORED)
            found.append(each)
        return tuple(found)

    def _output(self, most: int) -> str:
        """The end of what it has printed."""
        program = self._candidate.program
        if program is None:
            return ""
        with suppress(OSError), program.log_file.open("rb") as file:
            file.seek(max(0, program.log_file.stat().st_size - most))
            return file.read().decode(errors="replace")
        return ""


async def _until(happened: Callable[[], bool]) -> None:
    while True:
        if happened():
            return
        await trio.sleep(LOOK_SECONDS)


def _has_ended(seat: Seat) -> bool:
    return seat.program is not None and seat.program.ended.is_set()


def _task(examination: Examination, scratch: Path) -> Task:
    situation = examination.situation
    game = registry.load(examination.game)
    players = situation.players or game.players
    strength = len(game.difficulties) - 1 if situation.strength is None else situation.strength
    long = situation.long_names
    entrants = [
        Entrant(name=LONG_NAME if long else f"Opponent{n + 1}", kind=Kind.BOT, difficulty=strength)
        for n in range(players)
    ]
    if situation.seats is Seats.FREE:
        candidate = examination.candidate
        entrants[examination.seat % players] = (
            attrs.evolve(candidate, name=f"Ü{LONG_NAME}") if long else candidate
        )
    return Task(
        number=1,
        game=examination.game,
        settings=situation.settings,
        seed=examination.seed,
        entrants=tuple(entrants),
        bounds=examination.bounds,
        folder=str(scratch),
        host=examination.host,
        port=examination.port,
    )
