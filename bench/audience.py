"""Browsers that follow streams of events: connections that are only read."""

import http.client
import json
import os
import select
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import attrs

from bench.connections import dial
from bench.measure import CannotMeasure

EVENT = b"event: position\n"
CHUNK = 65536
# Seconds for all of them to come in, or to hear what was told.
PATIENCE = 30.0
LOOK = 0.01
# Streams that are asked for at once: fewer than a server lets wait.
BATCH = 100


def ask(port: int, path: str) -> Any:
    """An answer of the page's interface."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", path)
        return json.loads(connection.getresponse().read())
    finally:
        connection.close()


@attrs.define(eq=False)
class Reader:
    """One browser."""

    socket: socket.socket
    _end: bytes = b""  # of what was read: an event may be cut anywhere

    def read(self) -> tuple[int, int]:
        """Read once; how many events and bytes that were."""
        data = self.socket.recv(CHUNK)
        if not data:
            raise CannotMeasure("a stream of events has ended")
        text = self._end + data
        self._end = text.rpartition(EVENT)[2][-len(EVENT) + 1 :]
        return text.count(EVENT), len(data)


class Audience(threading.Thread):
    """Reads all streams as they come, whenever the load has nothing to do.

    Its thread gives way to everything else on its core. Late viewers are nobody's concern here, but
    a late load would make the answers of games look late.
    """

    def __init__(self, port: int, paths: Sequence[str]) -> None:
        super().__init__(daemon=True)
        self._epoll = select.epoll()
        self._readers: dict[int, Reader] = {}
        self._ended = False
        self._problem: CannotMeasure | None = None
        self.heard = 0  # events, of all together
        self.bytes = 0
        for begin in range(0, len(paths), BATCH):
            self._come(port, paths[begin : begin + BATCH])

    def _come(self, port: int, paths: Sequence[str]) -> None:
        readers = []
        for path in paths:
            reader = Reader(dial(port))
            request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"
            reader.socket.sendall(request.encode())
            readers.append(reader)
        for reader in readers:
            _pass_head(reader.socket)
            self._readers[reader.socket.fileno()] = reader
            self._epoll.register(reader.socket.fileno(), select.EPOLLIN)

    def run(self) -> None:
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        try:
            while not self._ended:
                for descriptor, _ in self._epoll.poll(0.1):
                    events, size = self._readers[descriptor].read()
                    self.heard += events
                    self.bytes += size
        except CannotMeasure as problem:
            self._problem = problem

    def expect(self, events: int) -> None:
        """Wait until they have heard so many in all; raises CannotMeasure."""
        end = time.monotonic() + PATIENCE
        while self.heard < events:
            if self._problem:
                raise self._problem
            if time.monotonic() > end:
                raise CannotMeasure(f"viewers have heard {self.heard} events instead of {events}")
            time.sleep(LOOK)

    def close(self) -> None:
        self._ended = True
        self.join()
        for reader in self._readers.values():
            reader.socket.close()
        self._epoll.close()


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
