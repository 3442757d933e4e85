"""WebSocket frames (RFC 6455, section 5), parsed and built; no I/O.

Almost every chunk that arrives is one whole text frame: `WebSocketFramer.feed` handles it in a few
operations and leaves everything else, from partial frames to protocol errors, to the methods behind
it.
"""

import struct
from typing import ClassVar

import attrs

from transports.link import Farewell, Unreadable
from transports.masking import apply_mask
from transports.websocket_close import (
    PROTOCOL_ERROR,
    TOO_BIG,
    UNSUPPORTED_DATA,
    BrokenFrame,
    check_text,
    goodbye,
    is_text,
    pack_close,
    unpack_close,
)
from transports.websocket_closing import Closing
from transports.websocket_fragments import Fragments
from transports.websocket_partial import PartialFrame

FINAL = MASKED = 0x80
RESERVED_BITS = 0x70
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
OPCODES = frozenset({CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG})
CONTROL = 0x08  # the bit that marks the opcodes of control frames
CONTROL_BYTES = 125
WHOLE_TEXT = FINAL | TEXT

# What has ended, the close code, and the size of the state of the fragments.
_STATE = struct.Struct("!????HI")

_pack_medium = struct.Struct("!BBH").pack
_pack_long = struct.Struct("!BBQ").pack

# The headers of messages shorter than this are made once.
COMMON_BYTES = 2048

# A peer that pings faster than we read gets answers to its latest pings only (section 5.5.3).
MAX_PONGS = 10


