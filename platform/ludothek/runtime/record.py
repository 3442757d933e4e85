"""A match as a file: how its table began, everything that it was told, and how it ended.

Two lines of JSON, about the match and about the beginning of its table; then the pages of its
journal, as they were, each after its size; and a checksum. So it costs next to nothing to write
one, while others play. Files of the former version are text, compressed.
"""

import gzip
import io
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from struct import Struct
from typing import IO, Any

import attrs
import orjson

from ludothek.runtime import journal, pages
from ludothek.runtime.note import HEAD, BadNotes, Note, read_notes
from ludothek.runtime.record_lines import (
    check_note,
    line,
    read_beginning,
    read_digest,
    read_line,
    read_note,
    simple_beginning,
    simple_note,
)
from ludothek.runtime.rerun import Beginning

FORMAT = "ludothek match 2"
FORMER = "ludothek match 1"

# Of a record without compression, of each of its lines and notes, which take up to thirty times as
# much memory when they are read, and of its first line: it may come from anybody.
MOST_BYTES = 128 * 1024 * 1024
MOST_LINE = 16 * 1024 * 1024
MOST_ABOUT = 1024 * 1024

# Of its notes: more than a journal may have of the shortest ones, and all of them on its pages.
MOST_NOTES = journal.MOST_TOLD // HEAD.size + journal.PAGE_NOTES
MOST_TOLD = journal.MOST_TOLD + MOST_LINE

# What is read at once for the first line.
_PIECE = 4096

# The size of a page, or the checksum of all before.
_WORD = Struct("<I")

# How a file of the former version begins.
_GZIP = b"\x1f\x8b"

_DAMAGES = (
    *(OSError, EOFError, ValueError, KeyError, TypeError, OverflowError),
    *(zlib.error, BadNotes, RecursionError),
)


class BadRecord(Exception):
    """A file that is not a record, or is damaged; the text says why."""


@attrs.frozen(kw_only=True)
class Record:
    """A match that is over, or a lobby that has crashed."""

    about: Mapping[str, Any]  # game, protocol, versions, endpoint, players, result …
    beginning: Beginning
    notes: Sequence[Note]
    digest: int  # of everything that was sent

    def write(self) -> bytes:
        """The content of its file."""
        page = pages.compressed(b"".join([note.packed for note in self.notes]))
        return record_file(self.about, self.beginning, [page], self.digest)

    @classmethod
    def read(cls, data: bytes) -> "Record":
        """Read a file; raises BadRecord."""
        former = data[:2] == _GZIP
        about_line, rest = _former_lines(data) if former else _parts(data)
        about = _read_about(about_line)
        try:
            return cls(
                digest=read_digest(about.pop("digest")),
                about=about,
                beginning=read_beginning(read_line(next(rest, b""))),
                notes=_few(_read_lines(rest) if former else _read_pages(rest)),
            )
        except pages.TooLong:
            raise BadRecord("too long") from None
        except _DAMAGES as error:
            raise BadRecord(f"damaged: {type(error).__name__}: {error}") from None

    def text(self) -> Iterator[bytes]:
        """The same as lines of text, for people."""
        yield line(_about(self.about, self.digest))
        yield line(simple_beginning(self.beginning))
        for note in self.notes:
            yield line(simple_note(note))


def record_file(
    about: Mapping[str, Any], beginning: Beginning, journal: Sequence[bytes], digest: int
) -> bytes:
    """The content of the file of a record with these pages of a journal."""
    parts = [line(_about(about, digest)), line(simple_beginning(beginning))]
    for page in journal:
        parts += (_WORD.pack(len(page)), page)
    content = b"".join(parts)
    return content + _WORD.pack(zlib.crc32(content))


def about_record(file: IO[bytes]) -> Mapping[str, Any]:
    """What the first line says, without reading the rest; raises BadRecord and OSError."""
    text = piece = file.read(_PIECE)
    deflated = None
    if text[:2] == _GZIP:
        deflated, text = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS), b""
    try:
        while piece:
            text += deflated.decompress(piece, MOST_ABOUT) if deflated else b""
            if b"\n" in text or len(text) >= MOST_ABOUT:
                break
            piece = file.read(_PIECE)
            text += b"" if deflated else piece
    except zlib.error:
        raise BadRecord("not a record") from None
    return _read_about(text.partition(b"\n")[0])


def notes_of(journal: bytes) -> list[Note]:
    """The notes of a journal; one that is cut off, as only a bug of ours can, loses its end."""
    notes: list[Note] = []
    with suppress(BadNotes):
        notes.extend(read_notes(journal))
    return notes


def _about(about: Mapping[str, Any], digest: int) -> dict[str, Any]:
    return {"format": FORMAT, **about, "digest": f"{digest:016x}"}


def _read_about(line: bytes) -> dict[str, Any]:
    try:
        about = orjson.loads(line)
    except ValueError:
        raise BadRecord("not a record") from None
    if not isinstance(about, dict) or about.pop("format", None) not in (FORMAT, FORMER):
        raise BadRecord("not a record, or one of another version")
    return about


# What comes after the first line


def _parts(data: bytes) -> tuple[bytes, Iterator[bytes]]:
    """The first line, then the second one and the pages; raises BadRecord."""
    first = data.find(b"\n", 0, MOST_ABOUT) + 1
    if not first:
        raise BadRecord("not a record")
    return data[: first - 1], _rest(data, first)


def _rest(data: bytes, place: int) -> Iterator[bytes]:
    view, end = memoryview(data), len(data) - _WORD.size
    if end < place or zlib.crc32(view[:end]) != _WORD.unpack_from(data, end)[0]:
        raise ValueError("the checksum is wrong")
    second = data.find(b"\n", place, min(end, place + MOST_LINE)) + 1
    if not second:
        raise pages.TooLong
    yield data[place : second - 1]
    place = second
    while place < end:
        (size,) = _WORD.unpack_from(data, place)
        place += _WORD.size + size
        if place > end:
            raise ValueError("cut off")
        yield data[place - size : place]


def _few(notes: Iterator[Note]) -> Sequence[Note]:
    found = [*islice(notes, MOST_NOTES)]
    if next(notes, None) is not None:
        raise pages.TooLong
    return found


def _read_lines(lines: Iterator[bytes]) -> Iterator[Note]:
    return map(read_note, map(read_line, lines))


def _read_pages(journal: Iterator[bytes]) -> Iterator[Note]:
    for note in read_notes(pages.decompressed_at_most(MOST_TOLD, journal)):
        if len(note.content) > MOST_LINE:
            raise pages.TooLong
        yield check_note(note)


def _former_lines(data: bytes) -> tuple[bytes, Iterator[bytes]]:
    """The first line and the others of a file of the former version; raises BadRecord."""
    lines = _inflated(data)
    return next(lines, b""), lines


def _inflated(data: bytes) -> Iterator[bytes]:
    left = MOST_BYTES
    try:
        with gzip.open(io.BytesIO(data)) as file:
            while line := file.readline(min(left, MOST_LINE) + 1):
                left -= len(line)
                if left < 0 or len(line) > MOST_LINE:
                    raise BadRecord("too long")
                yield line.removesuffix(b"\n")
    except (OSError, EOFError, zlib.error) as error:
        raise BadRecord(f"damaged: {error}") from None
