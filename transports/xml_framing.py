"""One endless XML document per direction, cut into the elements right below its root."""

import re
from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

import attrs
from lxml import etree

from transports.link import Farewell, Frame, Unreadable

# The longest real message is a request for a prepared game with two long names: under 1 kB. The
# parser itself would buffer an endless attribute without any limit.
MAX_BYTES = 16 * 1024

# Three levels and four attributes are used; the rest is room for extensions of the protocol.
MAX_DEPTH = 8
MAX_ATTRIBUTES = 16

# Tags, and other signs that look like their ends, of one element. The parser is called for each of
# them; the longest message, a whole board, has 170.
MAX_TAGS = 256

# The parser library remembers every name it has seen for the life of the process. An administrator
# may hear 54 different ones; the longest of the protocol has 37 letters.
MAX_NAMES = 64
MAX_NAME = 64

# What comes before the root is long only in comments; the header itself is short.
HEADER_BYTES = 256

_BLANKS = b" \t\r\n"
_DOCTYPE = b"<!DOCTYPE"
_NO_XML = re.compile(rb"[\xef\xbb\xbf \t\r\n]*[^\xef\xbb\xbf \t\r\n<]")
_HEADER = re.compile(rb"(\xef\xbb\xbf)?<\?xml\s[^>]*\?>")


class _Refused(Exception):
    """Well-formed so far, but not what this side is willing to read."""


@attrs.define(eq=False)
class XmlFramer:
    """Frames are finished elements; the document around them never ends before the connection.

    Whatever cannot be read ends the stream: after an error in a document there is no way to tell
    where the next element begins.
    """

    replies: ClassVar[list[bytes]] = []  # no answer below the level of elements
    half_closes: ClassVar[bool] = True
    parted: ClassVar[bool] = False

    root: Final[str]
    max_bytes: int = MAX_BYTES
    _parser: "etree.XMLPullParser[etree._Element]" = attrs.field(factory=lambda: _new_parser())
    _document: "etree._Element | None" = None
    _prolog: bytes = b""
    _depth: int = 0
    _size: int = 0  # bytes since the last finished element, without the blanks right after it
    _tags: int = 0  # and how many there are in these bytes
    _tag_begun: bool = False  # a tag or a comment
    _names: set[str] = attrs.field(factory=set)
    _opened: bool = False
    trifles: int = 0  # tags and comments: inside of messages, too, they are what takes time
    ended: bool = attrs.field(default=False, init=False)

    @property
    def midway(self) -> bool:
        return self._tag_begun or self._depth > 1

    def feed(self, data: bytes) -> Sequence[Frame]:
        frames: list[Frame] = []
        try:
            # No more than one tag at a time: so each element is known by its last byte, and
            # everything before that byte can be counted.
            *pieces, rest = data.split(b">")
            self.trifles += len(pieces)
            for piece in pieces:
                frames.extend(self._read(piece + b">"))
                if self.ended:
                    return frames
            if rest:
                frames.extend(self._read(rest))
        except (etree.XMLSyntaxError, _Refused) as error:
            self.ended = True
            frames.append(Unreadable(str(error)))
        return frames

    def _read(self, piece: bytes) -> Iterator[bytes]:
        if self._depth == 1 and not self._size:
            piece = piece.lstrip(_BLANKS)  # between messages; the parser would keep them
        if not piece:
            return
        self._admit(piece)
        self._parser.feed(piece)
        if self._prolog[2:] == b">":
            self._parser.feed(b"\n")  # it looks at nothing, not even <a>, before the fourth byte
        for event, node in self._parser.read_events():
            # Only the parser knows which ">" ends something: others are in values and comments.
            self._tag_begun = False
            if event == "start":
                self._start(node)
            elif event == "end":
                yield from self._end(node)
            elif event == "pi":
                raise _Refused("a processing instruction")
            elif self._depth == 1:
                self._forget()  # a comment between messages

    def _admit(self, piece: bytes) -> None:
        # Text in CDATA brackets is no event: between messages it belongs to the next one.
        self._tag_begun = self._tag_begun or b"<" in piece
        self._size += len(piece)
        if self._size > self.max_bytes:
            raise _Refused(f"an element longer than {self.max_bytes} bytes")
        self._tags += piece.endswith(b">")
        if self._tags > MAX_TAGS:
            raise _Refused(f"an element with more than {MAX_TAGS} tags")
        if self._document is None:
            self._admit_before_root(piece)

    def _admit_before_root(self, piece: bytes) -> None:
        # Only the beginning is looked at again, and where two pieces meet: a comment of many
        # pieces may be long.
        if _DOCTYPE in self._prolog[-len(_DOCTYPE) :] + piece:
            raise _Refused("a document type declaration")
        if len(self._prolog) > HEADER_BYTES:
            self._prolog = self._prolog[:HEADER_BYTES] + self._prolog[-len(_DOCTYPE) :]
        self._prolog += piece
        # The parser would wait for more before it says that this is no XML.
        if _NO_XML.match(self._prolog):
            raise _Refused("not XML")
        if _HEADER.fullmatch(self._prolog):
            self._tag_begun = False

    def _start(self, element: "etree._Element") -> None:
        self._depth += 1
        if self._document is None:
            self._document, self._prolog, self._size, self._tags = element, b"", 0, 0
        if self._depth > MAX_DEPTH:
            raise _Refused(f"more than {MAX_DEPTH} elements inside each other")
        if len(element.attrib) > MAX_ATTRIBUTES:
            raise _Refused(f"more than {MAX_ATTRIBUTES} attributes")
        self._learn(_names(element))

    def _learn(self, names: set[str]) -> None:
        if any(len(name) > MAX_NAME for name in names):
            raise _Refused(f"a name longer than {MAX_NAME} letters")
        self._names |= names
        if len(self._names) > MAX_NAMES:
            raise _Refused(f"more than {MAX_NAMES} different names")

    def _end(self, element: "etree._Element") -> Iterator[bytes]:
        self._depth -= 1
        if self._depth == 1:
            yield etree.tostring(element, with_tail=False)
            self._forget()
        elif not self._depth:
            self.ended = True

    def _forget(self) -> None:
        """Drop what is finished; otherwise the document would grow for the life of the peer."""
        self._size = self._tags = 0
        if self._document is not None:
            del self._document[:]
            self._document.text = None

    def wrap(self, frame: bytes) -> bytes:
        """The frame on lines of its own; our document begins with the first one."""
        opening, self._opened = b"" if self._opened else self._opening, True
        return opening + b"\n" + frame

    def ending(self, farewell: Farewell) -> bytes:
        opening = b"" if self._opened else self._opening
        return opening + b"\n</" + self.root.encode() + b">"

    @property
    def _opening(self) -> bytes:
        return b"<" + self.root.encode() + b">"


def _names(element: "etree._Element") -> set[str]:
    """All names in a start tag, and those of the namespaces that hold there."""
    spaces = element.nsmap
    return {str(name) for name in (element.tag, *element.attrib, *spaces, *spaces.values()) if name}


def _new_parser() -> "etree.XMLPullParser[etree._Element]":
    return etree.XMLPullParser(
        events=("start", "end", "comment", "pi"),
        encoding="utf-8",
        # None can be declared without a document type; so that each one used is an error.
        resolve_entities="internal",
        no_network=True,
        load_dtd=False,
        huge_tree=False,
    )
