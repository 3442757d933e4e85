"""One place that waits for all sockets and all alarms, so that a connection needs no task.

Waking a task for every message costs more than most messages are worth. All sockets are kept in
an epoll of our own, whose file descriptor one Trio task awaits; what is ready is handled by plain
calls from there. A system without epoll gets a task per socket instead.
"""

import heapq
import select
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import count
from math import inf
from time import perf_counter
from typing import Any, Protocol

import attrs
import trio

# Sockets that are served in one go, before timers and other tasks have their turn; and seconds.
TURN = 256
TURN_SECONDS = 0.01

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
    """Calls to make at their time; one task keeps the time for all of them."""

    def __init__(self) -> None:
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
            while self._next <= trio.current_time():
                if ring := heapq.heappop(self._due)[2].ring:
                    ring()


class Poller(Protocol):
    """Tells owners of sockets when they can read or write."""

    @property
    def corked(self) -> list[Ready] | None:
        """While owners hear what was fetched for them: those that hold back what they say."""

    def watch(self, fd: int, owner: Ready, *, read: bool, write: bool) -> None:
        """From now on watch for these two; neither means not to watch at all."""

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
        self._fetched: deque[tuple[Ready, bytes]] = deque()

    def watch(self, fd: int, owner: Ready, *, read: bool, write: bool) -> None:
        events = (select.EPOLLIN if read else 0) | (select.EPOLLOUT if write else 0)
        known = fd in self._owners
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
            try:
                if events & select.EPOLLOUT:
                    owner.writable()
                if events & ~select.EPOLLOUT and (data := owner.fetch()) is not None:
                    self._fetched.append((owner, data))
            except Exception as bug:
                owner.fail(bug)

    def _serve(self) -> None:
        """Let what was fetched be heard; who is not heard in time comes first in the next turn."""
        corked: list[Ready] = []
        self.corked, end = corked, perf_counter() + TURN_SECONDS
        while self._fetched:
            owner, data = self._fetched.popleft()
            try:
                owner.take(data)
            except Exception as bug:
                owner.fail(bug)
            if perf_counter() > end:
                break
        self.corked = None
        for owner in corked:
            try:
                owner.uncork()
            except Exception as bug:
                owner.fail(bug)


@attrs.define(eq=False)
class TaskPoller:
    """The same for systems without epoll: a task for each direction of each socket."""

    _tasks: dict[tuple[int, Any], trio.CancelScope] = attrs.field(factory=dict)
    corked: None = attrs.field(init=False, default=None)

    def watch(self, fd: int, owner: Ready, *, read: bool, write: bool) -> None:
        self._keep(fd, trio.lowlevel.wait_readable, partial(self._read, owner), wanted=read)
        self._keep(fd, trio.lowlevel.wait_writable, owner.writable, wanted=write)

    def _read(self, owner: Ready) -> None:
        if (data := owner.fetch()) is not None:
            owner.take(data)

    def _keep(self, fd: int, wait: Any, ready: Callable[[], None], *, wanted: bool) -> None:
        running = self._tasks.get((fd, wait))
        if wanted and running is None:
            scope = self._tasks[fd, wait] = trio.CancelScope()
            trio.lowlevel.spawn_system_task(self._watch, fd, wait, ready, scope)
        elif running is not None and not wanted:
            del self._tasks[fd, wait]
            running.cancel()

    async def _watch(
        self, fd: int, wait: Any, ready: Callable[[], None], scope: trio.CancelScope
    ) -> None:
        with scope, suppress(trio.ClosedResourceError):
            while not scope.cancel_called:
                await wait(fd)
                ready()

    async def run(self) -> None:
        await trio.sleep_forever()


@attrs.frozen
class Reactor:
    """What all connections of one Trio run share."""

    poller: Poller
    alarms: Alarms


_reactor: trio.lowlevel.RunVar[Reactor] = trio.lowlevel.RunVar("reactor")


def reactor() -> Reactor:
    """The one of this run; it starts with the first connection and ends with the run."""
    try:
        return _reactor.get()
    except LookupError:
        pass
    made = Reactor(EpollPoller() if hasattr(select, "epoll") else TaskPoller(), Alarms())
    _reactor.set(made)
    trio.lowlevel.spawn_system_task(made.poller.run)
    trio.lowlevel.spawn_system_task(made.alarms.run)
    return made
