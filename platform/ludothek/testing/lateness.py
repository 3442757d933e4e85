"""No game's players are told of a mistake because messages crossed on the wire."""

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import pytest
from trio.testing import MockClock

from ludothek.contract.player import PlayerOptions
from ludothek.testing.distance import Distant, play_late
from ludothek.testing.fair import Fair, open_fair
from ludothek.testing.suite import Suite

STEPS = 50_000


class LatenessSuite(Suite):
    """Matches in which every message is delayed arbitrarily."""

    late_matches: ClassVar[int] = 2
    # More than a match needs, where groups can form in several ways.
    late_players: ClassVar[int] = 0

    def late_settings(self, directory: Path) -> Mapping[str, Any]:
        """For short matches without time limits, since every message is delayed."""
        return self.settings

    @pytest.mark.trio
    @pytest.mark.parametrize("seed", range(2))
    async def test_whatever_is_late_nobody_makes_a_mistake(
        self, seed: int, mock_clock: MockClock, tmp_path: Path
    ) -> None:
        """Time stands still, so that only the order differs."""
        async with open_fair(self.game, seed, self.late_settings(tmp_path)) as fair:
            players = await self.play_late(fair, seed)
            assert all(one.link.farewell is None for one in players)
            assert {report.errors for one in players for report in one.reports} == {0}
            assert fair.endpoint.hall.crashes == 0

    async def play_late(self, fair: Fair, seed: int) -> list[Distant]:
        """Let players play whose messages are delayed."""
        game, players = self.game, []
        for n in range(self.late_players or game.players):
            options = PlayerOptions(difficulty=len(game.difficulties) - 1, username=f"Player{n}")
            player = game.player(options, random.Random(f"{seed}/{n}"))
            codec = game.codec(fair.endpoint.hall.clock, game.settings())
            players.append(Distant(fair.connect(), codec, player))
            players[-1].say(player.greet())
        await play_late(players, random.Random(seed), self.late_matches, STEPS)
        return players
