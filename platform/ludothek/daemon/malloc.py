"""How the C library keeps memory: large blocks go back to the system as soon as they are free.

By itself it learns from the first large block that is freed to keep such blocks for the next time,
and that for each thread. Passwords that are checked (19 MiB each, for a moment) and replays that
are written would so leave forty megabytes behind, in pieces that nothing else fits into.

Smaller free blocks are only returned when everything behind them is free too: messages that
hundreds of clients never read would stay in memory because of a few bytes behind them. So the
library has to be asked from time to time.
"""

import ctypes
from contextlib import suppress
from math import inf
from typing import ClassVar

# From <malloc.h>.
TRIM_THRESHOLD, MMAP_THRESHOLD, ARENA_MAX = -1, -3, -8

# Large enough that no message is a block of its own: what the system gives has to be cleared first.
LARGE_BYTES = 1024 * 1024

# Free memory at the end of the heap that is kept, since returning it and asking again costs time.
SPARE_BYTES = 4 * LARGE_BYTES

# Free memory inside the heap that is worth the time to return it, a third of a millisecond per MiB.
MUCH_BYTES = 16 * LARGE_BYTES


def return_large_blocks() -> None:
    """Configure glibc so; with another C library this does nothing."""
    with suppress(AttributeError, OSError, TypeError):
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(MMAP_THRESHOLD, LARGE_BYTES)
        mallopt(TRIM_THRESHOLD, SPARE_BYTES)
        mallopt(ARENA_MAX, 1)  # Python lets one thread work at a time anyway


class _Statistics(ctypes.Structure):
    """`struct mallinfo2`."""

    _fields_: ClassVar = [
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
            *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
        )
    ]


class FreeMemory:
    """Memory between blocks in use, which the C library keeps until it is asked for it."""

    def __init__(self) -> None:
        self._least: float = inf  # that was free since it was last given back

    def give_back(self) -> bool:
        """Return it to the system if much has become free; says whether it did."""
        try:
            library = ctypes.CDLL(None)
            count = library.mallinfo2
            count.restype = _Statistics
            free = int(count().fordblks)
            # What was given back counts as free all the same.
            self._least = min(self._least, free)
            if free <= self._least + MUCH_BYTES:
                return False
            library.malloc_trim(0)
            self._least = free
        except (AttributeError, OSError, TypeError):
            return False  # another C library
        return True
