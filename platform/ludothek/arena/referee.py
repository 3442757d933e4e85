"""The referee: plays one game of a tournament, from the empty table to the outcome."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

import structlog
import trio

from ludothek.arena.court import Court
from ludothek.arena.entrant import Kind
from ludothek.arena.failure import Failure
from ludothek.arena.invited import Invited
from ludothek.arena.judge import Judge, accuse_refused
from ludothek.arena.outcome import Outcome, Reason
from ludothek.arena.played import Played
from ludothek.arena.seat import Seat
from ludothek.arena.task import Task
from ludothek.arena.timekeeper import Timekeeper
from ludothek.contract import registry
from ludothek.contract.chance import Chance
from ludothek.contract.game import Game
from ludothek.contract.orders import Abort, Arrange, OrderRefused, Start
from ludothek.contract.reception import Seating
from ludothek.kit.reports import words
from ludothek.runtime.connection import Connection
from ludothek.runtime.guarded_nursery import Guarded
from ludothek.runtime.lobby import Lobby
from ludothek.settings.fields import build
from transports import BUGS, Farewell, Poller

log = structlog.get_logger()

# Seconds that players have to begin by themselves once all are there; then the organiser begins.
BEGIN_SECONDS, BOTS_BEGIN_SECONDS = 2.0, 0.05

# Seconds between two looks at the clock, at most.
TICK = 1.0

# Seconds in which the end of a program must be known that has hung up, and in which clients read
# how the game ended.
REPORT_SECONDS, GOODBYE_SECONDS = 1.0, 1.0


class Referee:
    """Seats the entrants, keeps the time, and says why somebody has lost."""

    def __init__(
        self, task: Task, scratch: Path, cores: Sequence[int] = (), poller: Poller | None = None
    ) -> None:
        self._task = task
        self._poller = poller
        game = self._load(task.game)
        if game.contest is None:
            raise Failure(f"there are no tournaments of {game.title}")
        self._contest = game.contest
        usual = {**game.contest.settings(len(task.entrants)), **self._closed}
        chosen = {**usual, **task.settings}
        settings = build(game.settings, chosen, task.game)
        chance = Chance(task.seed)
        self._court = Court(game, settings, task.host, chance.child("court"), self._happened)
        self._invited = self._invitations(settings, chance, scratch, cores)
        self._times = Timekeeper()
        self._lobby: Lobby | None = None  # where the match is played, once it has begun
        self._began = inf
        self._begin_at = inf  # when the organiser begins, if nobody else does
        self._news = trio.Event()
        self._bug: BaseException | None = None

    def _load(self, name: str) -> Game:
        return registry.load(name)

    @property
    def _closed(self) -> Mapping[str, Any]:
        return self._contest.closed

    def _invitations(
        self, settings: Any, chance: Chance, scratch: Path, cores: Sequence[int]
    ) -> Invited:
        task, court = self._task, self._court
        return Invited(task, court, settings, chance, scratch, cores, self._hear)

    @property
    def _seats(self) -> Sequence[Seat]:
        return self._invited.seats

    def _hear(self) -> None:
        """Something has happened outside of the court."""
        self._news.set()

    # The whole game

    async def play(self) -> Played:
        """Play it; whatever goes wrong is part of the outcome."""
        started = trio.current_time()
        try:
            await self._play()
        except* BUGS as bugs:
            self._bug = bugs
        seconds = trio.current_time() - started
        if (failure := self._failure()) is not None:
            return Played(Outcome(number=self._task.number, failure=failure, seconds=seconds), {})
        files = self._invited.files()
        record = None
        if self._court.record is not None:
            record = f"{self._task.number:06}.match"
            files[record] = self._court.record
        finishes = self._judge.finishes(self._invited.log_names(files))
        outcome = Outcome(
            number=self._task.number, finishes=finishes, seconds=seconds, record=record
        )
        return Played(outcome, files)

    def _failure(self) -> str | None:
        bug = self._bug or self._invited.bug
        if bug is not None:
            first = bug
            while isinstance(first, BaseExceptionGroup):
                first = first.exceptions[0]
            if isinstance(first, Failure):
                return str(first)
            log.error("a game has failed", number=self._task.number, exc_info=bug)
            return words(first)
        if self._court.hall.crashes or self._court.traffic.crashes:
            return "the server has a fault; the log says more"
        if self._court.ended is None and not self._is_spoilt:
            return "the match has not begun"
        return None

    async def _play(self) -> None:
        async with trio.open_nursery() as lobbies:
            async with trio.open_nursery() as clients, trio.open_nursery() as helpers:
                self._court.convene(Guarded(clients), lobbies, self._poller)
                try:
                    await self._invited.invite(helpers)
                    await self._conduct()
                    self._invited.dismiss()
                    self._court.close()
                    await self._await_reports()
                    self._judge.accuse()
                finally:
                    await self._invited.send_home()
                helpers.cancel_scope.cancel()
                clients.cancel_scope.deadline = trio.current_time() + GOODBYE_SECONDS
            lobbies.cancel_scope.cancel()

    async def _await_reports(self) -> None:
        """Wait until it is known why programs have hung up."""
        with trio.move_on_after(REPORT_SECONDS):
            for seat in self._seats:
                if seat.departed and not seat.sent_away and seat.program is not None:
                    await seat.program.ended.wait()

    async def _conduct(self) -> None:
        while not self._over:
            if self._lobby is None:
                self._bring_together()
            with trio.CancelScope(deadline=self._next_look()) as waiting:
                await self._news.wait()
            self._news = trio.Event()
            if waiting.cancelled_caught:
                await self._court.catch_up()
                self._look_at_clock()
            self._expel()

    @property
    def _over(self) -> bool:
        court = self._court
        if court.ended is not None or self._bug or self._invited.bug:
            return True
        if court.hall.crashes or court.traffic.crashes:
            return True
        return self._lobby is None and self._is_spoilt and not self._awaits_programs

    @property
    def _is_spoilt(self) -> bool:
        """Whether somebody has lost before the match; then it does not begin any more."""
        return any(seat.offence for seat in self._seats)

    @property
    def _awaits_programs(self) -> bool:
        """Whether somebody is still starting: whoever fails more slowly has not won by that."""
        return not all(
            seat.offence or seat.connected or seat.entrant.kind is Kind.BOT for seat in self._seats
        )

    @property
    def _judge(self) -> Judge:
        return Judge(self._seats, self._court.ended, self._times)

    # What happens at the court

    def _happened(self, lobby: Lobby | None, ends: bool) -> None:
        """A lobby, or the reception, has taken a step; it must not notice what fails here."""
        try:
            ours = lobby is not None and self._invited.lobby in (None, lobby)
            if self._lobby is None and lobby is not None and ours and lobby.match_runs:
                self._begin(lobby)
            if lobby is not None and lobby is self._lobby and (ends or lobby.match_runs):
                self._follow(lobby, ends=ends)
        except Exception as bug:
            self._bug = self._bug or bug
        if self._lobby is None or self._bug is not None or not self._lobby.match_runs:
            self._news.set()

    def _begin(self, lobby: Lobby) -> None:
        self._lobby, self._began = lobby, trio.current_time()
        for seat in self._seats:
            seat.played = seat.client is not None and lobby.serves(seat.client)

    def _follow(self, lobby: Lobby, *, ends: bool) -> None:
        now, _ = self._court.hall.stamp()
        self._times.look({} if ends else lobby.table.awaited, now)
        for seat in self._seats:
            client = seat.client
            if client and not seat.departed and not (lobby.serves(client) and not client.closing):
                self._note_departure(seat, client)

    def _note_departure(self, seat: Seat, client: Connection) -> None:
        seat.departed = True
        hung_up = seat.link is not None and seat.link.gone
        seat.sent_away = client.closing or not hung_up
        seat.awaited = client.number in self._times.before

    # Before the match

    def _bring_together(self) -> None:
        """Let entrants in, in the order of turns, and begin when all are there."""
        if self._is_spoilt:
            for seat in self._seats:
                self._check_name(seat)
                accuse_refused(seat)
            return
        arranged = isinstance(self._court.hall.foyer.reception, Seating)
        everybody = True
        for seat in self._seats:
            if everybody or arranged:
                self._invited.admit(seat)
            self._check_name(seat)
            accuse_refused(seat)
            everybody = everybody and self._is_there(seat, arranged=arranged)
        if everybody and arranged:
            self._arrange()
        elif everybody and self._begin_at == inf:
            bots = all(seat.entrant.kind is Kind.BOT for seat in self._seats)
            patience = BOTS_BEGIN_SECONDS if bots else BEGIN_SECONDS
            self._begin_at = trio.current_time() + patience

    def _is_there(self, seat: Seat, *, arranged: bool) -> bool:
        client = seat.client
        if client is None or client.gone:
            return False
        if arranged:
            return client.name != ""
        lobby = self._place_of(client)
        return lobby is not None and len(lobby.table.summary.players) > seat.number

    def _place_of(self, client: Connection) -> Lobby | None:
        """The lobby of the game, once the client is in it; it may have joined others."""
        lobby = self._invited.lobby
        if lobby is None:  # the game has but one
            return client.lobbies[-1] if client.lobbies else None
        return lobby if lobby.serves(client) else None

    def _check_name(self, seat: Seat) -> None:
        """Nobody may say to be somebody else."""
        said = seat.client.name if seat.client else ""
        others = [other.name for other in self._seats if other is not seat]
        if said != seat.name and said in others:
            seat.blame(Reason.WRONG_NAME, f"It called itself {said!r}, as another entrant does.")

    def _arrange(self) -> None:
        """Seat everybody where the game leaves that to its organiser, and begin."""
        lobby, foyer = self._invited.lobby, self._court.hall.foyer
        assert lobby is not None
        clients = []
        for seat in self._seats:
            assert seat.client is not None
            clients.append(seat.client)
            if lobby in seat.client.lobbies:
                continue  # it has found the way by itself
            try:
                foyer.seat(lobby, [seat.client], spectator=False)
            except OrderRefused as refusal:
                seat.blame(Reason.ILLEGAL, f"It could not be seated: {refusal}.")
        if not self._is_spoilt:
            lobby.order(Arrange(clients))
            lobby.order(Start())

    def _start(self) -> None:
        self._begin_at = inf
        for client in [seat.client for seat in self._seats if seat.client]:
            if (lobby := self._place_of(client)) is not None:
                with suppress(OrderRefused):  # it begins by itself, or has begun
                    lobby.order(Start())
                return

    # Time

    def _next_look(self) -> float:
        now, bounds = trio.current_time(), self._task.bounds
        if self._lobby is not None:
            numbers = [seat.client.number for seat in self._seats if seat.client]
            due = self._times.due(numbers, bounds.move_seconds)
            return min(due, self._began + bounds.game_seconds, now + min(TICK, bounds.move_seconds))
        limits = [self._invited.limit(seat) for seat in self._seats if seat.offence is None]
        begin_at = inf if self._is_spoilt else self._begin_at
        return min(begin_at, *limits, now + TICK)

    def _look_at_clock(self) -> None:
        now, bounds = trio.current_time(), self._task.bounds
        if self._over:
            return
        if self._lobby is None:
            self._look_for_missing(now)
            return
        for seat in self._playing:
            assert seat.client is not None
            if seat.offence is None and (
                self._times.waited(seat.client.number, now) >= bounds.move_seconds
            ):
                seat.blame(
                    Reason.SILENT, f"It made no move within {bounds.move_seconds:g} seconds."
                )
        if now >= self._began + bounds.game_seconds:
            self._end_overtime(now)

    def _expel(self) -> None:
        """End the connections of those who have lost; what follows is up to the game."""
        for seat in self._playing if self._lobby is not None else ():
            if seat.offence is not None and seat.client is not None:
                seat.client.close(Farewell.KICKED)

    @property
    def _playing(self) -> Sequence[Seat]:
        return [seat for seat in self._seats if seat.client and not seat.departed]

    def _look_for_missing(self, now: float) -> None:
        if now >= self._begin_at and not self._is_spoilt:
            self._start()
        seconds = self._task.bounds.startup_seconds
        arranged = isinstance(self._court.hall.foyer.reception, Seating)
        for seat in self._seats:
            if now < self._invited.limit(seat) or self._is_there(seat, arranged=arranged):
                continue
            if seat.entrant.kind is Kind.BOT:
                raise Failure(f"a built-in bot was not ready within {seconds:g} seconds")
            if seat.link is None:
                seat.blame(
                    Reason.NEVER_CONNECTED, f"It did not connect within {seconds:g} seconds."
                )
            elif not seat.connected:
                seat.blame(Reason.LEFT, "It closed its connection and did not come back.")
            elif seat.admitted.is_set():
                where = "; it is in another lobby" if self._is_astray(seat) else ""
                text = f"It was not ready to play within {seconds:g} seconds{where}."
                seat.blame(Reason.SILENT, text)

    def _is_astray(self, seat: Seat) -> bool:
        client = seat.client
        return client is not None and bool(client.lobbies) and self._place_of(client) is None

    def _end_overtime(self, now: float) -> None:
        """The one who has thought longest has lost; what the others have is what they get."""
        assert self._lobby is not None
        total = partial(self._total, now)
        slowest = max(self._playing, key=total)
        most = self._task.bounds.game_seconds
        slowest.blame(
            Reason.OVERTIME,
            f"The game took more than {most:g} seconds, and it has used {total(slowest):.1f}.",
        )
        with suppress(OrderRefused):
            self._lobby.order(Abort())

    def _total(self, now: float, seat: Seat) -> float:
        return self._times.total(seat.client.number, now) if seat.client else 0.0
