"""What is on its way: bytes that were read and bytes that are being sent, in a mapped file.

Sockets are read straight into the *intake*. Before each read it says from whom and behind how many
bytes, so that the next process knows what was read even if we are killed inside the system
call: the kernel counts too. What a turn sends is copied into the *tray*, which has two halves, used
in turn: what the turn before has sent may still be on its way.
"""

import struct
from collections.abc import Iterator
from pathlib import Path

import attrs

from transports.mapped_file import MappedFile
from transports.poller import RECEIVE_BYTES, TURN

# Added to the number of a link that is at work: it is not one of the layer above.
LINK = 1 << 62
# Added to a number of the layer above while its past is being repeated.
REPEATING = 1 << 63

# The first page: who is at work. The other two words are for processes that come after the one
# that has made the tape and die before they have one of their own: whose past they were repeating
# when they died, and how often.
_MARGIN = struct.Struct("@QQQ")
_PAGE = 4096

# Announcements of the pieces: length, bytes of that link before it, link, number of the piece. The
# number is stored last: until then it is that of a piece that was handled long ago.
_ANNOUNCED = struct.Struct("@QQQQ")
_ANNOUNCED_AT = _PAGE
_PIECES_AT = _ANNOUNCED_AT + TURN * _ANNOUNCED.size

# Half a tray: number of the commit and bytes used, then links with the bytes posted before and the
# length of what follows.
TRAY_BYTES = 1024 * 1024
_TRAY = struct.Struct("@QQ")
_SENT = struct.Struct("@QQQ")
SENT_BYTES = _SENT.size
pack_sent = _SENT.pack  # the head, from length, bytes posted before, and link
_TRAYS_AT = tuple(_PIECES_AT + TURN * RECEIVE_BYTES + half * TRAY_BYTES for half in (0, 1))
TAPE_BYTES = _TRAYS_AT[1] + TRAY_BYTES


@attrs.frozen
class Piece:
    """Bytes of a link: where in its stream they begin, and what they are."""

    link: int
    before: int
    data: bytes


class Tape:
    """Intake, tray, and the word that says who is at work."""

    __slots__ = (
        "_file",
        "_half",
        "announce",
        "handled",
        "last",
        "map",
        "slots",
        "words",
    )

    def __init__(self, path: Path | None) -> None:
        """Raises OSError if there is no room; without a path nothing outlives the process."""
        self.last = 0  # the number of the latest piece
        self.handled = 0  # how many pieces of the intake were
        self._half = 0
        self.announce = _ANNOUNCED.pack_into
        # Of the pieces: where they are announced, as a byte and as a word, where they are read to,
        # and where that begins.
        self.slots: list[tuple[int, int, memoryview, int]]
        self._use(MappedFile(path, TAPE_BYTES))

    def _use(self, file: MappedFile) -> None:
        self._file = file
        self.map = file.map
        view = memoryview(file.map)
        self.words = view.cast("@Q")
        # Made once: to cut a view for each piece would cost as much as everything else.
        self.slots = []
        for slot in range(TURN):
            announced = _ANNOUNCED_AT + slot * _ANNOUNCED.size
            start = _PIECES_AT + slot * RECEIVE_BYTES
            room = view[start : start + RECEIVE_BYTES]
            self.slots.append((announced, announced >> 3, room, start))

    def move(self, path: Path) -> None:
        """Continue in another file; raises OSError."""
        file = MappedFile(path, TAPE_BYTES)
        if self.last or self._half:
            file.map[:] = self.map[:]
        self.close()
        self._use(file)

    def close(self) -> None:
        for _, _, view, _ in self.slots:
            view.release()
        self.words.release()
        self._file.close()

    def is_at(self, path: Path) -> bool:
        return self._file.is_at(path)

    # A piece is announced, read, and measured in `DurableLink.fetch`, since every call costs.

    def revoke(self, announced: int) -> None:
        """Nothing was read: the announcement means nothing."""
        self.words[(announced >> 3) + 3] = 0

    def put_out(self, number: int, output: list[bytes], size: int) -> bool:
        """Keep what this commit sends, each with a head in front (`pack_sent`); False if so much
        does not fit."""
        half = _TRAYS_AT[self._half]
        used = _TRAY.size + size
        if used > TRAY_BYTES:
            return False
        # First, since what is overwritten now counts no longer.
        self.words[half >> 3] = number
        self.map[half + _TRAY.size : half + used] = b"".join(output)
        self.words[(half >> 3) + 1] = used
        self._half ^= 1
        return True


@attrs.frozen
class OldTape:
    """What a process has left on its tape."""

    at_work: int
    repeated: tuple[int, int]  # see `Margin`
    taken: list[Piece]  # read and not handled, in order
    begun: Piece | None  # the one that was being read: all that its slot holds
    sent: list[Piece]  # by the latest two commits that have sent something


def read_tape(data: bytes, committed: int, handled: int) -> OldTape:
    """What is on a tape whose commits and pieces up to these numbers have happened.

    Raises:
      ValueError: it is not a tape.
    """
    if len(data) != TAPE_BYTES:
        raise ValueError("it has the wrong size")
    at_work, *repeated = _MARGIN.unpack_from(data)
    taken, begun = _read_intake(data, handled)
    return OldTape(at_work, (repeated[0], repeated[1]), taken, begun, _read_trays(data, committed))


def _read_intake(data: bytes, handled: int) -> tuple[list[Piece], Piece | None]:
    found = []
    for slot in range(TURN):
        at = _ANNOUNCED_AT + slot * _ANNOUNCED.size
        size, before, link, number = _ANNOUNCED.unpack_from(data, at)
        if number > handled:
            start = _PIECES_AT + slot * RECEIVE_BYTES
            whole = data[start : start + RECEIVE_BYTES]
            found.append((number, size, Piece(link, before, whole)))
    found.sort(key=lambda each: each[0])
    begun = None
    if found and not found[-1][1]:
        begun = found.pop()[2]
    return [attrs.evolve(piece, data=piece.data[:size]) for _, size, piece in found], begun


def _read_trays(data: bytes, committed: int) -> list[Piece]:
    halves = []
    for half in _TRAYS_AT:
        number, used = _TRAY.unpack_from(data, half)
        if 0 < number <= committed:
            halves.append((number, list(_read_tray(data, half, used))))
    halves.sort(key=lambda each: each[0])
    return [piece for _, pieces in halves for piece in pieces]


def _read_tray(data: bytes, half: int, used: int) -> Iterator[Piece]:
    if used > TRAY_BYTES:
        raise ValueError("its tray is damaged")
    at, end = half + _TRAY.size, half + used
    while at < end:
        start = at + _SENT.size
        if start > end:
            raise ValueError("its tray is damaged")
        size, before, link = _SENT.unpack_from(data, at)
        if start + size > end:
            raise ValueError("its tray is damaged")
        yield Piece(link, before, data[start : start + size])
        at = start + size
