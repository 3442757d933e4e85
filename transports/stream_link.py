"""A link with tasks that read and write: for connections that we open, and for servers on systems
without epoll."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, ClassVar, Protocol

import trio

from transports.bugs import BUGS, as_bug
from transports.complaint import Complaint
from transports.framing import Framer
from transports.link import Link
from transports.peer_link import PeerLink
from transports.poller import RECEIVE_BYTES
from transports.state import LinkState
from transports.terms import TERMS, Terms
from transports.waiting import Waiting

# How much a peer has to read within each time limit, until it has read everything.
SEND_BYTES = 64 * 1024

# What trio raises when the connection is gone, for whatever reason.
LOST = (trio.BrokenResourceError, trio.ClosedResourceError)


class NoConnection(OSError):
    """The other end does not speak our protocol, or does not answer in time."""


class Carrier(Protocol):
    """Carries bytes to the peer and back."""

    @property
    def close_code(self) -> int | None:
        """How the connection was closed, if its protocol has codes for that."""

    async def open(self, nursery: trio.Nursery) -> None:
        """Do what must be done before the first frame; the nursery lasts until the end."""

    async def receive(self) -> bytes:
        """Bytes for the framer; empty if nothing more will come.

        Raises:
          trio.BrokenResourceError, trio.ClosedResourceError: the connection is lost.
        """

    def pick(self, pieces: Sequence[bytes | memoryview]) -> bytes:
        """How much of what is waiting is sent at once; the time for that is limited."""

    async def send(self, data: bytes) -> None:
        """Raises like `receive`."""

    async def half_close(self) -> None: ...

    def close(self) -> None: ...


class StreamCarrier:
    """A plain stream; some of it may have been read already."""

    close_code: ClassVar[None] = None

    def __init__(self, stream: trio.SocketStream, said: bytes = b"") -> None:
        self._stream = stream
        self._said = said

    async def open(self, nursery: trio.Nursery) -> None:
        pass

    async def receive(self) -> bytes:
        said, self._said = self._said, b""
        return said or bytes(await self._stream.receive_some(RECEIVE_BYTES))

    def pick(self, pieces: Sequence[bytes | memoryview]) -> bytes:
        return b"".join(pieces)[:SEND_BYTES]

    async def send(self, data: bytes) -> None:
        await self._stream.send_all(data)

    async def half_close(self) -> None:
        # A peer that has stopped reading may keep the other task from ever finishing its write.
        with suppress(trio.BusyResourceError, *LOST):
            await self._stream.send_eof()

    def close(self) -> None:
        self._stream.socket.close()


class StreamLink(PeerLink):
    """A link that needs a task for each direction instead of a poller."""

    __slots__ = ("_carrier", "_news")

    def __init__(
        self,
        carrier: Carrier,
        framer: Framer,
        peer: str,
        *,
        terms: Terms = TERMS,
        waiting: Waiting | None = None,
    ) -> None:
        super().__init__(framer, peer, terms, waiting or Waiting(), None)
        self._carrier = carrier
        self._news = trio.lowlevel.ParkingLot()  # wakes both tasks

    @property
    def close_code(self) -> int | None:
        return self._carrier.close_code

    def _update(self) -> None:
        self._news.unpark_all()

    def _write(self, pieces: tuple[bytes, bytes]) -> None:
        self._keep(pieces)
        self._update()

    async def send(self, frame: bytes) -> None:
        """Write a frame and wait until that is done: frames to two peers arrive in order."""
        self.post(frame)
        await trio.lowlevel.checkpoint()
        while self._outbox.bytes:
            await self._news.park()
        if self._inbox.over is trio.BrokenResourceError:
            raise trio.BrokenResourceError

    async def _half_close(self) -> None:
        await self._carrier.half_close()

    def _close(self) -> None:
        self._carrier.close()

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Read and write until the link is closed.

        Raises:
          NoConnection: the carrier cannot be opened.
        """
        opened = False
        try:
            async with trio.open_nursery() as nursery:
                await self._carrier.open(nursery)
                opened = True
                task_status.started()
                async with trio.open_nursery() as tasks:
                    tasks.start_soon(self._guard, self._read_all)
                    tasks.start_soon(self._guard, self._write_all)
                nursery.cancel_scope.cancel()
        except* Exception as problems:
            if not opened:
                self.abort()
                raise NoConnection(_words(problems)) from problems
        finally:
            self._lose()

    async def _guard(self, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except LOST:
            self._lose()
        except BUGS as bug:
            self.fail(as_bug(bug))

    async def _read_all(self) -> None:
        deadlines = self._deadlines
        while self.state is not LinkState.OVER:
            if self._inbox.is_behind:
                await trio.lowlevel.checkpoint()
                self.go_on()
            with trio.CancelScope(deadline=deadlines.due) as patience:
                if self._wants_more:
                    self.take(await self._carrier.receive())
                elif not self._inbox.is_behind:
                    await self._news.park()
            if patience.cancelled_caught:
                self.ring()

    async def _write_all(self) -> None:
        while self.state is not LinkState.OVER:
            if self._outbox.bytes:
                await self._write_some()
            else:
                await self._news.park()

    async def _write_some(self) -> None:
        outbox = self._outbox
        data = self._carrier.pick(outbox.next_pieces())
        with trio.move_on_after(outbox.limits.seconds) as patience:
            await self._carrier.send(data)
        if patience.cancelled_caught:
            self._give_peer_up(Complaint.SLOW_WRITE)
        elif outbox.bytes:  # unless it was dropped meanwhile
            self._written(len(data))


def _words(problems: BaseExceptionGroup[Exception]) -> str:
    known = problems.subgroup(NoConnection)
    return str(known.exceptions[0]) if known else "no server answers that speaks our protocol"


@asynccontextmanager
async def open_link(link: StreamLink) -> AsyncIterator[StreamLink]:
    """Let a link read and write as long as the body runs, then close it.

    What the body raises is raised as it is, not in a group.

    Raises:
      NoConnection: the other end does not speak our protocol, or does not answer in time.
    """
    error: BaseException | None = None
    try:
        async with trio.open_nursery() as nursery:
            await nursery.start(link.run)
            try:
                yield link
            finally:
                await link.aclose()
    except BaseExceptionGroup as group:
        error = _foremost(group)
    if error is not None:
        raise error


def _foremost(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The only exception in a group that is not a cancellation, if there is just one."""
    _, others = group.split(trio.Cancelled)
    found: BaseException = others or group
    while isinstance(found, BaseExceptionGroup) and len(found.exceptions) == 1:
        found = found.exceptions[0]
    return found


async def serve_link(serve: Callable[[Link], Awaitable[Any]], link: StreamLink) -> None:
    """Serve a peer that has connected; one that never completes the handshake is forgotten."""
    try:
        async with open_link(link):
            await serve(link)
    except NoConnection:
        pass
