"""A log in a mapped file, with one word that says how much of it has happened.

A batch is copied behind the others, then a slot is filled with where it ends, and then the number
of the batch is stored: that one store is the commit. There are two slots, used in turn, so that the
committed one is never touched.
"""

import struct
from pathlib import Path
from zlib import crc32

import attrs

from transports.mapped_file import MappedFile

MAGIC = b"ludothek ledger\n"
VERSION = 1

# The first page: magic, version, number of the tape, boot; the word of the commit; the two slots.
_HEAD = struct.Struct("@16sQQ36s")
_WORD = struct.Struct("@Q")
_WORD_AT = 256
# Number of the commit, end of the log, pieces of the intake that were handled, time.
_SLOT = struct.Struct("@QQQd")
_SLOTS_AT = (512, 1024)
_BODY = 4096

# In front of each batch: its number, its length and its checksum. Nothing is ever torn while the
# machine is up; after a power cut, a file on a disk may be.
_BATCH = struct.Struct("@QII")
_BATCH_BYTES = _BATCH.size

# A log is worth replacing when it is so many times larger than at its beginning, and at least so
# large.
GROWTH = 4
LEAST_BYTES = 4 * 1024 * 1024

# By how much a log grows when it is full.
_STEP = 1024 * 1024


class NoLog(Exception):
    """There is no log that can be read, and why."""


@attrs.frozen
class Committed:
    """What the latest commit says."""

    tape: int
    boot: str
    number: int
    handled: int
    time: float
    batches: list[bytes]


class CommitLog:
    """A log that is being written."""

    __slots__ = (
        "_file",
        "_grown_at",
        "_most",
        "_pack_batch",
        "_pack_slot",
        "_words",
        "end",
        "number",
    )

    def __init__(self, path: Path, tape: int, boot: str, room: int, most: int, number: int) -> None:
        """An empty log with room for that many bytes, which may grow to `most` bytes; `number` is
        that of the latest commit before it.

        Raises:
          OSError: there is no room for it.
        """
        self._most = most
        self._grown_at = max(LEAST_BYTES, GROWTH * (_BODY + room))
        self.number = number
        self.end = _BODY
        self._file = MappedFile(path, _round_up(_BODY + room))
        _HEAD.pack_into(self._file.map, 0, MAGIC, VERSION, tape, boot.encode())
        self._pack_batch, self._pack_slot = _BATCH.pack_into, _SLOT.pack_into
        self._words = self._file.words

    def append(self, batch: bytes) -> None:
        """Write a batch that counts as soon as it is committed; raises OSError."""
        number = self.number + 1
        size = len(batch)
        start = self.end + _BATCH_BYTES
        end = start + size
        if end > self._file.size:
            self._grow(end)
        log = self._file.map
        self._pack_batch(log, self.end, number, size, crc32(batch, number))
        log[start:end] = batch
        self.end = end

    def _grow(self, end: int) -> None:
        if end > self._most:
            raise OSError(f"the ledger is larger than {self._most} bytes")
        self._file.grow(_round_up(end))

    def commit(self, handled: int, time: float) -> None:
        """All that was appended has happened, and so many pieces of the intake were handled."""
        number = self.number + 1
        self._pack_slot(self._file.map, _SLOTS_AT[number & 1], number, self.end, handled, time)
        self._words[_WORD_AT >> 3] = number
        self.number = number

    @property
    def has_grown(self) -> bool:
        """Whether it is much larger than at its beginning."""
        return self.end > self._grown_at

    def grow_on(self) -> None:
        """It cannot be replaced now."""
        self._grown_at *= 2

    def is_at(self, path: Path) -> bool:
        return self._file.is_at(path)

    def invalidate(self) -> None:
        """Mark the file so that no later process believes it."""
        self._words[0] = 0

    def close(self) -> None:
        self._file.close()


def _round_up(size: int) -> int:
    return size + -size % _STEP


def read_log(data: bytes) -> Committed:
    """What was committed.

    Raises:
      NoLog: it is not a log of ours, or not all of one.
    """
    if len(data) < _BODY:
        raise NoLog("it is too short" if data else "it is empty")
    magic, version, tape, boot = _HEAD.unpack_from(data)
    if magic != MAGIC:
        raise NoLog("it is not a ledger, or one that was given up")
    if version != VERSION:
        raise NoLog(f"it has version {version} instead of {VERSION}")
    (number,) = _WORD.unpack_from(data, _WORD_AT)
    slot, end, handled, time = _SLOT.unpack_from(data, _SLOTS_AT[number & 1])
    if slot != number or not _BODY <= end <= len(data):
        raise NoLog("it is damaged or truncated")
    return Committed(
        tape, boot.rstrip(b"\0").decode("latin-1"), number, handled, time, _batches(data, end)
    )


def _batches(data: bytes, end: int) -> list[bytes]:
    batches, at = [], _BODY
    while at < end:
        if at + _BATCH.size > end:
            raise NoLog("its last batch is damaged")
        number, size, checksum = _BATCH.unpack_from(data, at)
        start = at + _BATCH.size
        batch = data[start : start + size]
        if start + size > end or crc32(batch, number) != checksum:
            raise NoLog("a batch is damaged")
        batches.append(batch)
        at = start + size
    return batches
