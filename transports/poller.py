"""One task that waits for all sockets, so that a connection needs none.

Waking a task for every message costs more than handling most messages. All sockets are in an epoll
of our own, whose file descriptor one Trio task awaits; ready sockets are handled by plain calls
from there. Whatever such a call raises is reported to the link that was called, and ends nothing
else.
"""

import select
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

import trio

from transports.alarms import Alarms
from transports.bugs import as_bug
from transports.turns import Turns
from transports.waiting import Waiting

if TYPE_CHECKING:
    from transports.ledger import Ledger

# How much is read from one peer before the others get their turn. A hundred messages of a game fit,
# and a hostile peer cannot delay the others for long.
RECEIVE_BYTES = 8 * 1024

# How many sockets, and for how many seconds, are served before timers and tasks get their turn.
TURN = 256
TURN_SECONDS = 0.01

# An alarm waits until everything that arrived before it is handled: at most this many pieces of
# each peer, and this many turns for peers with many messages in a piece. So nobody can delay an
# alarm by sending endlessly.
AWAITED_PIECES = 16
AWAITED_TURNS = 256

# Systems without epoll have no poller either.
_READ, _WRITE = getattr(select, "EPOLLIN", 0), getattr(select, "EPOLLOUT", 0)


class Ready(Protocol):
    """What the poller calls."""

    def fetch(self) -> bytes | None:
        """What has arrived: empty at the end of the stream, None if there is nothing now."""

    def take(self, data: bytes) -> None:
        """Handle what was fetched."""

    def go_on(self) -> None:
        """Handle some more of what was taken."""

    def writable(self) -> None:
        """Write what is waiting."""

    def fail(self, bug: Exception) -> None:
        """One of the other methods has raised an exception, which must affect only this peer."""


