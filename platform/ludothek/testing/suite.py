"""What all parts of the contract suite know about the game they test."""

import importlib
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from types import ModuleType
from typing import Any, ClassVar

from trio.testing import MockClock

from ludothek.contract.game import Game
from ludothek.storage.results import Results
from ludothek.storage.state import StateDirectory
from ludothek.testing.fair import Fair, open_fair
from ludothek.testing.lockstep import Meddler, Participant, nobody_meddles, perform

Transcript = list[tuple[str, bytes]]

# Of matches in which nothing goes wrong, by suite and seed: several tests need the same one.
_transcripts: dict[tuple[type, int], list[Transcript]] = {}


class Suite:
    """Tests of one game."""

    game: ClassVar[Game]
    # Settings with which players that act at random soon reach the end of a match.
    settings: ClassVar[Mapping[str, Any]] = {}

    @property
    def package(self) -> ModuleType:
        """The package of the game."""
        return importlib.import_module(self.game.settings.__module__.rpartition(".")[0])

    def open_fair(
        self, seed: int = 1, results: Results | None = None, state: StateDirectory | None = None
    ) -> AbstractAsyncContextManager[Fair]:
        return open_fair(self.game, seed, self.settings, results=results, state=state)

    async def play(
        self, clock: MockClock, seed: int, meddler: Meddler = nobody_meddles
    ) -> list[Participant]:
        """Play a match in which nothing goes wrong."""
        async with self.open_fair(seed) as fair:
            players = await perform(fair, self.game, clock, seed, meddler)
            assert fair.endpoint.hall.crashes == 0
            assert all(player.link.farewell is None for player in players)
        if meddler is nobody_meddles:
            _transcripts[type(self), seed] = [[*one.transcript] for one in players]
        return players

    async def transcripts(self, clock: MockClock, seed: int) -> list[Transcript]:
        """What was said in a match in which nothing goes wrong; played only once."""
        if (type(self), seed) not in _transcripts:
            await self.play(clock, seed)
        return _transcripts[type(self), seed]
