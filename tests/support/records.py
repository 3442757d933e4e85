"""Records of real matches, for tests of what can be done with them."""

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from games.hexxagon import GAME
from ludothek.contract.clock import Clock
from ludothek.contract.game import Game
from ludothek.storage.match_files import newest_first
from ludothek.storage.state import StateDirectory
from ludothek.testing.fair import open_fair
from ludothek.testing.lockstep import Meddler, nobody_meddles, perform

# Matches of Hexxagon have this many moves at most.
SHORT: Mapping[str, Any] = {"max_turns": 10}


def record_match(
    path: Path,
    seed: int = 1,
    *,
    game: Game = GAME,
    settings: Mapping[str, Any] = SHORT,
    meddler: Meddler = nobody_meddles,
    date: Callable[[], datetime] | None = None,
) -> Path:
    """Let a match be played with this state directory; returns its newest record."""
    clock = MockClock()
    trio.run(_play, path, seed, game, settings, meddler, clock, date, clock=clock)
    return next(newest_first(path))


async def _play(
    path: Path,
    seed: int,
    game: Game,
    settings: Mapping[str, Any],
    meddler: Meddler,
    clock: MockClock,
    date: Callable[[], datetime] | None,
) -> None:
    state = StateDirectory(path)
    dates = None if date is None else Clock(date=date)
    async with open_fair(game, seed, settings, clock=dates, state=state) as fair:
        await perform(fair, game, clock, seed, meddler)
        await wait_all_tasks_blocked()
    state.close(seconds=60)
