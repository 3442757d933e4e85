"""Looking for changes only while somebody wants to know."""

from typing import TYPE_CHECKING, Any, cast

import pytest
import trio

from ludothek.web.broadcast import Broadcast
from ludothek.web.lookout import Lookout
from ludothek.web.rounds import Rounds

if TYPE_CHECKING:
    from ludothek.web.viewer import Viewer


async def test_nobody_looks_when_the_last_viewer_is_gone(autojump_clock: Any) -> None:
    looks: list[float] = []
    forgotten: list[float] = []

    async def look() -> None:
        while True:
            looks.append(trio.current_time())
            await trio.sleep(1)

    async with trio.open_nursery() as nursery:
        broadcast = Broadcast(nursery, Rounds(), lambda: None)
        lookout = Lookout(nursery, broadcast, look, lambda: forgotten.append(len(looks)))
        for _ in range(2):
            with lookout.following(cast("Viewer", object())):
                with lookout.following(cast("Viewer", object())):
                    await trio.sleep(1.5)
                await trio.sleep(1)
            await trio.sleep(100)
    begin = looks[0]
    assert [each - begin for each in looks] == pytest.approx([0, 1, 2, 102.5, 103.5, 104.5])
    assert forgotten == [3, 6]


async def test_after_a_failure_the_next_viewer_makes_it_look_again(autojump_clock: Any) -> None:
    looks = 0

    async def look() -> None:
        nonlocal looks
        looks += 1

    async with trio.open_nursery() as nursery:
        lookout = Lookout(nursery, Broadcast(nursery, Rounds(), lambda: None), look)
        for _ in range(3):
            with lookout.following(cast("Viewer", object())):
                await trio.sleep(1)
    assert looks == 3
