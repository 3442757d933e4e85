"""The latest happenings at a table, for crash reports."""

import marshal
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any, NamedTuple

from ludothek.contract.client import Client
from ludothek.contract.codec import Codec
from ludothek.kit.reports import count_failure, words
from transports import BUGS

# A page is compressed when it is full. Messages are much alike, so ten pages, in which a whole
# match fits, take less memory than the one that is being written.
PAGE_HAPPENINGS = 50
PAGE_BYTES = 32 * 1024
PAGES = 10
# The first page of each journal is shortened by a varying amount: otherwise matches that begin
# together, as in a tournament, would all compress their pages at the same move.
FIRST_PAGES = cycle(range(PAGE_HAPPENINGS // 2, PAGE_HAPPENINGS))
PAGES_BYTES = 32 * 1024  # compressed; long messages (chat) push out older ones

# Longer messages are kept verbatim only while their page is being written.
LONG_BYTES = 8 * 1024

# Time, what, the number of a client, and what it sent or (a text) what else the table was told.
Note = tuple[float, str, int | None, bytes | str]


class Happening(NamedTuple):
    """Something that the table was told."""

    time: float
    what: str
    words: str

    def __str__(self) -> str:
        return f"{self.time:.3f} {self.what}({self.words})"


class Journal:
    """The latest happenings, limited in number and in bytes.

    A message is kept as the frame it came in. It is decoded again when the journal is read, so that
    passwords stay hidden here as well.
    """

    __slots__ = ("_bytes", "_codec", "_page", "_page_bytes", "_pages", "_room")

    def __init__(self, codec: Codec) -> None:
        self._codec = codec
        self._page: list[Note] = []  # the one being written
        self._page_bytes = 0
        self._room = next(FIRST_PAGES)  # how many entries fit on it
        self._pages: deque[bytes] = deque()  # full ones, compressed
        self._bytes = 0

    def __iter__(self) -> Iterator[Happening]:
        for page in self._pages:
            yield from map(self._tell, marshal.loads(zlib.decompress(page)))
        yield from map(self._tell, self._page)

    def note(
        self,
        time: float,
        act: Callable[..., Any],
        by: Client | None,
        args: tuple[Any, ...],
        frame: bytes | None = None,
    ) -> None:
        """Record a happening that a client has caused, perhaps by a message in this frame."""
        if len(self._page) >= self._room or self._page_bytes >= PAGE_BYTES:
            self._turn_page()
        number = None if by is None else by.number
        if frame is not None:
            self._page.append((time, act.__name__, number, frame))
            self._page_bytes += len(frame)
        else:
            told = [arg for arg in args if arg is not by]
            self._page.append((time, act.__name__, number, ", ".join(map(words, told))))

    def _turn_page(self) -> None:
        page = _compress(marshal.dumps([*map(_shorten, self._page)]))
        self._pages.append(page)
        self._bytes += len(page)
        while len(self._pages) > PAGES or self._bytes > PAGES_BYTES:
            self._bytes -= len(self._pages.popleft())
        self._page, self._page_bytes, self._room = [], 0, PAGE_HAPPENINGS

    def _tell(self, note: Note) -> Happening:
        time, what, who, said = note
        client = "" if who is None else f"<client {who}>"
        told = self._read_again(said) if isinstance(said, bytes) else said
        return Happening(time, what, ", ".join(filter(None, (client, told))))

    def _read_again(self, frame: bytes) -> str:
        # The frame may be the very reason for the crash.
        try:
            return repr(self._codec.decode_request(frame))
        except BUGS as error:
            count_failure()
            return f"<{len(frame)} bytes that cannot be told: {type(error).__name__}>"


def _compress(page: bytes) -> bytes:
    # Preparing a compressor with a larger window would take longer than using it.
    deflate = zlib.compressobj(1, wbits=13, memLevel=6)
    return deflate.compress(page) + deflate.flush()


def _shorten(note: Note) -> Note:
    time, what, who, said = note
    if len(said) <= LONG_BYTES:
        return note
    return time, what, who, f"<{len(said)} bytes>"
