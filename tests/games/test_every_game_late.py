"""No game's players are told of a mistake because messages crossed on the wire."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from trio.testing import MockClock

from ludothek.contract.game import Game
from ludothek.contract.player import PlayerOptions
from ludothek.contract.registry import load, names
from tests.support.distance import Distant, play_late
from tests.support.helpers import open_fair

BRIEF_MATCH = Path(__file__).parents[1] / "data" / "quidditch" / "brief.json"

# Short matches, since each message goes a long way, in which nothing depends on time.
SETTINGS: dict[str, dict[str, Any]] = {
    "hexxagon": {"max_turns": 6},
    "penguins": {"request_gap_seconds": 0},
    "roborally": {"max_rounds": 2},
    "quidditch": {"match": str(BRIEF_MATCH)},
    "qwirkle": {"auto_skip": True},
}
SMALL_QWIRKLE = {"colorShapeCount": 3, "timeVisualization": 0, "maxPlayerNumber": 2}

# Several pairs at once where they can meet in any way.
PLAYERS = {"hexxagon": 4, "penguins": 4, "qwirkle": 4}

# One match of Quidditch has as many messages as ten of the others.
MATCHES = {"quidditch": 1}
STEPS = 50_000


@pytest.mark.parametrize("game", [pytest.param(load(name), id=name) for name in names()])
@pytest.mark.parametrize("seed", range(2))
async def test_whatever_is_late_nobody_makes_a_mistake(
    game: Game, seed: int, mock_clock: MockClock, tmp_path: Path
) -> None:
    """Time stands still, so that the order is all that differs."""
    rng = random.Random(seed)
    settings = dict(SETTINGS.get(game.name, {}))
    if game.name == "qwirkle":
        settings["configuration"] = str(tmp_path / "small.json")
        (tmp_path / "small.json").write_text(json.dumps(SMALL_QWIRKLE))
    async with open_fair(game.name, seed, settings) as fair:
        players = []
        for n in range(PLAYERS.get(game.name, game.players)):
            options = PlayerOptions(difficulty=len(game.difficulties) - 1, username=f"Player{n}")
            player = game.player(options, random.Random(f"{seed}/{n}"))
            codec = game.codec(fair.endpoint.hall.clock, game.settings())
            players.append(Distant(fair.connect(), codec, player))
            players[-1].say(player.greet())
        await play_late(players, rng, MATCHES.get(game.name, 2), STEPS)
        assert all(one.link.farewell is None for one in players)
        assert {report.errors for one in players for report in one.reports} == {0}
        assert fair.endpoint.hall.crashes == 0