@attrs.define(eq=False, kw_only=True)
class WebSocketFramer:
    """The server's side of a WebSocket connection after the handshake: one message per text frame.

    Bytes that must be sent at once, pongs and the close frame, are collected in `replies`.
    """

    half_closes: ClassVar[bool] = False  # after a close frame we wait for the peer's

    max_bytes: int
    binary_is_unreadable: bool = False
    replies: list[bytes] = attrs.field(init=False, factory=list)
    ended: bool = attrs.field(init=False, default=False)
    trifles: int = attrs.field(init=False, default=0)  # control frames and fragments
    midway: bool = attrs.field(init=False, default=False)
    # Empty, or None while it is midway or at the end; see `ResumableFramer`.
    resting: bytes | None = attrs.field(init=False, default=b"")
    _closing: Closing | None = attrs.field(init=False, default=None)
    _rest: PartialFrame | None = attrs.field(init=False, default=None)
    _fragments: Fragments | None = attrs.field(init=False, default=None)

    def feed(self, data: bytes) -> list[bytes | Unreadable]:
        """The messages that these bytes complete, up to the end of the connection."""
        size = len(data)
        if self.resting is not None and size > 5 and data[0] == WHOLE_TEXT:
            length = data[1] - MASKED
            start = 6
            if length == 126:
                length = data[2] << 8 | data[3]
                start = 8 if length > 125 else 0  # too short for two bytes: invalid
            elif length == 127:
                start = 0
            if start and start + length == size and length <= self.max_bytes:
                payload = apply_mask(data[start:], data[start - 4 : start])
                if payload.isascii() or is_text(payload):
                    return [payload]
        return self._feed_any(data)

    def _feed_any(self, data: bytes) -> list[bytes | Unreadable]:
        if self._rest is not None:
            if (whole := self._rest.add(data)) is None:
                return []
            data, self._rest = whole, None
        messages: list[bytes | Unreadable] = []
        try:
            self._read_frames(data, messages)
        except BrokenFrame as broken:
            self._begin_to_close().broken = broken.reason
            self._end(broken.code, pack_close(broken.code, broken.reason))
        self.midway = self._rest is not None or self._fragments is not None
        self.resting = None if self.ended or self.midway else b""
        return messages

    def _read_frames(self, data: bytes, messages: list[bytes | Unreadable]) -> None:
        at = 0
        while not self.ended:
            start, end = self._span(data, at)
            if end > len(data):
                if at < len(data):
                    self._rest = PartialFrame(bytearray(data[at:]), end - at)
                return
            payload = apply_mask(data[start:end], data[start - 4 : start])
            message = self._take(data[at], payload)
            if message is not None:
                messages.append(message)
            at = end

    def _span(self, data: bytes, at: int) -> tuple[int, int]:
        """Where the payload of the frame at `at` starts and ends, as far as can be told.

        An end beyond the data says how long the data must be before more can be told.
        """
        if len(data) < at + 2:
            return at, at + 2
        first, second = data[at], data[at + 1]
        self._check_head(first, second)
        start, length = at + 2, second & ~MASKED
        if length > 125:
            start += 2 if length == 126 else 8
            if len(data) < start:
                return start, start
            length = _extended_length(data[at + 2 : start])
        if not first & CONTROL:
            self._check_size(length)
        start += 4
        return start, start + length

    def _check_head(self, first: int, second: int) -> None:
        """Refuse a frame for its first two bytes, without waiting for the rest."""
        opcode = first & 0x0F
        if first & RESERVED_BITS or opcode not in OPCODES:
            raise BrokenFrame(PROTOCOL_ERROR, "reserved bit or opcode")
        if not second & MASKED:
            raise BrokenFrame(PROTOCOL_ERROR, "clients mask their frames")
        if opcode & CONTROL:
            if not first & FINAL or second & ~MASKED > CONTROL_BYTES:
                raise BrokenFrame(PROTOCOL_ERROR, "control frame too long or fragmented")
        elif (opcode == CONTINUATION) == (self._fragments is None):
            raise BrokenFrame(PROTOCOL_ERROR, "a fragment is missing")
        elif opcode == BINARY and not self.binary_is_unreadable:
            raise BrokenFrame(UNSUPPORTED_DATA, "text frames only")

    def _check_size(self, length: int) -> None:
        if self._fragments is not None:
            length += self._fragments.size
        if length > self.max_bytes:
            raise BrokenFrame(TOO_BIG, f"message longer than {self.max_bytes} bytes")

    def _take(self, first: int, payload: bytes) -> bytes | Unreadable | None:
        """The message that this frame completes, if any."""
        opcode = first & 0x0F
        if opcode & CONTROL or not first & FINAL:
            self.trifles += 1
        if opcode & CONTROL:
            self._take_control(opcode, payload)
            return None
        if self._fragments is None:
            if opcode == TEXT and first & FINAL:
                check_text(payload)
                return payload
            self._fragments = Fragments(is_text=opcode == TEXT)
        self._fragments.add(payload, final=bool(first & FINAL))
        if not first & FINAL:
            return None
        fragments, self._fragments = self._fragments, None
        return fragments.message()

    def _take_control(self, opcode: int, payload: bytes) -> None:
        if opcode == CLOSE:
            self._end(unpack_close(payload), payload)
            self._begin_to_close().parted = True
        elif opcode == PING and self.close_code is None:
            if len(self.replies) == MAX_PONGS:
                del self.replies[0]
            self.replies.append(_head(PONG, len(payload)) + payload)

    def _end(self, code: int, close_payload: bytes) -> None:
        """Receive nothing from now on, and send a close frame unless that was done before."""
        self.ended = True
        self._rest = self._fragments = None
        if close := self._close(code, close_payload):
            self.replies.append(close)

    def _close(self, code: int, payload: bytes) -> bytes:
        if self.close_code is not None:
            return b""
        self._begin_to_close().code = code
        return _head(CLOSE, len(payload)) + payload

    def _begin_to_close(self) -> Closing:
        if self._closing is None:
            self._closing = Closing()
        return self._closing

    @property
    def close_code(self) -> int | None:
        """The peer's or ours, once a close frame was sent."""
        return None if self._closing is None else self._closing.code

    @property
    def parted(self) -> bool:
        return self._closing is not None and self._closing.parted

    @property
    def broken(self) -> str:
        """How the peer has broken RFC 6455."""
        return "" if self._closing is None else self._closing.broken

    @property
    def state(self) -> bytes:
        if self.resting is not None:
            return self.resting
        code = self.close_code
        flags = (self.ended, self.parted, code is not None, self._fragments is not None)
        fragments = b"" if self._fragments is None else self._fragments.state
        head = _STATE.pack(*flags, code or 0, len(fragments))
        return head + fragments + (b"" if self._rest is None else self._rest.data)

    def resume(self, state: bytes, *, spoken: bool) -> None:
        if not state:
            return
        *flags, code, size = _STATE.unpack_from(state)
        self.ended, parted, has_code, is_fragmented = flags
        if parted or has_code:
            self._closing = Closing(code if has_code else None, parted)
        end = _STATE.size + size
        if is_fragmented:
            self._fragments = Fragments.resumed(state[_STATE.size : end])
        self._feed_any(state[end:])  # less than a frame

    def wrap(self, frame: bytes) -> tuple[bytes, bytes]:
        """One text frame; must not be sent once the connection has a close code."""
        length = len(frame)
        return _HEADS[length] if length < COMMON_BYTES else _head(TEXT, length), frame

    def ending(self, farewell: Farewell) -> bytes:
        """Our close frame; empty if it was sent already."""
        code, reason = goodbye(farewell)
        return self._close(code, pack_close(code, reason))


def _head(opcode: int, length: int) -> bytes:
    """The header of a frame that we send."""
    if length < 126:
        return bytes((FINAL | opcode, length))
    if length < 1 << 16:
        return _pack_medium(FINAL | opcode, 126, length)
    return _pack_long(FINAL | opcode, 127, length)


_HEADS = [_head(TEXT, length) for length in range(COMMON_BYTES)]


def _extended_length(octets: bytes) -> int:
    length = int.from_bytes(octets, "big")
    if length < (126 if len(octets) == 2 else 1 << 16):
        raise BrokenFrame(PROTOCOL_ERROR, "length in more bytes than needed")
    if length >> 63:
        raise BrokenFrame(PROTOCOL_ERROR, "length beyond 63 bits")
    return length
