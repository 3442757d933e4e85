"""Cutting a stream of bytes into frames; no I/O, and every buffer has a limit."""

from collections.abc import Sequence
from typing import ClassVar, Protocol

import attrs

from transports.link import Farewell, Frame, Unreadable

# The cost, in frames, of input that is not a frame: a tag, a ping, an empty line.
TRIFLE = 0.1


class Framer(Protocol):
    """Cuts the input of one peer into frames, however it is split on arrival."""

    # Input that took work but is not a frame; whoever counts it resets this to 0.
    trifles: int

    @property
    def replies(self) -> list[bytes]:
        """Replies of the protocol below ours; whoever sends them empties the list."""

    @property
    def half_closes(self) -> bool:
        """Whether our last byte ends our side; otherwise the peer answers our ending."""

    @property
    def ended(self) -> bool:
        """Whether no more frames can come, because the peer is done or the stream is unreadable."""

    @property
    def parted(self) -> bool:
        """Whether the peer has said goodbye, so that nothing it sent can be unread."""

    @property
    def midway(self) -> bool:
        """Whether a frame has begun that is not complete yet."""

    def feed(self, data: bytes) -> Sequence[Frame]:
        """The frames that these bytes complete."""

    def wrap(self, frame: bytes) -> tuple[bytes, bytes]:
        """The bytes that carry a frame to the peer: the frame itself, and what goes before or after
        it.

        Two pieces, so that a broadcast frame remains one object in all queues.
        """

    def ending(self, farewell: Farewell) -> bytes:
        """The bytes that follow the last frame."""


@attrs.define
class LineFramer:
    """One frame per line: LF is sent, LF or CRLF is accepted, empty lines are ignored."""

    max_bytes: int = 64 * 1024
    _buffer: bytearray = attrs.field(factory=bytearray)
    _skipping: bool = False
    trifles: int = 0

    replies: ClassVar[list[bytes]] = []  # lines are never answered by the framer
    half_closes: ClassVar[bool] = True
    ended: ClassVar[bool] = False
    parted: ClassVar[bool] = False

    def feed(self, data: bytes) -> Sequence[Frame]:
        if (
            data.find(b"\n") == len(data) - 1
            and len(data) <= self.max_bytes
            and not (self._buffer or self._skipping)
        ):
            self.trifles += 1
            line = data.rstrip(b"\r\n")
            return [line] if line else []  # one whole line, as nearly always
        *lines, rest = data.split(b"\n")
        self.trifles += len(lines)
        frames = [frame for line in lines if (frame := self._end_line(line))]
        if rest and (unreadable := self._grow(rest)) is not None:
            frames.append(unreadable)
        return frames

    def _end_line(self, piece: bytes) -> Frame | None:
        if not (self._buffer or self._skipping) and len(piece) <= self.max_bytes:
            return piece.rstrip(b"\r")
        if (unreadable := self._grow(piece)) is not None:
            self._skipping = False
            return unreadable
        line = bytes(self._buffer).rstrip(b"\r")
        self._buffer.clear()
        skipped, self._skipping = self._skipping, False
        return None if skipped else line

    def _grow(self, piece: bytes) -> Unreadable | None:
        """Append to the current line; report once if it gets too long, and skip the rest."""
        if self._skipping:
            return None
        self._buffer += piece
        if len(self._buffer) - self._buffer.endswith(b"\r") <= self.max_bytes:
            return None  # a trailing CR may belong to the line break
        self._buffer.clear()
        self._skipping = True
        return Unreadable(f"a line longer than {self.max_bytes} bytes")

    @property
    def midway(self) -> bool:
        return bool(self._buffer) or self._skipping

    @property
    def resting(self) -> bytes | None:
        return None if self._buffer or self._skipping else b""

    @property
    def state(self) -> bytes:
        return bytes((self._skipping,)) + self._buffer if self.midway else b""

    def resume(self, state: bytes, *, spoken: bool) -> None:
        self._skipping = state[:1] == b"\1"
        if begun := state[1:]:
            self.feed(begun)  # no more than the beginning of a frame
        self.trifles = 0

    def wrap(self, frame: bytes) -> tuple[bytes, bytes]:
        return frame, b"\n"

    def ending(self, farewell: Farewell) -> bytes:
        return b""