class Poller:
    """All sockets in one level-triggered epoll; each is read once per turn, for fairness.

    A turn has three phases: all input is fetched, then handled, then the answers are written. Every
    system call costs us the processor's caches and branch predictions; doing the same thing for
    many peers in a row takes a fraction of the time.
    """

    def __init__(self) -> None:
        self.turns = Turns()
        self.alarms = Alarms(self.settle, self.turns)
        self.waiting = Waiting()
        self.ledger: Ledger | None = None  # None: connections end with the process
        self._epoll = select.epoll()
        self._owners: dict[int, Ready] = {}
        self._events: dict[int, int] = {}  # watched for, by descriptor
        self._fetched: deque[tuple[Ready, bytes]] = deque()
        self._behind: dict[Ready, None] = {}  # in the order in which they came
        self._awaited: dict[int, int] = {}  # pieces to be fetched from each socket, for `settle`
        self._settling: trio.Event | None = None
        self._settled = -inf  # everything that had arrived by then was handled

    def watch(self, fd: int, owner: Ready, *, read: bool, write: bool) -> None:
        """Watch for these two from now on; neither means not to watch at all."""
        events = (_READ if read else 0) | (_WRITE if write else 0)
        watched = self._events.get(fd, 0)
        if not read and self._awaited:
            self._awaited.pop(fd, None)  # it has to wait, or is gone
        if events == watched:
            return
        if not events:
            # Not merely masked: epoll would still report that the peer is gone.
            del self._owners[fd], self._events[fd]
            self._epoll.unregister(fd)
            return
        self._owners[fd], self._events[fd] = owner, events
        if watched:
            self._epoll.modify(fd, events)
        else:
            self._epoll.register(fd, events)

    def deliver(self, owner: Ready, data: bytes) -> None:
        """Let the owner handle what was read from its socket earlier, as if it had just arrived."""
        self._fetched.append((owner, data))
        self._serve_soon()

    def come_back(self, owner: Ready) -> None:
        """Let the owner go on after everybody else's turn."""
        self._behind[owner] = None
        self._serve_soon()

    def _serve_soon(self) -> None:
        # Also while the task below waits for sockets.
        trio.lowlevel.current_trio_token().run_sync_soon(self._serve, idempotent=True)

    def catch_up(self) -> bool:
        """Handle what has arrived, between two steps of other work; whether there was anything.

        To be called often: the question takes a microsecond, and to be woken by Trio takes thirty.
        """
        if self.turns.number or self._epoll.closed:
            return False
        if not self._fetched:
            self._fetch()
        if not (self._fetched or self._behind):
            return False
        self._serve()
        return True

    async def run(self) -> None:
        try:
            while True:
                if self._fetched:
                    await trio.lowlevel.checkpoint()
                else:
                    await trio.lowlevel.wait_readable(self._epoll.fileno())
                    self._fetch()
                self._serve()
                self._look_again()
        finally:
            self._owners.clear()
            self._events.clear()
            self._epoll.close()

    def _look_again(self) -> None:
        """Serve what has arrived meanwhile: to be woken by Trio for it would cost more."""
        end = perf_counter() + TURN_SECONDS
        while not self._fetched and perf_counter() < end:
            self._fetch()
            if not self._fetched:
                return
            self._serve()

    def _fetch(self) -> None:
        owners, fetched, awaited = self._owners, self._fetched, self._awaited
        for fd, events in self._epoll.poll(0, TURN):
            owner = owners.get(fd)
            if owner is None:
                continue  # dropped during this turn
            data = None
            try:
                if events & _WRITE:
                    owner.writable()
                if events != _WRITE and (data := owner.fetch()) is not None:
                    fetched.append((owner, data))
            except BaseException as bug:  # no await in here, so never Cancelled
                owner.fail(as_bug(bug))
            if awaited:
                self._count_piece(fd, data or b"")

    def _serve(self) -> None:
        """Handle what was fetched; what does not fit into this turn comes first in the next one."""
        fetched = self._fetched
        behind, self._behind = self._behind, {}
        self.turns.begin()
        end = perf_counter() + TURN_SECONDS
        while fetched:
            owner, data = fetched.popleft()
            try:
                owner.take(data)
            except BaseException as bug:
                owner.fail(as_bug(bug))
            if perf_counter() > end:
                break
        for owner in behind:
            try:
                owner.go_on()
            except BaseException as bug:
                owner.fail(as_bug(bug))
        self.turns.end()

    async def settle(self, due: float) -> None:
        """Wait until everything that had arrived by `due`, which is not in the future, is handled.

        So nothing is late because of us, rather than because of a peer.
        """
        while self._settled < due:
            if self._settling is not None:
                await self._settling.wait()
                continue
            if not (self._fetched or self._behind or self._epoll.poll(0, 1)):
                return  # as nearly always, unless the server is busy
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
        left = set(self._behind)
        for _ in range(AWAITED_TURNS):
            left &= self._behind.keys()
            if not left:
                break
            await trio.lowlevel.checkpoint()
        self._settled = now

    def _count_piece(self, fd: int, data: bytes) -> None:
        pieces = self._awaited.get(fd, 0) - 1
        if pieces > 0 and len(data) >= RECEIVE_BYTES:
            self._awaited[fd] = pieces
        else:
            self._awaited.pop(fd, None)  # there was no more


@asynccontextmanager
async def open_poller() -> AsyncIterator[Poller | None]:
    """A poller that runs as long as the body does; None where there is no epoll."""
    if not hasattr(select, "epoll"):
        yield None
        return
    poller = Poller()
    async with trio.open_nursery() as nursery:
        # Cancelled tasks still say goodbye, for which they need the poller: so it ends with the
        # body, not with the scope around it.
        running = trio.CancelScope(shield=True)
        nursery.start_soon(_run, poller, running)
        try:
            yield poller
        finally:
            running.cancel()


async def _run(poller: Poller, scope: trio.CancelScope) -> None:
    with scope:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(poller.alarms.run)
            nursery.start_soon(poller.run)
