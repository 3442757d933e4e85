"""Many matches at once on one endpoint, over real sockets, each seen and saved as it was."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
import trio

from tests.games.quidditch.matches import follow_replay, play_matches, read_replays

MATCHES = 12


@pytest.fixture(autouse=True)
def no_details() -> Iterator[None]:
    """Every answer of a player is logged, which takes longer than the answer."""
    before = structlog.get_config()["wrapper_class"]
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.INFO))
    yield
    structlog.configure(wrapper_class=before)


async def test_matches_at_once_are_sound_and_their_replays_are_kept(tmp_path: Path) -> None:
    with trio.fail_after(100):
        pairs = await play_matches(MATCHES, tmp_path)
    kept = read_replays(tmp_path)
    lobbies = {f"lobby{n}" for n in range(MATCHES)}
    assert {kind: set(replays) for kind, replays in kept.items()} == {
        "replay": lobbies,
        "replayWithSnapshot": lobbies,
    }
    for number, (left, right) in enumerate(pairs):
        assert left.finish == right.finish
        assert left.follower.shown == right.follower.shown
        assert [report.errors for each in (left, right) for report in each.reports] == [0, 0]
        replay = kept["replay"][f"lobby{number}"]
        assert len(replay["log"]) == left.follower.steps == right.follower.steps
        assert follow_replay(replay) == left.follower.shown
        told = kept["replayWithSnapshot"][f"lobby{number}"]["log"]
        kinds = [entry["payloadType"] for entry in told]
        assert (kinds[0], kinds[-1]) == ("matchStart", "matchFinish")
        assert kinds.count("snapshot") == left.follower.steps
