"""A WebSocket message that arrives in several frames (RFC 6455, section 5.4)."""

import codecs
import struct

import attrs

from transports.link import Unreadable
from transports.websocket_close import INVALID_TEXT, BrokenFrame

NOT_TEXT = Unreadable("a binary frame; this protocol uses text frames")

_STATE = struct.Struct("!?Q")

_new_decoder = codecs.getincrementaldecoder("utf-8")


@attrs.define(eq=False)
class Fragments:
    """What has arrived of a message; of a binary one, only its length."""

    is_text: bool
    size: int = 0
    # One buffer, however many fragments there are: empty ones must not pile up.
    _text: bytearray = attrs.field(init=False, factory=bytearray)
    _decoder: codecs.IncrementalDecoder = attrs.field(init=False, factory=_new_decoder)

    def add(self, payload: bytes, *, final: bool) -> None:
        self.size += len(payload)
        if self.is_text:
            self._text += payload
            self._check(payload, final=final)

    def _check(self, payload: bytes, *, final: bool) -> None:
        """Refuse text as soon as no further fragment could make it valid UTF-8."""
        try:
            self._decoder.decode(payload, final)
        except UnicodeDecodeError:
            raise BrokenFrame(INVALID_TEXT, "text is not UTF-8") from None

    @property
    def state(self) -> bytes:
        """All that is known, as plain bytes."""
        return _STATE.pack(self.is_text, self.size) + self._text

    @classmethod
    def resumed(cls, state: bytes) -> "Fragments":
        """The same fragments in another process."""
        is_text, size = _STATE.unpack_from(state)
        fragments = cls(is_text)
        fragments.add(state[_STATE.size :], final=False)
        fragments.size = size
        return fragments

    def message(self) -> bytes | Unreadable:
        return bytes(self._text) if self.is_text else NOT_TEXT
