"""A stream of bytes that consists of whole messages and nothing else."""

from collections.abc import Callable, Iterator
from typing import Any, Protocol

import attrs

from bench.connections import TEXT, cut_frame, masked_frame
from bench.continuity import Gap
from transports import Unreadable
from transports.xml_framing import XmlFramer

# Our server indents elements; that is not part of what a reader gets.
INDENT = b"  "


class Cutter(Protocol):
    """Cuts a stream into frames, and knows which bytes each of them must have been."""

    def feed(self, data: bytes) -> Iterator[Any]: ...
    def wrap(self, frame: bytes) -> bytes: ...

    def expected(self, frame: bytes) -> bytes:
        """The bytes in which a server sends that frame."""


class FramedCutter:
    """Cuts like the game's own transport; a second framer plays the server."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._ours, self._theirs = make(), make()
        self._indent = INDENT if isinstance(self._ours, XmlFramer) else b""
        self.feed = self._ours.feed

    def wrap(self, frame: bytes) -> bytes:
        return b"".join(self._ours.wrap(frame))

    def expected(self, frame: bytes) -> bytes:
        # JSON readers do not mind blanks around a message, so it has to be done here.
        return b"".join(self._theirs.wrap(self._indent + frame.strip()))


class WebSocketCutter:
    """Only whole text frames; whatever else comes is not expected, so it is a gap."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[bytes]:
        self._buffer += data
        while (frame := cut_frame(self._buffer)) is not None:
            opcode, payload = frame
            if opcode != TEXT:
                raise Gap(f"a WebSocket frame of kind {opcode}: {payload[:100]!r}")
            yield payload

    def wrap(self, frame: bytes) -> bytes:
        return masked_frame(frame)

    def expected(self, frame: bytes) -> bytes:
        size = len(frame)
        if size < 126:
            return bytes((0x81, size)) + frame
        long = size > 0xFFFF
        head = bytes((0x81, 127 if long else 126)) + size.to_bytes(8 if long else 2, "big")
        return head + frame


@attrs.define
class Frames:
    """Cuts a stream, and compares every byte with those that the frames must have been."""

    cutter: Cutter
    _unread: bytearray = attrs.field(factory=bytearray)  # bytes of frames that are not complete

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The frames that these bytes complete; raises Gap."""
        self._unread += data
        for frame in self.cutter.feed(data):
            if isinstance(frame, Unreadable):
                raise Gap(f"unreadable: {frame.reason}")
            expected = self.cutter.expected(frame)
            if not self._unread.startswith(expected):
                raise Gap("bytes between messages")
            del self._unread[: len(expected)]
            yield frame

    @property
    def midway(self) -> bool:
        """Whether a message has begun that is not complete."""
        return bool(self._unread)


def frames_of(make: Callable[[], Any] | None) -> Frames:
    """For a transport with such framers; without, it is a WebSocket."""
    return Frames(WebSocketCutter() if make is None else FramedCutter(make))
