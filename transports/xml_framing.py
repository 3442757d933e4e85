"""One endless XML document per direction, cut into the child elements of its root.

It is only cut: each element goes to its reader as it came, and the reader parses it. A parser for
the whole document would keep every name it has ever seen, some of them for the life of the process.
"""

import enum
import re
import struct
from collections.abc import Sequence
from typing import ClassVar, Final

import attrs

from transports.link import Farewell, Frame, Unreadable

# The longest real message, a request for a prepared game with two long names, is under 1 kB. A
# state has 3.5 kB.
MAX_BYTES = 16 * 1024

# Three levels and four attributes are used, and a state has 164 tags; the rest is room for
# extensions of the protocol.
MAX_DEPTH = 8
MAX_ATTRIBUTES = 16
MAX_TAGS = 256

# Bytes of a name: that of the root is kept as long as the connection.
MAX_NAME = 256

_BLANKS = b" \t\r\n"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"

_NAME = rb"""[^\s<>/"'=&!?][^\s<>/"'=&]*+"""
_VALUE = rb"""(?:"[^<"]*+"|'[^<']*+')"""
_ATTRIBUTE = re.compile(rb"\s++%b\s*+=\s*+%b" % (_NAME, _VALUE))
# The next complete tag, and the text before it: what it opens, with its attributes and whether it
# is self-closing, or what it closes.
_TAG = re.compile(
    rb"[^<]*+(<)(?:(%b)((?:%b)*+)\s*+(/?)|/(%b)\s*+)>" % (_NAME, _ATTRIBUTE.pattern, _NAME)
)
_SHORTEST_ATTRIBUTE = len(' a=""')

# Anything that may become a tag. The bracket is its end, which may still be missing; the other
# groups tell whether the end of a value is.
_ANY_TAG = re.compile(
    rb"""<[^<>"']*+(?:%b[^<>"']*+){0,%d}+(?:(>)|(")[^<"]*+\Z|(')[^<']*+\Z|\Z)"""
    % (_VALUE, MAX_ATTRIBUTES)
)
# The bytes that could complete it: a peer that sends single bytes must not cause a full search for
# each of them.
_NEWS = {None: re.compile(rb"[<>\"']"), 2: re.compile(rb"[<\"]"), 3: re.compile(rb"[<']")}
_BRACKET = re.compile(b">")

# The XML declaration of a document; its end may still be missing, too.
_HEADER = re.compile(rb"<\?xml\s[^<>]{0,256}?(?:(\?>)|\Z)")
_HEADER_BEGUN = re.compile(rb"<(?:\?(?:x(?:ml?)?)?)?\Z")

# What must not be in text: control characters, and invalid references.
_CONTROLS = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_UNKNOWN_REFERENCE = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);)")
_HALF_REFERENCE = re.compile(rb"&[#0-9a-zA-Z]{0,20}\Z")


# How far the document was read, tags, whether a tag has begun and whether the document has ended;
# where the element begins and what is parsed.
_STATE = struct.Struct("!BI??qq")


class _Refused(Exception):
    """Something that we refuse to read."""


class _Beginning(enum.Enum):
    """How far a document was read."""

    NOTHING = enum.auto()
    MARK = enum.auto()  # the byte order mark
    ALL = enum.auto()
    SPOKEN = enum.auto()  # the root as well, and a child of it


@attrs.define(eq=False)
class _Rest:
    """The part of a document that was read but not dealt with yet."""

    data: bytes = b""
    kept: int = 0  # what comes before is done with; what comes after is limited in size
    element: int = 0  # where the current child of the root begins
    at: int = 0  # everything before it has been parsed
    begun: bool = False  # a tag or a comment has begun
    news: re.Pattern[bytes] | None = None  # the bytes without which it cannot be complete

    def forget(self, done: int) -> None:
        self.data = self.data[done:]
        self.at, self.element, self.kept = self.at - done, self.element - done, 0


