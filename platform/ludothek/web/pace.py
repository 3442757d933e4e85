"""Long work in small slices, so that games come first."""

from time import perf_counter

import trio

# Seconds of work before games get their turn.
SLICE = 0.0005


class Pace:
    """Says when it is the games' turn: `if pace.is_over: await pace.rest()`."""

    def __init__(self) -> None:
        self._end = perf_counter() + SLICE

    @property
    def is_over(self) -> bool:
        """Whether this slice has been used up."""
        return perf_counter() > self._end

    async def rest(self) -> None:
        """Let the games have their turn, and begin the next slice."""
        await trio.lowlevel.checkpoint()
        self._end = perf_counter() + SLICE
