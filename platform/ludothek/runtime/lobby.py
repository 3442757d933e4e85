"""A lobby: a table, the clients at it, and its alarm."""

from collections.abc import Awaitable, Callable, Sequence
from time import perf_counter, sleep, thread_time
from typing import Any

import attrs
import structlog
import trio

from ludothek.contract.clock import Clock
from ludothek.contract.codec import Codec
from ludothek.contract.orders import Fault, OrderRefused, Shutdown
from ludothek.contract.table import (
    Began,
    Chore,
    Close,
    Effect,
    Effects,
    Ended,
    Fetch,
    Kick,
    Release,
    Save,
    Send,
    Table,
)
from ludothek.kit.reports import careful, words
from ludothek.observe.traffic import Traffic
from ludothek.runtime.client import Client
from ludothek.runtime.journal import Journal
from ludothek.settings.limits import origin
from ludothek.storage.results import ranked
from transports import as_bug

log = structlog.get_logger()

# Why a match has ended that was not played to its end, where no game has a say.
SHUTDOWN, FAULT, CLOSED = "shutdown", "fault", "closed"

# Messages to so few clients are part of every game; for those to more, the client that has caused
# them is charged.
FEW = 8
# Copies that are charged for one step at most: a client whose message sets off a whole round of a
# game does not choose how much there is to tell.
MOST_COPIES = 500

# A thread that makes long messages rests for this many times the CPU time it has used.
REST = 4

# What a lobby does to keep its people company.
Company = Callable[["Lobby"], Awaitable[None]]

Settle = Callable[[float], Awaitable[None]]


