"""Garbage is looked for when nobody plays."""

import gc
import weakref
from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from ludothek.daemon.garbage import (
    LONGEST_SECONDS,
    LOOK_SECONDS,
    MEMORY_SECONDS,
    collect_garbage,
    give_back_memory,
)
from ludothek.daemon.malloc import FreeMemory


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    times: list[float] = []
    monkeypatch.setattr(gc, "collect", lambda: times.append(trio.current_time()))
    return times


@pytest.mark.parametrize(("idle", "gap"), [(True, LOOK_SECONDS), (False, LONGEST_SECONDS)])
async def test_everything_is_searched_when_nobody_plays_or_after_an_hour(
    autojump_clock: MockClock, searches: list[float], idle: bool, gap: float
) -> None:
    before = gc.get_threshold()
    with trio.move_on_after(3 * gap + 1):
        await collect_garbage(lambda: idle)
    assert searches == pytest.approx([0, gap, 2 * gap, 3 * gap])
    assert gc.get_threshold() == before


async def test_until_then_the_old_are_left_alone(nursery: trio.Nursery) -> None:
    nursery.start_soon(collect_garbage, lambda: True)
    await wait_all_tasks_blocked()
    assert gc.get_threshold()[2] > 1_000_000
    nursery.cancel_scope.cancel()


async def test_what_was_in_use_during_one_search_is_found_soon_after(nursery: trio.Nursery) -> None:
    """As what a stranger leaves who came and went; nobody should have to wait for an hour."""
    nursery.start_soon(collect_garbage, lambda: False)
    await wait_all_tasks_blocked()
    circle = Circle()
    found = weakref.ref(circle)
    gc.collect(0)
    del circle
    others: list[Any] = []
    while found():
        others.append([others])
    assert len(others) < 60_000
    nursery.cancel_scope.cancel()


async def test_free_memory_is_looked_for_all_the_time(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    times: list[float] = []
    monkeypatch.setattr(FreeMemory, "give_back", lambda _: times.append(trio.current_time()))
    with trio.move_on_after(2 * MEMORY_SECONDS + 1):
        await give_back_memory()
    assert times == pytest.approx([0, MEMORY_SECONDS, 2 * MEMORY_SECONDS])


class Circle:
    def __init__(self) -> None:
        self.itself = self
