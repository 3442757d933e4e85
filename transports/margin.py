"""Where a process without a tape of its own writes: on the tape of the process before it."""

import os
import struct
from contextlib import suppress
from pathlib import Path

from transports.tape import REPEATING

_WORD = struct.Struct("@Q")


class Margin:
    """Says whose past is being repeated, in case that kills the process; a tape that cannot be
    written to is left as it is."""

    __slots__ = ("_at_work", "_fd")

    def __init__(self, path: Path, at_work: int) -> None:
        """Who was `at_work` when the process before died.

        Raises:
          OSError: the tape is gone.
        """
        self._at_work = 0 if at_work & REPEATING else at_work
        self._fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)

    def repeating(self, number: int) -> None:
        """Say whose past is being repeated; 0: nobody's any more."""
        with suppress(OSError):
            os.pwrite(self._fd, _WORD.pack(REPEATING | number if number else self._at_work), 0)

    def count_death(self, number: int, deaths: int) -> None:
        """So many processes have died while they were repeating the past of that one."""
        with suppress(OSError):
            os.pwrite(self._fd, _WORD.pack(number) + _WORD.pack(deaths), _WORD.size)

    def close(self) -> None:
        os.close(self._fd)
