"""What a table was told, as bytes: one note for each happening."""

import enum
from collections.abc import Iterator
from struct import Struct

from ludothek.contract.frozen import frozen
from transports import brief

# Errors of encoding that are none here: half characters, which some clients send, are kept.
HALVES = "surrogatepass"


class NoteKind(enum.IntEnum):
    """What has happened; the values are in files and never change."""

    INTRODUCED = 1  # what the table can know about a client, for the first time or anew
    ENTER = 2  # with the admission
    RECEIVE = 3  # with the frame
    MALFORMED = 4  # the same for a frame that the transport could not read, with the reason
    LEAVE = 5
    ORDER = 6
    TIME_UP = 7
    TOLD = 8
    WORKED = 9
    FETCHED = 10  # a long message was sent, with the date when it was made
    UNWRITTEN = 11  # something that cannot be repeated, in words
    SEEDED = 12  # the table's generator has got another seed


@frozen
class Note:
    """A happening at a table, and when it was."""

    kind: NoteKind
    client: int  # the number of the client that has caused it; 0: nobody
    digest: int  # of everything that was sent before
    time: float  # of the clock for deadlines
    date: float  # the same in seconds since 1970
    content: bytes

    @property
    def packed(self) -> bytes:
        """The bytes of the note."""
        head = (self.kind, self.client, self.digest, self.time, self.date, len(self.content))
        return HEAD.pack(*head) + self.content

    def __str__(self) -> str:
        by = f"<client {self.client}>, " if self.client else ""
        return f"{self.time:.3f} {self.kind.name.lower()}({by}{brief(repr(self.content))})"


_KINDS = {kind.value: kind for kind in NoteKind}  # quicker than asking the class

# Kind, client, digest, time, date, length of the content.
HEAD = Struct("<BIQddI")


class BadNotes(Exception):
    """Bytes that are not notes."""


def read_notes(data: bytes) -> Iterator[Note]:
    """The notes in these bytes; raises BadNotes."""
    place = 0
    while place < len(data):
        start = place + HEAD.size
        if start > len(data):
            raise BadNotes("cut off")
        kind, client, digest, time, date, size = HEAD.unpack_from(data, place)
        place = start + size
        if place > len(data):
            raise BadNotes("cut off")
        if kind not in _KINDS:
            raise BadNotes(f"unknown kind {kind}")
        yield Note(_KINDS[kind], client, digest, time, date, data[start:place])
