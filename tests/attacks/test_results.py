"""Results of matches that were never played: they must not push out those of others."""

from typing import Any

import pytest
import trio
from structlog.testing import LogCapture
from trio.testing import MockClock

from ludothek.results import Results
from tests.attacks.arena import open_arena
from tests.hexxagon import HexxagonClient, start_game

HOUR = 3600.0


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        ({"exempt": [], "results_per_hour": 3}, 3),
        ({"exempt": [], "results_per_hour": 0}, 10),
        ({"results_per_hour": 3}, 10),  # this machine is one that many share
    ],
)
async def test_an_address_leaves_only_so_many_results(
    limits: dict[str, Any], told: int, autojump_clock: MockClock, logs: LogCapture
) -> None:
    async with (
        open_arena("hexxagon", **limits) as arena,
        arena.server.connect() as first,
        arena.server.connect() as second,
    ):
        one, two = [await HexxagonClient.arrive(peer) for peer in (first, second)]
        for _ in range(10):
            game = await start_game(one, two)
            await one.say("LeaveGame", gameId=game)
            for client in (one, two):
                await client.hear("GameStatus")
            await trio.sleep(1)
    events = [entry["event"] for entry in logs.entries]
    assert events.count("match ended") == told
    assert events.count("too many results") == (3 if told < 10 else 0)  # after 1, 2 and 4


def test_whoever_plays_against_a_spammer_has_its_result_told() -> None:
    results = Results(None)
    assert [results.has_room({"eve"}, 3, 0) for _ in range(5)] == [True] * 3 + [False] * 2
    assert [results.has_room({"eve", "ann"}, 3, 0) for _ in range(5)] == [True] * 3 + [False] * 2
    assert results.has_room({"bob"}, 3, 0)
    assert results.has_room((), 3, 0)
    assert [results.has_room({"eve"}, 3, 2 * HOUR) for _ in range(5)] == [True] * 3 + [False] * 2
