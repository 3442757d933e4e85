"""When to collect garbage: not while people play.

A full collection looks at all objects. With hundreds of matches that takes a second, in which
nobody is served. Young objects are collected as usual, in milliseconds; a full collection waits for
a moment without matches, or for an hour.
"""

import gc
from collections.abc import Callable

import trio

# Allocations between two collections of the youngest generation, and such collections between two
# of the middle one: few, because most of what a lost connection leaves has survived one of them.
YOUNGEST, MIDDLE = 10_000, 3
NEVER = 1_000_000_000

LOOK_SECONDS = 60.0
LONGEST_SECONDS = 3600.0


async def collect_garbage(is_idle: Callable[[], bool]) -> None:
    """Collect when the daemon is idle, and at least every hour, until cancelled."""
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()  # what exists at the start stays until the end
    gc.set_threshold(YOUNGEST, MIDDLE, NEVER)
    try:
        waited = 0.0
        while True:
            await trio.sleep(LOOK_SECONDS)
            waited += LOOK_SECONDS
            if waited >= LONGEST_SECONDS or is_idle():
                gc.collect()
                waited = 0.0
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
