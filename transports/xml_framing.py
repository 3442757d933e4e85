"""One endless XML document per direction, cut into the elements right below its root.

Only cut: each element goes to its reader as it came, and the reader parses it by itself. A parser
that read the whole document would keep every name it has ever seen, some of them for the life of
the process.
"""

import re
from collections.abc import Sequence
from typing import ClassVar, Final

import attrs

from transports.link import Farewell, Frame, Unreadable

# The longest real message is a request for a prepared game with two long names: under 1 kB. A state
# has 3.5 kB.
MAX_BYTES = 16 * 1024

# Three levels and four attributes are used, a state has 164 tags; the rest is room for extensions
# of the protocol.
MAX_DEPTH = 8
MAX_ATTRIBUTES = 16
MAX_TAGS = 256

# Bytes of a name: that of the document is kept as long as the connection.
MAX_NAME = 256

_BLANKS = b" \t\r\n"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"

_NAME = rb"""[^\s<>/"'=&!?][^\s<>/"'=&]*+"""
_VALUE = rb"""(?:"[^<"]*+"|'[^<']*+')"""
_ATTRIBUTE = re.compile(rb"\s++%b\s*+=\s*+%b" % (_NAME, _VALUE))
_START = re.compile(rb"<(%b)((?:%b)*+)\s*+(/?)>" % (_NAME, _ATTRIBUTE.pattern))
_END = re.compile(rb"</(%b)\s*+>" % _NAME)
_SHORTEST_ATTRIBUTE = len(' a=""')

# Whatever may become a tag. The bracket is its end, which need not be there yet; the other groups
# tell whether a value is.
_ANY_TAG = re.compile(
    rb"""<[^<>"']*+(?:%b[^<>"']*+){0,%d}+(?:(>)|(")[^<"]*+\Z|(')[^<']*+\Z|\Z)"""
    % (_VALUE, MAX_ATTRIBUTES)
)
# The bytes that could complete it: a peer that sends single bytes must not cause a full search for
# each of them.
_NEWS = {None: re.compile(rb"[<>\"']"), 2: re.compile(rb"[<\"]"), 3: re.compile(rb"[<']")}
_BRACKET = re.compile(b">")

# The header of a document; its end need not be there yet, either.
_HEADER = re.compile(rb"<\?xml\s[^<>]{0,256}?(?:(\?>)|\Z)")
_HEADER_BEGUN = re.compile(rb"<(?:\?(?:x(?:ml?)?)?)?\Z")

# What is no text: control characters, and references to nothing.
_CONTROLS = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_UNKNOWN_REFERENCE = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);)")
_HALF_REFERENCE = re.compile(rb"&[#0-9a-zA-Z]{0,20}\Z")


class _Refused(Exception):
    """Not what this side is willing to read."""


