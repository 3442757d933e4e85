"""When the interpreter looks for garbage: not while people play; and where free memory goes.

Python searches all objects for cycles of garbage from time to time. With hundreds of matches that
takes a second, in which nobody is served. Young objects are searched as ever, in milliseconds; the
search through all of them waits for a moment without matches, or for an hour.
"""

import gc
from collections.abc import Callable

import trio

from ludothek.daemon.malloc import FreeMemory

# Objects made between two searches of the youngest, and such searches between two of the young: so
# few, because most of what a lost connection leaves has lived through one of them.
YOUNGEST, YOUNG = 10_000, 3
NEVER = 1_000_000_000

LOOK_SECONDS = 60.0
MEMORY_SECONDS = 10.0
LONGEST_SECONDS = 3600.0


async def collect_garbage(is_idle: Callable[[], bool]) -> None:
    """Search for garbage when nobody is disturbed by it; at the latest every hour."""
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()  # what was there at the start stays
    gc.set_threshold(YOUNGEST, YOUNG, NEVER)
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


async def give_back_memory() -> None:
    """Look now and then whether much memory has become free, and let the system have it."""
    memory = FreeMemory()
    while True:
        memory.give_back()
        await trio.sleep(MEMORY_SECONDS)
