"""How the C library keeps memory: large blocks go back to the system as soon as they are free.

By itself it learns from the first large block that is freed to keep such blocks for the next time,
and that for each thread. Passwords that are checked (19 MiB each, for a moment) and replays that
are written would so leave forty megabytes behind, in pieces that nothing else fits into.
"""

import ctypes
from contextlib import suppress

# From <malloc.h>.
TRIM_THRESHOLD, MMAP_THRESHOLD, ARENA_MAX = -1, -3, -8

# Large enough that no message is a block of its own: what the system gives has to be cleared first.
LARGE_BYTES = 1024 * 1024

# Free memory at the end that is kept: to give it back and ask for it again takes time, too.
SPARE_BYTES = 4 * LARGE_BYTES


def return_large_blocks() -> None:
    """Have it so from now on; where the C library is another one, it stays as it is."""
    with suppress(AttributeError, OSError, TypeError):
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(MMAP_THRESHOLD, LARGE_BYTES)
        mallopt(TRIM_THRESHOLD, SPARE_BYTES)
        mallopt(ARENA_MAX, 1)  # Python lets one thread work at a time anyway
