"""One endless XML document per direction, cut into the elements right below its root."""

from collections.abc import Iterator
from typing import Final

import attrs
from lxml import etree

from transports.framing import FrameError
from transports.link import Unreadable

# The longest real message is a request for a prepared game with two long names: under 1 kB. The
# parser itself would buffer an endless attribute without any limit.
MAX_BYTES = 16 * 1024

# Three levels and four attributes are used; the rest is room for extensions of the protocol.
MAX_DEPTH = 8
MAX_ATTRIBUTES = 16

# The parser library remembers every name it has seen for the life of the process.
MAX_NAMES = 100

_BLANKS = b"\xef\xbb\xbf \t\r\n"  # with the byte order mark of UTF-8


class _Refused(Exception):
    """Well-formed so far, but not what this side is willing to read."""


@attrs.define(eq=False)
class XmlFramer:
    """Frames are finished elements; the document around them never ends before the connection.

    Whatever cannot be read ends the stream: after an error in a document there is no way to tell
    where the next element begins.
    """

    root: Final[str]
    max_bytes: int = MAX_BYTES
    _parser: "etree.XMLPullParser[etree._Element]" = attrs.field(factory=lambda: _new_parser())
    _document: "etree._Element | None" = None
    _prolog: bytes = b""
    _depth: int = 0
    _size: int = 0  # bytes since the last finished element
    _tag_begun: bool = False
    _names: set[str] = attrs.field(factory=set)
    _opened: bool = False

    @property
    def midway(self) -> bool:
        return self._tag_begun or self._depth > 1

    def feed(self, data: bytes) -> Iterator[bytes | Unreadable]:
        try:
            # No more than one tag at a time: so each element is known by its last byte, and
            # everything before that byte can be counted.
            *pieces, rest = data.split(b">")
            for piece in pieces:
                yield from self._read(piece + b">")
            if rest:
                yield from self._read(rest)
        except (etree.XMLSyntaxError, _Refused) as error:
            yield Unreadable(str(error))
            raise FrameError(str(error)) from None

    def _read(self, piece: bytes) -> Iterator[bytes]:
        self._admit(piece)
        self._parser.feed(piece)
        for event, node in self._parser.read_events():
            if event == "start":
                self._start(node)
            elif event == "end":
                yield from self._end(node)
            elif event == "pi":
                raise _Refused("a processing instruction")
            elif self._depth == 1:
                self._forget()  # a comment between messages

    def _admit(self, piece: bytes) -> None:
        between = self._depth == 1 and not self._tag_begun
        self._tag_begun = not piece.endswith(b">") and (self._tag_begun or b"<" in piece)
        if between and piece.isspace():
            return
        self._size += len(piece)
        if self._size > self.max_bytes:
            raise _Refused(f"an element longer than {self.max_bytes} bytes")
        if self._document is None:
            self._prolog += piece
            _check_prolog(self._prolog)

    def _start(self, element: "etree._Element") -> None:
        self._depth += 1
        if self._document is None:
            self._document, self._prolog, self._size = element, b"", 0
        if self._depth > MAX_DEPTH:
            raise _Refused(f"more than {MAX_DEPTH} elements inside each other")
        if len(element.attrib) > MAX_ATTRIBUTES:
            raise _Refused(f"more than {MAX_ATTRIBUTES} attributes")
        self._names.update((str(element.tag), *map(str, element.attrib)))
        if len(self._names) > MAX_NAMES:
            raise _Refused(f"more than {MAX_NAMES} different names")

    def _end(self, element: "etree._Element") -> Iterator[bytes]:
        self._depth -= 1
        if self._depth == 1:
            yield etree.tostring(element, with_tail=False)
            self._forget()
        elif not self._depth:
            raise FrameError("the document is over")

    def _forget(self) -> None:
        """Drop what is finished; otherwise the document would grow for the life of the peer."""
        self._size = 0
        if self._document is not None:
            del self._document[:]
            self._document.text = None

    def wrap(self, frame: bytes) -> bytes:
        """The frame on lines of its own; our document begins with the first one."""
        opening, self._opened = b"" if self._opened else self._opening, True
        return opening + b"\n" + frame

    def ending(self) -> bytes:
        opening = b"" if self._opened else self._opening
        return opening + b"\n</" + self.root.encode() + b">"

    @property
    def _opening(self) -> bytes:
        return b"<" + self.root.encode() + b">"


def _check_prolog(prolog: bytes) -> None:
    # The parser would wait for more before it says that this is no XML.
    if prolog.lstrip(_BLANKS)[:1] not in (b"", b"<"):
        raise _Refused("not XML")
    if b"<!DOCTYPE" in prolog:
        raise _Refused("a document type declaration")


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
