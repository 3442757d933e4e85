"""What every game promises when the process dies in the middle of a match and another goes on."""

import random
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, cast

import pytest
import trio
from trio.testing import MockClock

from ludothek.contract.table import Stage
from ludothek.testing.lockstep import Participant, perform
from ludothek.testing.phoenix import Phoenix
from ludothek.testing.suite import Suite

if TYPE_CHECKING:
    from ludothek.testing.fair import Fair


class RevivingSuite(Suite):
    """Matches that survive."""

    async def play_with_deaths(
        self, time: MockClock, seed: int, is_fatal: Callable[[Phoenix, random.Random], bool]
    ) -> list[Participant]:
        """Play a match in which the process dies whenever a move is fatal; returns the players."""
        rng = random.Random(seed)
        async with trio.open_nursery() as nursery:
            phoenix = Phoenix(nursery, self.game, seed, self.settings)

            def meddle(player: Participant) -> Iterable[bytes]:
                if is_fatal(phoenix, rng):
                    phoenix.die()
                return ()

            players = await perform(cast("Fair", phoenix), self.game, time, seed, meddle)
            nursery.cancel_scope.cancel()
        assert phoenix.deaths
        assert phoenix.endpoint.hall.crashes == 0
        return players

    @pytest.mark.trio
    @pytest.mark.parametrize("seed", range(3))
    async def test_nobody_notices_that_the_process_has_died_during_a_match(
        self, seed: int, mock_clock: MockClock
    ) -> None:
        """Every byte to every client is the same as without a death."""
        expected = await self.transcripts(mock_clock, seed)

        def is_fatal(phoenix: Phoenix, rng: random.Random) -> bool:
            # At least once: some matches are over after five moves.
            return _is_running(phoenix) and (rng.random() < 0.1 or not phoenix.deaths)

        players = await self.play_with_deaths(mock_clock, seed, is_fatal)
        assert [one.transcript for one in players] == expected

    @pytest.mark.trio
    @pytest.mark.parametrize("seed", range(3))
    async def test_matches_end_well_whenever_the_process_dies(
        self, seed: int, mock_clock: MockClock
    ) -> None:
        players = await self.play_with_deaths(
            mock_clock, seed, lambda phoenix, rng: rng.random() < 0.3
        )
        assert [one.report.errors for one in players if one.report] == [0] * self.game.players


def _is_running(phoenix: Phoenix) -> bool:
    tables = phoenix.endpoint.hall.tables.values()
    return any(table.summary.stage is Stage.RUNNING for table in tables)
