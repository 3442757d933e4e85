"""Garbage is collected when nobody plays."""

import gc

import pytest
import trio
from trio.testing import MockClock

from ludothek.daemon.garbage import (
    LONGEST_SECONDS,
    LOOK_SECONDS,
    MIDDLE,
    NEVER,
    YOUNGEST,
    collect_garbage,
)


@pytest.fixture
def collections(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    times: list[float] = []
    monkeypatch.setattr(gc, "collect", lambda: times.append(trio.current_time()))
    return times


@pytest.mark.parametrize(("idle", "gap"), [(True, LOOK_SECONDS), (False, LONGEST_SECONDS)])
async def test_a_full_collection_waits_until_nobody_plays_or_an_hour(
    autojump_clock: MockClock, collections: list[float], idle: bool, gap: float
) -> None:
    before = gc.get_threshold()
    with trio.move_on_after(3 * gap + 1):
        await collect_garbage(lambda: idle)
    assert collections == pytest.approx([0, gap, 2 * gap, 3 * gap])
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


async def test_a_match_that_ends_is_noticed_within_a_minute(
    autojump_clock: MockClock, collections: list[float]
) -> None:
    with trio.move_on_after(4 * LOOK_SECONDS + 1):
        await collect_garbage(lambda: trio.current_time() > 2.5 * LOOK_SECONDS)
    assert collections == pytest.approx([0, 3 * LOOK_SECONDS, 4 * LOOK_SECONDS])


async def test_until_then_only_young_objects_are_collected(
    autojump_clock: MockClock, collections: list[float]
) -> None:
    found = []

    def look() -> bool:
        found.append((gc.get_threshold(), gc.get_freeze_count() > 0))
        return False

    with trio.move_on_after(LOOK_SECONDS + 1):
        await collect_garbage(look)
    assert found == [((YOUNGEST, MIDDLE, NEVER), True)]
