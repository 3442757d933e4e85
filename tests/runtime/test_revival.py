"""What an endpoint still knows after the process has died, besides its tables."""

from collections.abc import AsyncIterator

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from games.hexxagon import GAME
from ludothek.testing.phoenix import Phoenix


@pytest.fixture
async def phoenix(autojump_clock: MockClock) -> AsyncIterator[Phoenix]:
    async with trio.open_nursery() as nursery:
        yield Phoenix(nursery, GAME, 1, {})
        nursery.cancel_scope.cancel()


async def test_ids_are_never_drawn_twice(phoenix: Phoenix) -> None:
    for _ in range(3):
        phoenix.connect()
        await wait_all_tasks_blocked()
        phoenix.die()
    await wait_all_tasks_blocked()
    assert len({client.key for client in phoenix.endpoint.clients}) == 3


async def test_an_endpoint_that_is_being_drained_opens_nothing_in_another_life(
    phoenix: Phoenix,
) -> None:
    phoenix.connect()
    await wait_all_tasks_blocked()
    phoenix.endpoint.hall.drain()
    phoenix.connect()
    await wait_all_tasks_blocked()
    phoenix.die()
    assert phoenix.endpoint.hall.draining


async def test_counters_go_on(phoenix: Phoenix) -> None:
    phoenix.endpoint.hall.crashes = 2
    phoenix.connect()
    await wait_all_tasks_blocked()
    phoenix.die()
    hall = phoenix.endpoint.hall
    assert (hall.clients_met, hall.crashes) == (1, 2)
