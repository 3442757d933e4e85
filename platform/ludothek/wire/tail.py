"""Reading the lines of a file, and following it as it grows."""

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

# Longer than any line of a log; a longer one is not from a log, and is read in pieces.
LONGEST_LINE = 8 * 1024 * 1024

# Seconds between two polls of a file that is followed.
PAUSE = 0.2

# Read at once of what is left out.
BLOCK = 1024 * 1024

STDIN = Path("-")


def lines_of(path: Path) -> Iterator[bytes]:
    """All lines that are there now; ``-`` is standard input."""
    if path == STDIN:
        yield from _rest(sys.stdin.buffer)
    else:
        with path.open("rb") as file:
            yield from _rest(file)


def follow(path: Path) -> Iterator[bytes]:
    """All lines forever, also of the file that replaces this one."""
    with Tail(path) as tail:
        while True:
            yield from tail.read()
            time.sleep(PAUSE)


class Tail:
    """A file that grows, and the file that replaces it when it is full; raises OSError."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = path.open("rb")
        self._begun = b""

    def __enter__(self) -> "Tail":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._file.close()

    def read(self) -> Iterator[bytes]:
        """All whole lines that were added since the last time."""
        while True:
            # In this order, so that what was written before the replacement is read.
            replaced = _replaced(self._path, self._file)
            if os.fstat(self._file.fileno()).st_size < self._file.tell():
                self._file.seek(0)  # it has been truncated
            for line in _rest(self._file):
                self._begun += line
                if self._begun.endswith(b"\n") or len(self._begun) >= LONGEST_LINE:
                    yield self._begun
                    self._begun = b""
            if not replaced:
                return
            old, self._file = self._file, self._path.open("rb")
            old.close()

    def skip_to_end(self, most: int) -> int:
        """Leave about so many bytes unread at most; returns how many lines are left out.

        The first line that is read then is a whole one.
        """
        unread = os.fstat(self._file.fileno()).st_size - self._file.tell()
        if unread <= most:
            return 0
        lines, left = 0, unread - most
        while left > 0 and (block := self._file.read(min(left, BLOCK))):
            lines += block.count(b"\n")
            left -= len(block)
        self._begun = b""
        self._file.readline(LONGEST_LINE)
        return lines + 1


def _rest(file: BinaryIO) -> Iterator[bytes]:
    while line := file.readline(LONGEST_LINE):
        yield line


def _replaced(path: Path, file: BinaryIO) -> bool:
    try:
        return not os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False  # a new one may appear
