"""One place that waits for all sockets and all alarms, so that a connection needs no task.

Waking a task for every message costs more than most messages are worth. All sockets are kept in
an epoll of our own, whose file descriptor one Trio task awaits; what is ready is handled by plain
calls from there. A system without epoll gets a task per socket instead.
"""

import heapq
import select
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count
from math import inf
from time import perf_counter
from typing import Any, Protocol

import attrs
import trio

from transports.bugs import as_bug
from transports.waiting import Waiting

# What is read from one peer before the others have their turn. A hundred messages of a game fit,
# and those of a peer that means no good do not keep the others waiting for long.
RECEIVE_BYTES = 8 * 1024

# Sockets that are served in one go, before timers and other tasks have their turn; and seconds.
TURN = 256
TURN_SECONDS = 0.01

# An alarm waits until everything that arrived before it was handled: for at most so many pieces of
# each peer, and so many turns for peers with many messages in a piece. Nobody can delay an alarm
# by sending without end.
AWAITED_PIECES = 16
AWAITED_TURNS = 256

# Alarms that may lie around before a look is worth it whether they are still wanted.
TIDY = 1024


class Ready(Protocol):
    """What the poller calls."""

    def fetch(self) -> bytes | None:
        """What has arrived: nothing more if it is empty, nothing now if it is None."""

    def take(self, data: bytes) -> None:
        """Hear what was fetched."""

    def writable(self) -> None:
        """Write what waits."""

    def uncork(self) -> None:
        """Write what was held back."""

    def fail(self, bug: Exception) -> None:
        """One of the others has raised an exception: only this peer shall suffer from it."""


@attrs.define(eq=False)
class Alarm:
    """A call that is due at a time, and can be called off."""

    time: float
    ring: Callable[[], None] | None

    def cancel(self) -> None:
        self.ring = None


class Alarms:
    """Calls to make at their time; one task keeps the time for all of them.

    First of all it waits until `settle` has let everything be heard that had arrived by then.
    """

    def __init__(self, settle: Callable[[float], Awaitable[None]]) -> None:
        self._settle = settle
        self._due: list[tuple[float, int, Alarm]] = []
        self._numbers = count()  # alarms for the same instant ring in the order they were set
        self._nap = trio.CancelScope()
        self._tidy_at = TIDY

    def set(self, time: float, ring: Callable[[], None]) -> Alarm:
        alarm = Alarm(time, ring)
        if len(self._due) >= self._tidy_at:
            self._tidy()
        heapq.heappush(self._due, (time, next(self._numbers), alarm))
        self._nap.deadline = self._next
        return alarm

    def _tidy(self) -> None:
        """Forget what was called off: who comes and goes must not leave an alarm each time."""
        self._due = [entry for entry in self._due if entry[2].ring is not None]
        heapq.heapify(self._due)
        self._tidy_at = max(TIDY, 2 * len(self._due))

    @property
    def _next(self) -> float:
        return self._due[0][0] if self._due else inf

    async def run(self) -> None:
        while True:
            with trio.CancelScope(deadline=self._next) as self._nap:
                await trio.sleep_forever()
            now = trio.current_time()
            if self._next <= now:
                await self._settle(now)
            while self._next <= now:
                if ring := heapq.heappop(self._due)[2].ring:
                    ring()


class Poller(Protocol):
    """Tells owners of sockets when they can read or write."""

    @property
    def corked(self) -> list[Ready] | None:
        """While owners hear what was fetched for them: those that hold back what they say."""

    @property
    def behind(self) -> set[object]:
        """Owners with unhandled frames, which go on in the next turn."""

    def watch(self, fd: int, owner: Ready, *, read: bool, write: bool) -> None:
        """From now on watch for these two; neither means not to watch at all."""

    async def settle(self, due: float) -> None:
        """Wait until all that had arrived by a time, which is not after now, was heard."""

    async def run(self) -> None: ...


