"""Where built-in bots think: in processes that are kept from game to game, on given cores."""

import os
from collections.abc import Callable, Sequence
from typing import Any

import attrs
import trio_parallel

from ludothek.contract import registry
from ludothek.contract.player import Thought


@attrs.frozen
class Thinker:
    """Thinks for one bot."""

    cores: Sequence[int]

    async def wake(self, game: str) -> None:
        """Have a process ready that knows the game: its start must not count as thinking."""
        await trio_parallel.run_sync(_load, game, kill_on_cancel=True)

    async def decide(self, thought: Thought) -> Any:
        """The decision; a process whose decision is no longer wanted is killed."""
        return await trio_parallel.run_sync(
            _think, tuple(self.cores), thought.decide, kill_on_cancel=True
        )


def _load(game: str) -> None:
    registry.load(game)


def _think(cores: Sequence[int], decide: Callable[[], Any]) -> Any:
    if cores:
        os.sched_setaffinity(0, cores)
    return decide()
