"""The lines of a file, and those that will be written to it."""

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

# Longer than any line of a log; what is longer is no log, and is taken in pieces.
LONGEST_LINE = 8 * 1024 * 1024

# Seconds between two looks at a file that is followed.
PAUSE = 0.2

STDIN = Path("-")


def lines_of(path: Path) -> Iterator[bytes]:
    """All lines that are there now; ``-`` is what comes in."""
    if path == STDIN:
        yield from _rest(sys.stdin.buffer)
    else:
        with path.open("rb") as file:
            yield from _rest(file)


def follow(path: Path) -> Iterator[bytes]:
    """All lines for ever, also of the file that takes this one's place."""
    file = path.open("rb")
    begun = b""
    try:
        while True:
            # In this order: what was written before it was replaced is read.
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
                file.seek(0)  # somebody has emptied it
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
        return False  # another one may still come
