"""Splitting a stream into JSON objects, whatever their layout."""

import re
from collections.abc import Sequence
from math import inf

import attrs

from transports import Frame, LineFramer, Unreadable

# What decides where an object ends: braces outside of strings, and line ends.
# Each finds the next of these; a long string is skipped in one go.
_OUTSIDE = re.compile(rb'[^{}"\n]*+([{}"\n])')
_IN_STRING = re.compile(rb'[^"\\\n]*+(?:\\(?=\n))?+(\\[^\n]|["\n])')

_BLANKS = re.compile(rb"\s*")

# A line that begins like this is a new message, no matter what was left open before it.
_NEW_MESSAGE = re.compile(rb'\n\s*\{\s*"message(?:Type|Body)"\Z')
_NEW_MESSAGE_BYTES = 64

# Braces and quotes (and backslashes in strings) in one request: each takes almost a microsecond to
# scan. The longest chat line has half as many.
MAX_MARKS = 2048


@attrs.define
class ObjectFramer(LineFramer):
    """One frame per JSON object; objects are sent one per line.

    The document names no delimiter. Most clients write one object per line, but some pretty-print
    them or put nothing in between. Anything but an object is a frame up to the end of its line.
    """

    max_marks: float = inf
    _scanned: int = 0  # bytes of the buffer that have been scanned
    _marks: int = 0  # in the current frame
    _depth: int = 0
    _in_string: bool = False

    def feed(self, data: bytes) -> Sequence[Frame]:
        frames: list[Frame] = []
        self._buffer += self._after_skipping(data)
        text, start = bytes(self._buffer), 0
        while not self._skipping:
            if (end := self._find_end(text, start)) is not None:
                frame = text[start:end].strip()
                start = self._restart(text, end)
                if frame:
                    frames.append(frame if len(frame) <= self.max_bytes else self._too_long())
            elif self._marks > self.max_marks:
                frames.append(Unreadable(f"a message with more than {self.max_marks} signs"))
                end = text.find(b"\n", self._scanned)
                self._skipping = end < 0
                start = self._restart(text, end + 1 or len(text))
            else:
                break
        if len(text) - start > self.max_bytes:
            start = self._restart(text, len(text))
            self._skipping = True
            frames.append(self._too_long())
        del self._buffer[:start]
        self._scanned -= start
        return frames

    def _after_skipping(self, data: bytes) -> bytes:
        """What follows the line that was too long."""
        if not self._skipping:
            return data
        _, newline, rest = data.partition(b"\n")
        self._skipping = not newline
        return rest

    def _find_end(self, data: bytes, start: int) -> int | None:
        """Where the frame that begins at `start` ends, if it does."""
        while mark := (_IN_STRING if self._in_string else _OUTSIDE).match(data, self._scanned):
            self._scanned = mark.end()
            self._marks += 1
            self.trifles += 1
            if self._ends_with(mark[1]):
                return self._scanned
            if mark[1] == b'"' and (restart := self._new_message(data, start)) is not None:
                return restart
            if self._marks > self.max_marks:
                return None
        # Half an escape sequence is scanned again when the other half has arrived.
        self._scanned = max(self._scanned, len(data) - data.endswith(b"\\"))
        return None

    def _ends_with(self, mark: bytes) -> bool:
        if mark == b'"':
            self._in_string = not self._in_string
        elif mark == b"{":
            self._depth += 1
        elif mark == b"}" and self._depth:
            self._depth -= 1
            return self._depth == 0
        # A string never continues on the next line: whatever was meant is broken off here.
        return mark == b"\n" and (self._in_string or self._depth == 0)

    def _new_message(self, data: bytes, start: int) -> int | None:
        """Where a new message begins inside one that was never closed, if one does."""
        if self._in_string or self._depth < 2:
            return None
        start = max(start, self._scanned - _NEW_MESSAGE_BYTES)
        found = _NEW_MESSAGE.search(data, start, self._scanned)
        return found.start() + 1 if found else None

    def _restart(self, data: bytes, end: int) -> int:
        """Where the next frame begins: any number of blanks before it is skipped."""
        blanks = _BLANKS.match(data, end)
        start = blanks.end() if blanks else end
        self._scanned, self._depth, self._in_string, self._marks = start, 0, False, 0
        return start

    def _too_long(self) -> Unreadable:
        return Unreadable(f"a message longer than {self.max_bytes} bytes")