class Lobby:
    """One table and everything around it: calls go in, effects come out.

    The table never waits, so whatever happens is handled in one go, in the task where it
    happens; there is nothing to lock and nothing to queue.
    """

    def __init__(
        self,
        key: str,
        table: Table,
        codec: Codec,
        clock: Clock,
        seed: int | str = 0,
        company: Company | None = None,
        traffic: Traffic | None = None,
        save: Callable[[Save | Chore], None] | None = None,
        tell: Callable[["Lobby", Ended, float], None] | None = None,
        fetching: trio.CapacityLimiter | None = None,
        settle: Settle | None = None,
    ) -> None:
        self.key = key
        self.table = table
        self.seed = seed
        self.open = True
        self.opened_from: str | None = None  # the origin of the client that has opened it
        self.journal = Journal(codec)
        self._codec = codec
        self._clock = clock
        self._settle = settle  # waits until all that had arrived by a time was heard
        self._seated: set[Client] = set()
        self._alarm = trio.CancelScope()
        self._handling = (traffic or Traffic()).handling
        self.companies = 0  # how often somebody was kept company
        self._company = company
        self._company_scope = trio.CancelScope()
        self._save = save  # None: nothing outlives this daemon
        self._tell = tell  # how a match has ended after so many seconds
        self._match: tuple[Began, float] | None = None  # the one that is played, and since when
        self.hosts: set[str] = set()  # where those come from who saw it begin or end
        self._actor: Client | None = None  # on whom the table acts
        self._ending = ""  # why everything ends now, if it does
        self._people: set[Client] = set()
        self._peopled = trio.Event()
        self._finishing = False
        self._told = 0  # copies, of what goes to many, in the step that is being taken
        self._bug: Exception | None = None
        self._nursery: trio.Nursery | None = None
        self._fetching = fetching  # how many lobbies may run errands at the same time
        self._errands: list[Fetch] = []  # the first one is being run; one per client and kind

    def guests_from(self, place: str) -> int:
        """How many clients of one origin are here."""
        return sum(origin(client.host) == place for client in self._seated)

    @property
    def crashed(self) -> bool:
        """Whether a bug has ended it."""
        return self._bug is not None

    async def run(self) -> None:
        """Keep the table's time until the lobby is closed; raises the bug that ended it."""
        try:
            async with trio.open_nursery() as self._nursery:
                nursery = self._nursery
                if self._errands:  # somebody was quicker than this task
                    nursery.start_soon(self._run_errands)
                if self._company is not None:
                    nursery.start_soon(self._keep_company, self._company)
                await self._keep_time()
                nursery.cancel_scope.cancel()
        finally:
            self.close()
        if self._bug is not None:
            raise self._bug

    async def _keep_time(self) -> None:
        while self.open:
            with trio.CancelScope(deadline=self.table.deadline) as self._alarm:
                await trio.sleep_forever()
            # What had arrived by now may move the deadline on: then it is the next player's time
            # that would be up.
            if self._is_due and self._settle is not None:
                await self._settle(trio.current_time())
            if self._is_due:
                self._ring()

    @property
    def _is_due(self) -> bool:
        return self.open and self._clock.time() >= self.table.deadline

    def _ring(self) -> None:
        due = self.table.deadline
        self.let(self.table.time_up)
        if self.open and self.table.deadline <= due:
            self._fail(RuntimeError("time_up left the deadline as it was: an endless alarm"))

    async def _keep_company(self, company: Company) -> None:
        while True:
            await self._peopled.wait()
            if not self._people:
                continue  # they have left again in the same moment
            self.companies += 1
            with trio.CancelScope() as self._company_scope:
                await company(self)
                await trio.sleep_forever()  # no more company for the same people

    def _fetch(self, errand: Fetch) -> None:
        if errand in self._errands:
            return
        self._errands.append(errand)
        if len(self._errands) == 1 and self._nursery is not None:
            self._nursery.start_soon(self._run_errands)

    async def _run_errands(self) -> None:
        """One after the other: what is asked for here takes time from nobody else."""
        while self._errands:
            errand = self._errands[0]
            if errand.to in self._seated:
                try:
                    frame = await trio.to_thread.run_sync(
                        self._make, errand, abandon_on_cancel=True, limiter=self._fetching
                    )
                except trio.Cancelled:
                    raise
                except BaseException as bug:
                    self._fail(bug)
                    return
                if errand.to in self._seated:
                    errand.to.post(frame)
            self._errands.pop(0)

    def _make(self, errand: Fetch) -> bytes:
        """Write a long message, in a thread; and rest, so that asking again and again does not
        take the processor from the games."""
        started = thread_time()
        frame = self._codec.encode(errand.make())
        sleep(REST * (thread_time() - started))
        return frame

    def enter(self, client: Client, request: Any) -> None:
        """Let a client come in."""
        self.let(self.table.enter, client, request)
        if not client.hosted:
            self._people.add(client)
            self._peopled.set()

    def leave(self, client: Client, how: Callable[..., Effects], *args: Any) -> None:
        """Let a client go; company does not stay when nobody else does."""
        self.let(how, client, *args)
        self._people.discard(client)
        # Once only: when company itself leaves, it is waited for people already.
        if not self._people and self._peopled.is_set():
            self._peopled = trio.Event()
            self._company_scope.cancel()

    async def attend(self, client: Client, request: Any) -> None:
        """Let a client take part until it is released, hangs up, or the lobby closes."""
        if client.closing:
            return  # sent away on its way here
        structlog.contextvars.bind_contextvars(lobby=self.key)
        self._seated.add(client)
        client.place = self.key
        try:
            self.enter(client, request)
            if self.open and client in self._seated:
                await client.converse(self._hear)
        finally:
            self._seated.discard(client)
            client.place = None
            self.leave(client, self.table.leave)
            structlog.contextvars.unbind_contextvars("lobby")

    def _hear(self, client: Client, message: Any) -> None:
        self.let(self.table.receive, client, message)

    def let(self, act: Callable[..., Effects], *args: Any) -> None:
        """Let the table act; a bug in it ends this lobby and nothing else.

        Raises:
          OrderRefused: it was an order of the organiser, and the table cannot obey.
        """
        if not self.open:
            return
        started = perf_counter()
        self._told = 0
        self.journal.note(started, act.__name__, args)
        self._actor = args[0] if args and isinstance(args[0], Client) else None
        try:
            # All effects or none: a table that fails halfway has said nothing yet.
            for effect in tuple(act(*args)):
                self._perform(effect)
            if self._alarm.deadline != self.table.deadline:
                self._alarm.deadline = self.table.deadline
            if self._told and self._actor is not None:
                self._actor.charge(min(self._told, MOST_COPIES))
            if self._finishing:
                self._end_if_idle()
        except OrderRefused:
            raise
        except BaseException as bug:  # nothing waits in here, so nothing of it is Trio's
            self._fail(bug)
        finally:
            self._actor = None
            self._handling.observe(perf_counter() - started)

    def _fail(self, bug: BaseException) -> None:
        """Say goodbye as well as a broken table can, and close in the same step."""
        self._bug = as_bug(bug)
        self._ending = FAULT
        try:
            for effect in tuple(self.table.order(Fault())):
                self._perform(effect)
        except BaseException as another:
            with careful("a crashed table could not say goodbye"):
                log.warning("a crashed table could not say goodbye", error=words(another))
        finally:
            self.close()

    def _perform(self, effect: Effect) -> None:
        match effect:
            case Send(to=clients, message=message):
                frame = self._codec.encode(message)
                if isinstance(clients, Client):
                    clients.post(frame)
                else:
                    self._tell_all(tuple(clients), frame)
            case Fetch():
                self._fetch(effect)
            case Release(client=client):
                self._empty_seat(client)
            case Kick(client=client, farewell=farewell):
                client.close(farewell)
                self._empty_seat(client)
            case Close():
                self.close()
            case Save() | Chore() if self._save is not None:
                self._save(effect)
            case Began():
                self._match = effect, self._clock.time()
                self.hosts = self._hosts_present()
            case Ended():
                self._end_match(effect)

    def _tell_all(self, clients: Sequence[Client], frame: bytes) -> None:
        for client in clients:
            client.post(frame)
        if len(clients) > FEW:
            self._told += len(clients)

    def _end_match(self, ended: Ended) -> None:
        """Tell of each match once: of one that never began or is over already there is nothing."""
        if self._match is None:
            return
        seconds, self._match = self._clock.time() - self._match[1], None
        self.hosts |= self._hosts_present()
        if self._ending:
            ended = attrs.evolve(ended, reason=self._ending)
        if self._tell is not None:
            self._tell(self, ended, seconds)

    def _hosts_present(self) -> set[str]:
        # Whoever leaves has no seat any more but is the one on whom the table acts.
        present = {*self._seated, self._actor} if self._actor is not None else self._seated
        return {client.host for client in present if not client.hosted}

    def _end_untold_match(self) -> None:
        """Tell of a match whose table could not do it any more."""
        if self._match is not None:
            names = [(name, None) for name in self._match[0].players]
            places = ranked(names, None, decided=False)
            self._end_match(Ended(players=places, winner=None, reason=CLOSED, moves=0))

    def _empty_seat(self, client: Client) -> None:
        # The client's own task does the leaving; so no effect ever calls the table.
        if client in self._seated:
            self._seated.remove(client)
            client.hush()

    def finish(self) -> None:
        """Let the match that is being played be the last one, and end the lobby after it."""
        self._finishing = True
        try:
            self._end_if_idle()
        except BaseException as bug:
            self._fail(bug)

    def _end_if_idle(self) -> None:
        if self.open and self.table.summary.idle:
            self.shut_down()

    def shut_down(self) -> None:
        """End the lobby at once, but not without a word."""
        self._finishing = False
        self._ending = SHUTDOWN
        self.let(self.table.order, Shutdown())
        self.close()

    def close(self) -> None:
        """End the lobby at once; its clients go back to where they came from."""
        self.open = False
        self._end_untold_match()
        self._alarm.cancel()
        for client in tuple(self._seated):
            self._empty_seat(client)
