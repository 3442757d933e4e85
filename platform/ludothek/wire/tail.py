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
    file = path.open("rb")
    begun = b""
    try:
        while True:
            # In this order, so that what was written before the replacement is read.
            replaced = _replaced(path, file)
            for line in _rest(file):
                begun += line
                if begun.endswith(b"\n") or len(begun) >= LONGEST_LINE:
                    yield begun
                    begun = b""
            if replaced:
                file.close()
                file = path.open("rb")
            elif os.fstat(file.fileno()).st_size < file.tell():
                file.seek(0)  # it has been truncated
            else:
                time.sleep(PAUSE)
    finally:
        file.close()


def _rest(file: BinaryIO) -> Iterator[bytes]:
    while line := file.readline(LONGEST_LINE):
        yield line


def _replaced(path: Path, file: BinaryIO) -> bool:
    try:
        return not os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False  # a new one may appear
