"""A line about a match is made whatever its players are called."""

from pathlib import Path
from typing import Any

import orjson
import pytest

from ludothek.contract.results import ranked
from ludothek.storage.results import MAX_NAME, Result, Results
from ludothek.storage.state import StateDirectory
from tests.support.helpers import NOON

NAMES = {
    "half a character": ("a\ud800b", "a?b"),
    "a line of its own": ('x"}\n{"winner":"me', 'x"}\n{"winner":"me'),
    "orders for a terminal": ("\x1b[2J\x9b\u202e\0", "\x1b[2J\x9b\u202e\0"),
    "without end": ("😀" * 10_000, "😀" * MAX_NAME),
    "empty": ("", ""),
}


@pytest.mark.parametrize(("name", "kept"), NAMES.values(), ids=NAMES)
def test_a_result_is_one_line_whoever_has_won(tmp_path: Path, name: str, kept: str) -> None:
    state = StateDirectory(tmp_path)
    players = ranked([(name, 3), ("Bob", None)], 0)
    Results(state).add(
        Result(
            time=NOON,
            game="toy",
            endpoint="toy",
            lobby="1",
            players=players,
            winner=name,
            reason="regular",
            moves=1,
            seconds=1.5,
        )
    )
    state.close()
    (line,) = (tmp_path / "results.jsonl").read_bytes().splitlines()
    found = orjson.loads(line)
    assert found["winner"] == kept
    assert [player["name"] for player in found["players"]] == [kept, "Bob"]
    assert [player["rank"] for player in found["players"]] == [1, 2]


def test_ranks() -> None:
    def ranks(*scores: int | None, winner: int | None = None, decided: bool = True) -> list[Any]:
        players = [("x", score) for score in scores]
        return [place.rank for place in ranked(players, winner, decided=decided)]

    assert ranks(3, 5, 3, None, winner=1) == [2, 1, 2, 4]
    assert ranks(3, 3) == [1, 1]
    assert ranks(3, 5, winner=0) == [1, 2]  # the other one has left
    assert ranks(3, 5, decided=False) == [None, None]
