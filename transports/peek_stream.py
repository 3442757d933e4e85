"""A stream that is only looked at: whoever reads it later finds all of it."""

import socket
from collections.abc import Callable
from contextlib import suppress

import trio

from transports.socket_link import hung_up


class PeekStream(trio.abc.Stream):
    """What has arrived stays with the system, so that it is not lost if this process is."""

    def __init__(self, stream: trio.SocketStream, before_sending: Callable[[], None]) -> None:
        """`before_sending` is called before anything is sent: it cannot be looked at twice then."""
        self.seen = 0
        self._stream = stream
        self._before_sending = before_sending
        self._wait_for(1)

    def _wait_for(self, size: int) -> None:
        """Let the system report the socket as readable when this much is there, or its end."""
        with suppress(OSError):
            self._stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, size)

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        sock, size = self._stream.socket, max_bytes or 65536
        while True:
            try:
                data = await sock.recv(self.seen + size, socket.MSG_PEEK)
            except OSError as error:
                raise trio.BrokenResourceError from error
            if new := data[self.seen :]:
                self.seen = len(data)
                return new
            if hung_up(sock):
                return b""
            self._wait_for(self.seen + 1)
            await trio.lowlevel.wait_readable(sock)

    def finish(self) -> None:
        """Others may read from the socket now."""
        self._wait_for(1)

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        self._before_sending()
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def aclose(self) -> None:
        await self._stream.aclose()
