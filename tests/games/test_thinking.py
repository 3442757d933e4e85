"""Computer players think for as long as they are told to, and no longer."""

from functools import partial
from importlib import import_module
from typing import Any

import pytest
from trio.testing import MockClock

from ludothek.contract.player import THINK_SECONDS, PlayerOptions
from ludothek.contract.registry import load
from ludothek.testing import lockstep
from tests.support.helpers import open_fair

# Quidditch players decide within milliseconds, and search for nothing.
THINKING = ("hexxagon", "penguins", "qwirkle", "roborally")
# Of all parameters of `choose`, this one is the time.
SECONDS = 3


async def times_of_a_match(
    name: str, monkeypatch: pytest.MonkeyPatch, clock: MockClock, **options: Any
) -> set[float]:
    """How long players were to think about each of their decisions."""
    bots = import_module(f"games.{name}.bots")
    choose, times = bots.choose, set()

    def note(*args: Any) -> Any:
        times.add(args[SECONDS])
        return choose(*args)

    monkeypatch.setattr(bots, "choose", note)
    monkeypatch.setattr(lockstep, "PlayerOptions", partial(PlayerOptions, **options))
    async with open_fair(name, 1) as fair:
        await lockstep.perform(fair, load(name), clock, seed=1)
    return times


@pytest.mark.parametrize("name", THINKING)
async def test_players_think_for_as_long_as_they_are_told(
    name: str, monkeypatch: pytest.MonkeyPatch, mock_clock: MockClock
) -> None:
    times = await times_of_a_match(name, monkeypatch, mock_clock, think_seconds=0.25)
    assert max(times) == 0.25


@pytest.mark.parametrize("name", THINKING)
async def test_players_think_for_a_second_unless_told_otherwise(
    name: str, monkeypatch: pytest.MonkeyPatch, mock_clock: MockClock
) -> None:
    times = await times_of_a_match(name, monkeypatch, mock_clock)
    assert max(times) == THINK_SECONDS