class EpollPoller:
    """All sockets in one level-triggered epoll; each is read once per turn, for fairness.

    A turn has three parts: all that has arrived is fetched, then heard, then the answers are
    written. Every call of the system makes the processor forget what it has learned of our code;
    so what is done for many peers in a row is done in a fraction of the time.
    """

    def __init__(self) -> None:
        self._epoll = select.epoll()
        self._owners: dict[int, Ready] = {}
        self.corked: list[Ready] | None = None
        self.behind: set[object] = set()
        self._fetched: deque[tuple[Ready, bytes]] = deque()
        self._awaited: dict[int, int] = {}  # pieces to be fetched from sockets, for `settle`
        self._settling: trio.Event | None = None
        self._settled = -inf  # all that had arrived by then was heard

    def watch(self, fd: int, owner: Ready, *, read: bool, write: bool) -> None:
        events = (select.EPOLLIN if read else 0) | (select.EPOLLOUT if write else 0)
        known = fd in self._owners
        if not read and self._awaited:
            self._awaited.pop(fd, None)  # it has to wait, or is gone
        if not events:
            # Not merely silenced: an epoll goes on to report that the peer is gone.
            if known:
                del self._owners[fd]
                self._epoll.unregister(fd)
        elif known:
            self._epoll.modify(fd, events)
        else:
            self._owners[fd] = owner
            self._epoll.register(fd, events)

    async def run(self) -> None:
        try:
            while True:
                if self._fetched:
                    await trio.lowlevel.checkpoint()
                else:
                    await trio.lowlevel.wait_readable(self._epoll.fileno())
                    self._fetch()
                self._serve()
        finally:
            self._epoll.close()

    def _fetch(self) -> None:
        for fd, events in self._epoll.poll(0, TURN):
            owner = self._owners.get(fd)
            if owner is None:
                continue  # given up in this very turn
            data = None
            try:
                if events & select.EPOLLOUT:
                    owner.writable()
                if events & ~select.EPOLLOUT and (data := owner.fetch()) is not None:
                    self._fetched.append((owner, data))
            except BaseException as bug:
                owner.fail(as_bug(bug))
            if self._awaited:
                self._count_piece(fd, data or b"")

    async def settle(self, due: float) -> None:
        while self._settled < due:
            if self._settling is not None:
                await self._settling.wait()
                continue
            if not (self._fetched or self.behind or self._epoll.poll(0, 1)):
                return  # as nearly always, unless there is much to do
            self._settling = trio.Event()
            try:
                await self._settle()
            finally:
                self._settling.set()
                self._settling = None
                self._awaited.clear()

    async def _settle(self) -> None:
        now = trio.current_time()
        ready = self._epoll.poll(0, max(1, len(self._owners)))
        self._awaited = {fd: AWAITED_PIECES for fd, _ in ready if fd in self._owners}
        while self._awaited or self._fetched:
            await trio.lowlevel.checkpoint()
        left = set(self.behind)
        for _ in range(AWAITED_TURNS):
            left &= self.behind
            if not left:
                break
            await trio.lowlevel.checkpoint()
        self._settled = now

    def _count_piece(self, fd: int, data: bytes) -> None:
        pieces = self._awaited.get(fd, 0) - 1
        if pieces > 0 and len(data) >= RECEIVE_BYTES:
            self._awaited[fd] = pieces
        else:
            self._awaited.pop(fd, None)  # there was not more

    def _serve(self) -> None:
        """Let what was fetched be heard; who is not heard in time comes first in the next turn."""
        corked: list[Ready] = []
        self.corked, end = corked, perf_counter() + TURN_SECONDS
        while self._fetched:
            owner, data = self._fetched.popleft()
            try:
                owner.take(data)
            except BaseException as bug:
                owner.fail(as_bug(bug))
            if perf_counter() > end:
                break
        self.corked = None
        for owner in corked:
            try:
                owner.uncork()
            except BaseException as bug:
                owner.fail(as_bug(bug))


@attrs.define(eq=False)
class TaskPoller:
    """The same for systems without epoll: a task for each direction of each socket."""

    _tasks: dict[tuple[int, Any], trio.CancelScope] = attrs.field(factory=dict)
    corked: None = attrs.field(init=False, default=None)
    behind: set[object] = attrs.field(init=False, factory=set)

    def watch(self, fd: int, owner: Ready, *, read: bool, write: bool) -> None:
        self._keep(fd, trio.lowlevel.wait_readable, owner, self._read, wanted=read)
        self._keep(fd, trio.lowlevel.wait_writable, owner, self._write, wanted=write)

    def _read(self, owner: Ready) -> None:
        if (data := owner.fetch()) is not None:
            owner.take(data)

    def _write(self, owner: Ready) -> None:
        owner.writable()

    def _keep(
        self, fd: int, wait: Any, owner: Ready, act: Callable[[Ready], None], *, wanted: bool
    ) -> None:
        running = self._tasks.get((fd, wait))
        if wanted and running is None:
            scope = self._tasks[fd, wait] = trio.CancelScope()
            trio.lowlevel.spawn_system_task(self._watch, fd, wait, owner, act, scope)
        elif running is not None and not wanted:
            del self._tasks[fd, wait]
            running.cancel()

    async def _watch(
        self,
        fd: int,
        wait: Any,
        owner: Ready,
        act: Callable[[Ready], None],
        scope: trio.CancelScope,
    ) -> None:
        with scope, suppress(trio.ClosedResourceError):
            while not scope.cancel_called:
                await wait(fd)
                try:
                    act(owner)
                except BaseException as bug:
                    owner.fail(as_bug(bug))

    async def settle(self, due: float) -> None:
        await trio.lowlevel.checkpoint()  # whoever can read is awake by then

    async def run(self) -> None:
        await trio.sleep_forever()


@attrs.frozen
class Reactor:
    """What all connections of one Trio run share."""

    poller: Poller
    alarms: Alarms
    waiting: Waiting


_reactor: trio.lowlevel.RunVar[Reactor] = trio.lowlevel.RunVar("reactor")


def reactor() -> Reactor:
    """The one of this run; it starts with the first connection and ends with the run."""
    try:
        return _reactor.get()
    except LookupError:
        pass
    poller: Poller = EpollPoller() if hasattr(select, "epoll") else TaskPoller()
    made = Reactor(poller, Alarms(poller.settle), Waiting())
    _reactor.set(made)
    trio.lowlevel.spawn_system_task(made.poller.run)
    trio.lowlevel.spawn_system_task(made.alarms.run)
    return made


async def settle(due: float) -> None:
    """Wait until all that had arrived by a time, which is not after now, was heard.

    So nothing comes too late because of us, rather than because of a peer.
    """
    await reactor().poller.settle(due)