@attrs.define(eq=False)
class XmlFramer:
    """Frames are finished elements; the document around them never ends before the connection.

    Whatever cannot be read ends the stream: after an error in a document there is no way to tell
    where the next element begins. What is wrong inside of an element, without hiding its end, is
    left for the element's reader to find.
    """

    replies: ClassVar[list[bytes]] = []  # no answer below the level of elements
    half_closes: ClassVar[bool] = True
    parted: ClassVar[bool] = False

    root: Final[str]
    max_bytes: int = MAX_BYTES
    _buffer: bytes = b""
    _kept: int = 0  # what comes before it is done with; what comes after it, limited
    _element: int = 0  # where the element below the root begins
    _at: int = 0  # what comes before it is understood
    _names: list[bytes] = attrs.field(factory=list)  # of the open elements, the root first
    _tags: int = 0  # and comments, since the last element below the root
    _begun: bool = False  # a tag or a comment
    _news: re.Pattern[bytes] | None = None  # without which it cannot be whole
    _fresh: bool = True  # not even the header was read
    _marked: bool = False  # there was a byte order mark
    _opened: bool = False
    trifles: int = 0  # tags and comments: inside of messages, too, they are what takes time
    ended: bool = attrs.field(default=False, init=False)

    @property
    def midway(self) -> bool:
        return self._begun or len(self._names) > 1

    def feed(self, data: bytes) -> Sequence[Frame]:
        self.trifles += data.count(b">")
        self._buffer = self._buffer + data if self._buffer else data
        frames: list[Frame] = []
        try:
            if self._has_news(data) and (not self._fresh or self._read_header()):
                while not self.ended and self._read(frames):
                    pass
            self._limit(len(self._buffer))
        except _Refused as error:
            self.ended = True
            frames.append(Unreadable(str(error)))
        self._forget()
        return frames

    def _forget(self) -> None:
        """Keep only what is not finished."""
        done = len(self._buffer) if self.ended else self._kept
        self._buffer = self._buffer[done:]
        self._at, self._element, self._kept = self._at - done, self._element - done, 0

    def _limit(self, end: int) -> None:
        if end - self._kept > self.max_bytes and not self.ended:
            raise _Refused(f"an element longer than {self.max_bytes} bytes")

    def _has_news(self, data: bytes) -> bool:
        if self._news is not None and not self._news.search(data):
            return False
        self._news = None
        return True

    # Each of these reads one thing, and tells whether it was there as a whole

    def _read_header(self) -> bool:
        if not self._marked and self._buffer.startswith(_BYTE_ORDER_MARK):
            self._buffer, self._marked = self._buffer.removeprefix(_BYTE_ORDER_MARK), True
        buffer = self._buffer
        header = _HEADER.match(buffer)
        if header is not None and header[1]:
            self._pass(header.end())
            self._kept = self._at
        elif header is not None or _HEADER_BEGUN.match(buffer):
            self._begun = True
            return False
        elif not buffer or (not self._marked and _BYTE_ORDER_MARK.startswith(buffer)):
            return False
        self._fresh = False
        return True

    def _read(self, frames: list[Frame]) -> bool:
        buffer = self._buffer
        bracket = buffer.find(b"<", self._at)
        if bracket < 0:
            self._read_text(len(buffer), whole=False)
            return False
        if bracket > self._at:
            self._read_text(bracket, whole=True)
        if start := _START.match(buffer, bracket):
            self._start(start, frames)
        elif end := _END.match(buffer, bracket):
            self._end(end, frames)
        else:
            return self._read_other(bracket)
        return True

    def _read_text(self, end: int, *, whole: bool) -> None:
        """Inside messages it is left to their reader; between them it means nothing."""
        if len(self._names) < 2:
            text = self._buffer[self._at : end]
            if not whole and (half := _HALF_REFERENCE.search(text)):
                # To be seen again with the rest of it.
                text, end = text[: half.start()], end - len(half[0])
            if not _is_text(text) or (text.strip(_BLANKS) and not self._names):
                raise _Refused("not XML")
            if self._at == self._kept:  # nothing has begun, so it may go on for ever
                self._kept = end
        self._at = end

    def _read_other(self, bracket: int) -> bool:
        rest = self._buffer[bracket : bracket + len(b"<![CDATA[")]
        if rest.startswith(b"<!--"):
            return self._read_to(b"-->", bracket + 4, remember=False)
        if rest == b"<![CDATA[" and self._names:
            # Between messages, too, somebody might want to know it: it belongs to the next one.
            return self._read_to(b"]]>", bracket + 9, remember=True)
        if b"<!--".startswith(rest) or b"<![CDATA[".startswith(rest):
            self._begun = True
            return False
        if rest.startswith(b"<!"):
            raise _Refused("a document type declaration")
        if rest.startswith(b"<?"):
            raise _Refused("a processing instruction")
        tag = _ANY_TAG.match(self._buffer, bracket)
        if tag is None or tag[1]:
            raise _Refused("not XML")
        self._begun, self._news = True, _NEWS[tag.lastindex]
        return False

    def _read_to(self, closing: bytes, start: int, *, remember: bool) -> bool:
        self._begun = True
        end = self._buffer.find(closing, start)
        if end < 0:
            self._news = _BRACKET
            return False
        self._pass(end + len(closing))
        if len(self._names) < 2:
            self._begun = remember
            self._kept = self._kept if remember else self._at
        return True

    # Tags

    def _pass(self, end: int) -> None:
        """Something has ended there, and is understood."""
        self._limit(end)
        self._at, self._begun = end, False
        self._tags += 1
        if self._tags > MAX_TAGS:
            raise _Refused(f"more than {MAX_TAGS} tags or comments in or before an element")

    def _start(self, tag: re.Match[bytes], frames: list[Frame]) -> None:
        name, attributes, empty = tag.groups()
        if len(name) > MAX_NAME:
            raise _Refused(f"a name longer than {MAX_NAME} bytes")
        if len(attributes) > MAX_ATTRIBUTES * _SHORTEST_ATTRIBUTE:
            self._count(attributes)
        if len(self._names) == MAX_DEPTH:
            raise _Refused(f"more than {MAX_DEPTH} elements inside each other")
        if len(self._names) == 1:
            self._begin(tag.start(), name)
        self._pass(tag.end())
        if not self._names:
            self._kept = self._at
        self._names.append(name)
        if empty:
            self._close(frames)

    def _count(self, attributes: bytes) -> None:
        if len(_ATTRIBUTE.findall(attributes)) > MAX_ATTRIBUTES:
            raise _Refused(f"more than {MAX_ATTRIBUTES} attributes")

    def _begin(self, bracket: int, name: bytes) -> None:
        if name in (self._names[0], self.root.encode()):
            raise _Refused("a document inside of the document")
        self._element = bracket

    def _end(self, tag: re.Match[bytes], frames: list[Frame]) -> None:
        if not self._names or tag[1] != self._names[-1]:
            raise _Refused("the end of an element that is not open")
        self._pass(tag.end())
        self._close(frames)

    def _close(self, frames: list[Frame]) -> None:
        self._names.pop()
        if not self._names:
            self.ended = True
        elif len(self._names) == 1:
            frames.append(self._buffer[self._element : self._at])
            self._kept, self._tags = self._at, 0

    # What we say

    def wrap(self, frame: bytes) -> tuple[bytes, bytes]:
        """The frame on lines of its own; our document begins with the first one."""
        if self._opened:
            return b"\n", frame
        self._opened = True
        return self._opening + b"\n", frame

    def ending(self, farewell: Farewell) -> bytes:
        opening = b"" if self._opened else self._opening
        return opening + b"\n</" + self.root.encode() + b">"

    @property
    def _opening(self) -> bytes:
        return b"<" + self.root.encode() + b">"


def _is_text(text: bytes) -> bool:
    return not (_CONTROLS.search(text) or _UNKNOWN_REFERENCE.search(text))
