"""A table or a reception at work: happenings go in, effects come out."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime
from functools import wraps
from time import perf_counter, sleep, thread_time
from typing import TYPE_CHECKING, Any, cast

import trio

from ludothek.contract.client import Client
from ludothek.contract.clock import Clock
from ludothek.contract.effects import (
    Chore,
    Drop,
    Effect,
    Effects,
    Fetch,
    Kick,
    Save,
    Send,
    Work,
)
from ludothek.contract.orders import OrderRefused
from ludothek.contract.reception import Reception
from ludothek.contract.table import Table
from ludothek.observe import scene
from ludothek.runtime.connection import Connection

if TYPE_CHECKING:
    from ludothek.runtime.hall import Hall
    from ludothek.runtime.journal import Journal

# Messages to this few clients are part of every game; a client that causes messages to more is
# charged for them.
FEW = 8
# The most copies that are charged for one step: a client whose message sets off a whole round of a
# game does not choose how much there is to send.
MOST_COPIES = 500

# A thread that makes long messages rests for this many times the CPU time it has used.
REST = 4


def connection(client: Client) -> Connection:
    """The core's view of a client."""
    assert isinstance(client, Connection)
    return client


class Actor(ABC):
    """Performs what a table or a reception answers to each happening.

    Neither ever waits, so a happening and everything that follows from it are handled in one go, in
    the task where it occurs: there is nothing to lock, and nothing can come in between.
    """

    __slots__ = (
        "__weakref__",
        "_afterwards",
        "_alarm",
        "_codec",
        "_codec_at",
        "_fetches",
        "_handling",
        "_nursery",
        "_stepping",
        "_talk",
        "_tasks",
        "_timers",
        "_told",
        "_work",
        "finishing",
        "hall",
        "journal",
        "open",
    )

    def __init__(self, hall: "Hall", talk: Table | Reception) -> None:
        self.hall = hall
        self.open = True
        self.finishing = False  # closes as soon as nothing would be lost
        self.journal: Journal | None = None  # from which it can be repeated
        self._codec, self._codec_at = hall.codec, hall.codec_at
        self._talk = talk
        self._timers = talk.timers
        self._alarm = trio.CancelScope()
        self._handling = hall.traffic.handling
        self._nursery: trio.Nursery | None = None
        self._tasks: Sequence[Callable[[], Awaitable[None]]] = ()  # to run besides
        self._work: list[tuple[Work, Connection | None]] = []  # requested before the nursery
        self._fetches: list[Fetch] = []  # the first one is being made; one per client and kind
        self._told = 0  # copies of broadcasts in the current step
        self._stepping = False
        self._afterwards: Callable[[], None] | None = None  # what the current step leads to

    @property
    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """What log lines say about it."""

    # Taking steps

    def let(self, act: Callable[..., Effects], *args: Any, by: Connection | None = None) -> None:
        """Let it answer a happening that this client has caused, and perform all that follows."""
        started = perf_counter()
        with self.hall.turns.turn():
            self.step(act, args, by)
            self.hall.catch_up()
        self._handling.observe(perf_counter() - started)

    def let_obey(self, act: Callable[..., Effects], *args: Any) -> None:
        """The same for an order of an organiser: only to that may the answer be a refusal.

        Raises:
          OrderRefused: it cannot be obeyed.
        """
        refusals = []

        @wraps(act)
        def obey(*args: Any) -> Effects:
            try:
                return tuple(act(*args))
            except OrderRefused as refusal:
                refusals.append(refusal)
                return ()

        self.let(obey, *args)
        for refusal in refusals:
            raise refusal

    def hear(self, client: Connection, message: Any, frame: bytes | None) -> None:
        """The same for a message that came in this frame."""
        started = perf_counter()
        turns = self.hall.turns
        mine = not turns.number and turns.begin()  # nearly always in a turn of the poller
        self.step(self._talk.receive, (client, message), client, frame)
        if self.hall.pending:
            self.hall.catch_up()
        if mine:
            turns.end()
        self._handling.observe(perf_counter() - started)

    def step(
        self,
        act: Callable[..., Effects],
        args: tuple[Any, ...],
        by: Connection | None,
        frame: bytes | None = None,
    ) -> None:
        """Take one step; its consequences for others stay pending."""
        if not self.open:
            return
        token = scene.step.set((self, by.number if by is not None else None))
        self._told = 0
        self._stepping = True
        try:
            if self.journal is not None:
                self._note(act, args, by, frame)
            self._perform_all(act(*args))
            if self._alarm.deadline != self._timers.deadline:
                self._alarm.deadline = self._timers.deadline
            if self._told and by is not None:
                by.charge(min(self._told, MOST_COPIES))
        except BaseException as bug:  # no await in here, so never Cancelled
            self._fail(bug, by)
        finally:
            scene.step.reset(token)
        self._stepping = False
        if self._afterwards is not None:
            self._afterwards()
        if self.finishing:
            self._end_if_idle()

    def _note(
        self,
        act: Callable[..., Effects],
        args: tuple[Any, ...],
        by: Connection | None,
        frame: bytes | None,
    ) -> None:
        """Write a happening down in the journal, before it is handled."""
        raise TypeError(f"{type(self).__name__} has no journal")

    @abstractmethod
    def _fail(self, bug: BaseException, by: Connection | None) -> None:
        """Handle a bug, which this client has revealed if a client caused the step."""

    # Performing effects

    def _perform_all(self, effects: Iterable[Effect]) -> None:
        # All or none: whatever fails, fails before the first effect is performed.
        ready = []
        for effect in effects:
            frame = self._codec.encode(effect.message) if type(effect) is Send else b""
            ready.append((effect, frame))
        for effect, frame in ready:
            if type(effect) is Send:
                self._send(effect, frame)
            else:
                self._perform(effect)

    def _send(self, send: Send, frame: bytes) -> None:
        to = send.to
        if isinstance(to, Connection):
            clients: Sequence[Connection] = (to,)
        else:
            clients = cast("Sequence[Connection]", tuple(to))  # type: ignore[arg-type]
        if self.journal is not None:
            self.journal.sent(frame, clients)
        for client in clients:
            client.post(frame)
        if len(clients) > FEW:
            self._told += len(clients)

    def _perform(self, effect: Effect) -> None:
        match effect:
            case Kick(client=client, farewell=farewell):
                connection(client).close(farewell)
            case Drop(client=client, complaint=complaint):
                connection(client).drop(complaint)
            case Fetch():
                self._fetch(effect)
            case Work():
                self._start_work(effect)
            case Save() | Chore():
                self.hall.save(effect)
            case _:
                raise TypeError(f"{type(self).__name__} cannot perform {effect!r}")

    # Slow work

    async def run(self) -> None:
        """Run timers and slow work until it is closed."""
        async with trio.open_nursery() as self._nursery:
            if self._fetches:
                self._nursery.start_soon(self._make_messages)
            for work in self._work:
                self._nursery.start_soon(self._do, *work)
            self._work.clear()
            for task in self._tasks:
                self._nursery.start_soon(task)
            await self._keep_time()
            self._nursery.cancel_scope.cancel()

    async def _keep_time(self) -> None:
        while self.open:
            with trio.CancelScope(deadline=self._timers.deadline) as self._alarm:
                await trio.sleep_forever()
            # What has arrived by now may stop the timer that is due, and start another one.
            due = self.hall.clock.time() >= self._timers.deadline
            if self.open and due and self.hall.settle is not None:
                await self.hall.settle(trio.current_time())
            while self.open and (timer := self._timers.take_due()) is not None:
                self.let(self._talk.time_up, timer)

    def _start_work(self, work: Work) -> None:
        client = None if work.client is None else connection(work.client)
        if self._nursery is None:
            self._work.append((work, client))
        else:
            self._nursery.start_soon(self._do, work, client)

    async def _do(self, work: Work, client: Connection | None) -> None:
        result = None
        try:
            result = await trio.to_thread.run_sync(work.do, abandon_on_cancel=True)
        except trio.Cancelled:
            raise
        except BaseException as bug:
            self._fail_aside(bug, client)
        self.let(self._talk.worked, work.about, result, by=client)

    def _fail_aside(self, bug: BaseException, by: Connection | None) -> None:
        """Handle a bug outside of any step."""
        with self.hall.turns.turn():
            self._fail(bug, by)
            self.hall.catch_up()

    def _fetch(self, fetch: Fetch) -> None:
        connection(fetch.to)  # if it is none, that is a bug of this step
        if fetch in self._fetches:
            return
        self._fetches.append(fetch)
        if len(self._fetches) == 1 and self._nursery is not None:
            self._nursery.start_soon(self._make_messages)

    async def _make_messages(self) -> None:
        """One after the other: requests to this actor delay nobody else's."""
        while self._fetches and self.open:
            fetch = self._fetches[0]
            client = connection(fetch.to)
            if self._serves(client):
                try:
                    now = self.hall.clock.date()
                    frame = await trio.to_thread.run_sync(
                        self._make, fetch, now, abandon_on_cancel=True, limiter=self.hall.fetching
                    )
                except trio.Cancelled:
                    raise
                except BaseException as bug:
                    self._fail_aside(bug, client)
                else:
                    with self.hall.turns.turn():
                        self._deliver(client, frame, now)
            self._fetches.pop(0)

    def _deliver(self, client: Connection, frame: bytes, made: datetime) -> None:
        """Send a client the long message that it has asked for, which was made at that time."""
        if self._serves(client):
            client.post(frame)

    def _end_if_idle(self) -> None:
        raise TypeError(f"{type(self).__name__} does not finish")

    @abstractmethod
    def _serves(self, client: Connection) -> bool:
        """Whether a client is still here to get what it has asked for."""

    def _make(self, fetch: Fetch, now: datetime) -> bytes:
        """Make and encode a long message, in a thread; then rest, so that repeated requests do not
        take the CPU from the games."""
        started = thread_time()
        # Not with the clock of the turns, which come and go meanwhile.
        frame = self._codec_at(Clock(date=lambda: now)).encode(fetch.make())
        sleep(REST * (thread_time() - started))
        return frame
