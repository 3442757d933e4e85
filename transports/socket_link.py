"""A link over a socket: frames come and go by plain calls, without a task of its own."""

import select
import socket
from contextlib import suppress
from typing import Protocol

from transports.framing import Framer
from transports.outbox import GATHER
from transports.peer_link import PeerLink
from transports.poller import RECEIVE_BYTES, Poller
from transports.state import LinkState
from transports.terms import TERMS, Terms

# A frame this large is not held back until the end of the turn.
LARGE_BYTES = 16 * 1024

_OPEN = LinkState.OPEN  # a global, since it is looked up for every message

# What the system reports about a socket whose other end is closed, or closed for writing.
_HUNG_UP = select.POLLHUP | select.POLLERR | getattr(select, "POLLRDHUP", 0)


class _Descriptor(Protocol):
    def fileno(self) -> int: ...


def hung_up(sock: _Descriptor) -> bool:
    """Whether nothing more will come than what has arrived already."""
    if sock.fileno() < 0:
        return True
    poll = select.poll()
    poll.register(sock, _HUNG_UP)
    return bool(poll.poll(0))


class SocketLink(PeerLink):
    """A link whose socket is in a poller's epoll.

    Frames are written at once; only what the system does not take is kept, until the peer reads.
    """

    __slots__ = ("_poller", "_socket")

    def __init__(
        self,
        sock: socket.socket,
        framer: Framer,
        peer: str,
        poller: Poller,
        *,
        terms: Terms = TERMS,
        said: bytes = b"",
    ) -> None:
        """A link over a non-blocking socket; `said` was already read from it."""
        super().__init__(framer, peer, terms, poller.waiting, poller.alarms)
        self._socket = sock
        self._poller = poller
        if said:
            poller.deliver(self, said)
        self._update()

    def _update(self) -> None:
        self._poller.watch(
            self._socket.fileno(), self, read=self._wants_more, write=self._outbox.bytes > 0
        )
        if self._inbox.is_behind:
            self._poller.come_back(self)

    def fetch(self) -> bytes | None:
        try:
            return self._socket.recv(RECEIVE_BYTES)
        except (BlockingIOError, InterruptedError):
            return None
        except OSError:
            self._lose()
            return None

    def post(self, frame: bytes) -> None:
        framer, outbox, turn = self._framer, self._outbox, self._poller.turns.corked
        if (
            turn is None
            or outbox.corked is not None
            or outbox.bytes
            or len(frame) > LARGE_BYTES
            or self.state is not _OPEN
            or framer.ended
        ):
            super().post(frame)
        else:  # as nearly always: one frame for each peer in a turn
            outbox.corked = [*framer.wrap(frame)]
            turn.append(self)

    def _write(self, pieces: tuple[bytes, bytes]) -> None:
        outbox = self._outbox
        if outbox.bytes:
            self._keep(pieces)
            return
        turn = self._poller.turns.corked
        if (corked := outbox.corked) is None:
            corked = outbox.corked = []
            if turn is not None:
                turn.append(self)
        corked += pieces
        size = len(pieces[0]) + len(pieces[1])
        if turn is None or size > LARGE_BYTES or len(corked) == 2 * GATHER:
            self.uncork()

    def pack(self, output: list[bytes]) -> int:
        """Only durable links are in ledgers."""
        return 0

    def uncork(self) -> None:
        outbox = self._outbox
        if (corked := outbox.corked) is None:
            return
        outbox.corked = None
        data = b"".join(corked)
        try:
            sent = self._socket.send(data)
        except (BlockingIOError, InterruptedError):
            sent = 0
        except OSError:
            self._lose()
            return
        if sent != len(data):
            self._deadlines.be_patient(self, outbox.limits.seconds)
            self._keep(corked, sent)

    def writable(self) -> None:
        """Write what is waiting, several frames in one call."""
        outbox = self._outbox
        if not outbox.bytes:
            return
        try:
            sent = self._socket.sendmsg(outbox.next_pieces())
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            self._lose()
            return
        self._written(sent)
        if outbox.bytes:
            self._deadlines.be_patient(self, outbox.limits.seconds)

    @property
    def gone(self) -> bool:
        # While frames wait to be handled the socket is not watched, so it has to be asked.
        return super().gone or hung_up(self._socket)

    async def _half_close(self) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)

    def _close(self) -> None:
        self._socket.close()
