"""A client's connection of which every single byte is accounted for."""

import fcntl
import termios
from collections import deque
from collections.abc import Callable
from typing import Any

import attrs
import trio

from bench.chaos_frames import Frames, frames_of
from bench.continuity import Gap
from transports import Transport

CHUNK = 65536

# Bytes that are kept to show what came before something that is wrong.
KEPT = 4096

HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


@attrs.define(eq=False)
class Wire:
    """A connection, what has come over it, and what the daemon that was killed last had sent."""

    stream: trio.SocketStream
    frames: Frames
    on_news: Callable[["Wire"], None]  # the first byte of a new process
    received: int = 0
    sent: int = 0
    sent_before: int | None = None  # received bytes that the killed process had sent
    kills: deque[int] = attrs.field(factory=lambda: deque(maxlen=5))  # the latest of these
    _latest: bytearray = attrs.field(factory=bytearray)
    _early: list[bytes] = attrs.field(factory=list)  # frames that came with the handshake

    @classmethod
    async def open(
        cls, transport: Transport, port: int, on_news: Callable[["Wire"], None]
    ) -> "Wire":
        stream = await trio.open_tcp_stream("127.0.0.1", port)
        make: Callable[[], Any] | None = getattr(transport, "framer", None)
        wire = cls(stream, frames_of(make), on_news)
        if make is None:
            await wire._shake_hands()
        return wire

    async def _shake_hands(self) -> None:
        await self.stream.send_all(HANDSHAKE)
        head = b""
        while b"\r\n\r\n" not in head:
            head += await self._read()
        head, _, rest = head.partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 101"):
            raise Gap(f"no WebSocket: {head[:100]!r}")
        self._early = list(self.frames.feed(rest))

    async def receive(self) -> list[bytes]:
        """The next frames; raises Gap if a byte is not part of one, or if the server hung up."""
        if self._early:
            early, self._early = self._early, []
            return early
        return list(self.frames.feed(await self._read()))

    async def _read(self) -> bytes:
        try:
            data = bytes(await self.stream.receive_some(CHUNK))
        except (trio.BrokenResourceError, OSError) as error:
            raise Gap(f"the connection broke: {error.__cause__ or error!r}") from None
        if not data:
            raise Gap("the server has hung up")
        self.received += len(data)
        self._latest = (self._latest + data)[-KEPT:]
        if self.sent_before is not None and self.received > self.sent_before:
            self.sent_before = None
            self.on_news(self)
        return data

    async def send(self, frame: bytes) -> None:
        data = self.frames.cutter.wrap(frame)
        self.sent += len(data)
        try:
            await self.stream.send_all(data)
        except (trio.BrokenResourceError, OSError) as error:
            raise Gap(f"the connection broke: {error.__cause__ or error!r}") from None

    def note_kill(self) -> None:
        """The daemon has just died: whatever it has sent is here by now, read or not."""
        waiting = fcntl.ioctl(self.stream.socket.fileno(), termios.FIONREAD, b"\0" * 4)
        self.sent_before = self.received + int.from_bytes(waiting, "little")
        self.kills.append(self.sent_before)

    def evidence(self) -> str:
        """What was read last, and where the stream was when the daemon was killed."""
        kills = ", ".join(map(str, self.kills)) or "none"
        begin = self.received - len(self._latest)
        return (
            f"{self.received} bytes read, kills at {kills}; from {begin}: {bytes(self._latest)!r}"
        )