@attrs.define(eq=False)
class XmlFramer:
    """Frames are complete elements; the document around them lasts as long as the connection.

    Anything that cannot be parsed ends the stream: after an error in a document there is no way to
    tell where the next element begins. Errors inside an element that do not hide its end are left
    to the element's reader.
    """

    replies: ClassVar[list[bytes]] = []  # nothing is answered below the level of elements
    half_closes: ClassVar[bool] = True
    parted: ClassVar[bool] = False

    root: Final[str]
    max_bytes: int = MAX_BYTES
    _rest: _Rest = attrs.field(factory=_Rest, init=False)
    _names: list[bytes] = attrs.field(factory=list)  # of the open elements, from the root inwards
    _tags: int = 0  # and comments, since the last child of the root
    _beginning: _Beginning = _Beginning.NOTHING
    _opened: bool = False
    trifles: int = 0  # tags and comments: they are what takes time, inside messages as well
    ended: bool = attrs.field(default=False, init=False)

    @property
    def midway(self) -> bool:
        return self._rest.begun or len(self._names) > 1

    def feed(self, data: bytes) -> Sequence[Frame]:
        self.trifles += data.count(b">")
        rest = self._rest
        rest.data = rest.data + data if rest.data else data
        frames: list[Frame] = []
        try:
            if self._has_news(data) and self._has_begun():
                while not self.ended and self._read(frames):
                    pass
            self._limit(len(rest.data))
        except _Refused as error:
            self.ended = True
            frames.append(Unreadable(str(error)))
        rest.forget(len(rest.data) if self.ended else rest.kept)
        return frames

    def _limit(self, end: int) -> None:
        if end - self._rest.kept > self.max_bytes and not self.ended:
            raise _Refused(f"an element longer than {self.max_bytes} bytes")

    def _has_news(self, data: bytes) -> bool:
        rest = self._rest
        if rest.news is not None and not rest.news.search(data):
            return False
        rest.news = None
        return True

    # Each of these reads one thing, and returns whether it was complete

    def _has_begun(self) -> bool:
        read = self._beginning
        return read is _Beginning.SPOKEN or read is _Beginning.ALL or self._read_header()

    def _read_header(self) -> bool:
        rest, unmarked = self._rest, self._beginning is _Beginning.NOTHING
        if unmarked and rest.data.startswith(_BYTE_ORDER_MARK):
            rest.data = rest.data.removeprefix(_BYTE_ORDER_MARK)
            self._beginning, unmarked = _Beginning.MARK, False
        header = _HEADER.match(rest.data)
        if header is not None and header[1]:
            self._pass(header.end())
            rest.kept = rest.at
        elif header is not None or _HEADER_BEGUN.match(rest.data):
            rest.begun = True
            return False
        elif not rest.data or (unmarked and _BYTE_ORDER_MARK.startswith(rest.data)):
            return False
        self._beginning = _Beginning.ALL
        return True

    def _read(self, frames: list[Frame]) -> bool:
        rest = self._rest
        tag = _TAG.match(rest.data, rest.at)
        if tag is None:
            return self._read_other()
        bracket = tag.start(1)
        if bracket > rest.at:
            self._read_text(bracket, whole=True)
        if tag[2]:
            self._start(tag, frames)
        else:
            self._end(tag, frames)
        return True

    def _read_text(self, end: int, *, whole: bool) -> None:
        """Inside messages it is left to their reader; between them it is ignored."""
        rest = self._rest
        if len(self._names) < 2:
            text = rest.data[rest.at : end]
            if not whole and (half := _HALF_REFERENCE.search(text)):
                # Looked at again with the rest of it.
                text, end = text[: half.start()], end - len(half[0])
            if not _is_text(text) or (text.strip(_BLANKS) and not self._names):
                raise _Refused("not XML")
            if rest.at == rest.kept:  # nothing has begun, so this may go on forever
                rest.kept = end
        rest.at = end

    def _read_other(self) -> bool:
        data = self._rest.data
        bracket = data.find(b"<", self._rest.at)
        if bracket < 0:
            self._read_text(len(data), whole=False)
            return False
        if bracket > self._rest.at:
            self._read_text(bracket, whole=True)
        return self._read_bracket(bracket)

    def _read_bracket(self, bracket: int) -> bool:
        """Read something that begins with a bracket and is not a tag, or not yet."""
        rest, data = self._rest, self._rest.data
        begin = data[bracket : bracket + len(b"<![CDATA[")]
        if begin.startswith(b"<!--"):
            return self._read_to(b"-->", bracket + 4, remember=False)
        if begin == b"<![CDATA[" and self._names:
            # Between messages, too, a reader might need it: it belongs to the next message.
            return self._read_to(b"]]>", bracket + 9, remember=True)
        if b"<!--".startswith(begin) or b"<![CDATA[".startswith(begin):
            rest.begun = True
            return False
        if begin.startswith(b"<!"):
            raise _Refused("a document type declaration")
        if begin.startswith(b"<?"):
            raise _Refused("a processing instruction")
        tag = _ANY_TAG.match(data, bracket)
        if tag is None or tag[1]:
            raise _Refused("not XML")
        rest.begun, rest.news = True, _NEWS[tag.lastindex]
        return False

    def _read_to(self, closing: bytes, start: int, *, remember: bool) -> bool:
        rest = self._rest
        rest.begun = True
        end = rest.data.find(closing, start)
        if end < 0:
            rest.news = _BRACKET
            return False
        self._pass(end + len(closing))
        if len(self._names) < 2:
            rest.begun = remember
            rest.kept = rest.kept if remember else rest.at
        return True

    # Tags

    def _pass(self, end: int) -> None:
        """Something that was parsed ends there."""
        self._limit(end)
        self._rest.at, self._rest.begun = end, False
        self._tags += 1
        if self._tags > MAX_TAGS:
            raise _Refused(f"more than {MAX_TAGS} tags or comments in or before an element")

    def _start(self, tag: re.Match[bytes], frames: list[Frame]) -> None:
        _, name, attributes, empty, _ = tag.groups()
        if len(name) > MAX_NAME:
            raise _Refused(f"a name longer than {MAX_NAME} bytes")
        if len(attributes) > MAX_ATTRIBUTES * _SHORTEST_ATTRIBUTE:
            self._count(attributes)
        if len(self._names) == MAX_DEPTH:
            raise _Refused(f"more than {MAX_DEPTH} elements inside each other")
        if len(self._names) == 1:
            self._begin(tag.start(1), name)
        self._pass(tag.end())
        if not self._names:
            self._rest.kept = self._rest.at
        self._names.append(name)
        if empty:
            self._close(frames)

    def _count(self, attributes: bytes) -> None:
        if len(_ATTRIBUTE.findall(attributes)) > MAX_ATTRIBUTES:
            raise _Refused(f"more than {MAX_ATTRIBUTES} attributes")

    def _begin(self, bracket: int, name: bytes) -> None:
        if name in (self._names[0], self.root.encode()):
            raise _Refused("a document inside of the document")
        self._rest.element = bracket

    def _end(self, tag: re.Match[bytes], frames: list[Frame]) -> None:
        if not self._names or tag[5] != self._names[-1]:
            raise _Refused("the end of an element that is not open")
        self._pass(tag.end())
        self._close(frames)

    def _close(self, frames: list[Frame]) -> None:
        name = self._names.pop()
        rest = self._rest
        if not self._names:
            if self._beginning is not _Beginning.SPOKEN and name != self.root.encode():
                raise _Refused(f"a root other than <{self.root}>")  # it was meant as a message
            self.ended = True
        elif len(self._names) == 1:
            frames.append(rest.data[rest.element : rest.at])
            rest.kept, self._tags = rest.at, 0
            self._beginning = _Beginning.SPOKEN

    # In another process

    @property
    def resting(self) -> bytes | None:
        if self._rest.data or self.midway or self.ended:
            return None
        return self.state

    @property
    def state(self) -> bytes:
        rest = self._rest
        fields = (self._beginning.value, self._tags, rest.begun, self.ended, rest.element, rest.at)
        return _STATE.pack(*fields) + b" ".join(self._names) + b"\n" + rest.data

    def resume(self, state: bytes, *, spoken: bool) -> None:
        self._opened = spoken
        if not state:
            return
        beginning, self._tags, begun, self.ended, element, at = _STATE.unpack_from(state)
        names, _, data = state[_STATE.size :].partition(b"\n")
        self._beginning = _Beginning(beginning)
        self._names = names.split()
        self._rest = _Rest(data, element=element, at=at, begun=begun)

    # Output

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
