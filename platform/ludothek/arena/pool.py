"""Where the games of a tournament are played."""

from collections.abc import Collection
from typing import Protocol

from ludothek.arena.outcome import Outcome
from ludothek.arena.task import Task


class PoolLost(Exception):
    """No further game can be played there; the text says why."""


class Pool(Protocol):
    """Plays games: here, or on other machines. It is entered before the first game."""

    @property
    def slots(self) -> int:
        """How many games can be played at the same time, at most; may change."""

    def has_room(self, running: Collection[Task], task: Task) -> bool:
        """Whether a game can begin at once, beside those that are running.

        Always, if there are none. A game that only waits could not be told from one that runs by
        whoever wants to end after those that are running.
        """

    async def play(self, task: Task) -> Outcome:
        """Play one game. If cancelled, all that was started for it is ended first.

        Whatever entrants do is part of the outcome, and so is a failure of ours.

        Raises:
          PoolLost: this game cannot be played, nor can any other.
        """

    async def __aenter__(self) -> "Pool": ...

    async def __aexit__(self, *_: object) -> None: ...
