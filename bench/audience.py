"""Browsers that follow streams of events: connections that are only read."""

import ctypes
import mmap
import multiprocessing
import os
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from bench.connections import dial
from bench.measure import CannotMeasure
from bench.native import compiled

EVENT = b"event: position\n"
# Seconds for all of them to come in, or to hear what was told.
PATIENCE = 30.0
LOOK = 0.01
# Streams that are asked for at once: fewer than a server lets wait.
BATCH = 100


class _Counts(ctypes.Structure):
    _fields_ = (
        ("heard", ctypes.c_uint64),
        ("bytes", ctypes.c_uint64),
        ("ended", ctypes.c_uint64),
    )


class Audience:
    """Reads all streams as they come, whenever the load has nothing to do.

    It is a process of its own, in C, and gives way to everything else on its core. Late viewers
    are nobody's concern here, but a late load would make the answers of games look late.
    """

    def __init__(self, port: int, paths: Sequence[str]) -> None:
        self._shared = mmap.mmap(-1, mmap.PAGESIZE)  # with the process that reads
        self._counts = _Counts.from_buffer(self._shared)
        self._sockets: list[socket.socket] = []
        for begin in range(0, len(paths), BATCH):
            self._come(port, paths[begin : begin + BATCH])
        library = str(compiled("audience.c", library=True))
        self._process = multiprocessing.get_context("fork").Process(
            target=self._attend, args=(library,), daemon=True
        )

    def _come(self, port: int, paths: Sequence[str]) -> None:
        came = []
        for path in paths:
            peer = dial(port)
            request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"
            peer.sendall(request.encode())
            came.append(peer)
        for peer in came:
            _pass_head(peer)
            peer.setblocking(False)
        self._sockets += came

    def _attend(self, library: str) -> None:
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        descriptors = [each.fileno() for each in self._sockets]
        fds = (ctypes.c_int32 * len(descriptors))(*descriptors)
        counts = ctypes.byref(self._counts)
        ctypes.CDLL(library).attend(fds, len(descriptors), EVENT, counts)

    def start(self) -> None:
        self._process.start()

    @property
    def heard(self) -> int:
        """Events, of all together."""
        return int(self._counts.heard)

    @property
    def bytes(self) -> int:
        """What they have received."""
        return int(self._counts.bytes)

    def expect(self, events: int) -> None:
        """Wait until they have heard so many in all; raises CannotMeasure."""
        end = time.monotonic() + PATIENCE
        while self.heard < events:
            if self._counts.ended or not self._process.is_alive():
                raise CannotMeasure("a stream of events has ended")
            if time.monotonic() > end:
                raise CannotMeasure(f"viewers have heard {self.heard} events instead of {events}")
            time.sleep(LOOK)

    def close(self) -> None:
        self._process.kill()
        self._process.join()
        for each in self._sockets:
            each.close()


def _pass_head(peer: socket.socket) -> None:
    """Read up to the end of the head of an answer, and no further."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        byte = peer.recv(1)
        if not byte:
            raise CannotMeasure("a stream of events was refused")
        head += byte
    if b" 200 " not in head.partition(b"\r\n")[0]:
        raise CannotMeasure(f"a stream of events was refused: {head[:100]!r}")


@contextmanager
def watched(port: int, paths: Sequence[str]) -> Iterator[Audience]:
    """Let viewers come, and go afterwards."""
    audience = Audience(port, paths)
    audience.start()
    try:
        yield audience
    finally:
        audience.close()
