"""Cutting a stream of bytes into frames; no I/O, and every buffer has a limit."""

from collections.abc import Iterator
from typing import Protocol

import attrs

from transports.link import Unreadable


class FrameError(Exception):
    """The stream cannot be read on after this point."""


class Framer(Protocol):
    """Cuts what one peer says into frames, whatever the pieces it arrives in."""

    def feed(self, data: bytes) -> Iterator[bytes | Unreadable]:
        """The frames that are complete with these bytes; raises FrameError after the last good one.

        The iterator must be used up before the next call.
        """

    @property
    def midway(self) -> bool:
        """Whether a frame has begun that is not complete yet."""

    def wrap(self, frame: bytes) -> bytes:
        """The bytes that carry a frame to the peer."""

    def ending(self) -> bytes:
        """The bytes that follow the last frame."""


@attrs.define
class LineFramer:
    """One frame per line: LF goes out, LF or CRLF comes in, empty lines mean nothing."""

    max_bytes: int = 64 * 1024
    _buffer: bytearray = attrs.field(factory=bytearray)
    _skipping: bool = False

    def feed(self, data: bytes) -> Iterator[bytes | Unreadable]:
        *lines, rest = data.split(b"\n")
        for line in lines:
            frame = self._end_line(line)
            if frame:
                yield frame
        if (unreadable := self._grow(rest)) is not None:
            yield unreadable

    def _end_line(self, piece: bytes) -> bytes | Unreadable | None:
        if (unreadable := self._grow(piece)) is not None:
            self._skipping = False
            return unreadable
        line = bytes(self._buffer).rstrip(b"\r")
        self._buffer.clear()
        skipped, self._skipping = self._skipping, False
        return None if skipped else line

    def _grow(self, piece: bytes) -> Unreadable | None:
        """Add to the line under way; say so once when it gets too long, and skip the rest."""
        if self._skipping:
            return None
        self._buffer += piece
        if len(self._buffer) - self._buffer.endswith(b"\r") <= self.max_bytes:
            return None  # a CR at the end may belong to the line break
        self._buffer.clear()
        self._skipping = True
        return Unreadable(f"a line longer than {self.max_bytes} bytes")

    @property
    def midway(self) -> bool:
        return bool(self._buffer) or self._skipping

    def wrap(self, frame: bytes) -> bytes:
        return frame + b"\n"

    def ending(self) -> bytes:
        return b""
