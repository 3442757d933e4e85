"""Load and lag as curves."""

from pathlib import Path

import attrs
import pytest

from ludothek.contract.clock import Clock
from ludothek.control.organiser import Organiser
from ludothek.observe.lag import LoopLag
from ludothek.web.curves import MEMORY, STEP, Curves
from tests.support.hexxagon import HexxagonClient, start_game
from tests.support.organiser_page import open_organiser_page


@attrs.define
class Time:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


async def test_a_new_browser_gets_all_points_and_then_each_new_one(tmp_path: Path) -> None:
    async with open_organiser_page(tmp_path) as organiser:
        curves = organiser.browser.curves
        (server,) = organiser.browser.servers
        curves.take()
        async with organiser.follow("/curves") as events, server.connect() as one:
            name, samples = await events.next()
            assert (name, len(samples), samples[0]["clients"]) == ("samples", 1, 0)
            async with server.connect() as two:
                clients = [await HexxagonClient.arrive(each) for each in (one, two)]
                await start_game(*clients)
                curves.take()
                name, sample = await events.next()
            assert name == "sample"
            assert (sample["clients"], sample["lobbies"], sample["matches"]) == (2, 1, 1)
            assert sample["messages_in"] > 0
            assert sample["messages_out"] > sample["messages_in"]
            assert sample["memory"] > 1_000_000


async def test_rates_are_per_second_and_lag_is_the_largest_since_the_last_point() -> None:
    time, cpu, lag = Time(), Time(), LoopLag()
    curves = Curves(Organiser([], Clock(), lag=lag), time, cpu)
    for latest in (0.3, 0.1):
        lag.note(latest)
    time.now, cpu.now = STEP, STEP / 2
    curves.take()
    time.now = 2 * STEP
    curves.take()
    told: list[bytes] = []

    async def say(text: bytes) -> None:
        told.append(text)

    await curves.tell(say, lambda: False)
    assert told[0].count(b'"lag":0.3,') == 1
    assert told[0].count(b'"lag":0.0,') == 1
    assert told[0].count(b'"cpu":0.5') == 1


@pytest.mark.parametrize("minutes", [1, 15, 60])
async def test_only_the_last_minutes_are_remembered(minutes: int) -> None:
    curves = Curves(Organiser([], Clock()), Time(), Time())
    for _ in range(int(minutes * 60 / STEP)):
        curves.take()
    told: list[bytes] = []

    async def say(text: bytes) -> None:
        told.append(text)

    await curves.tell(say, lambda: False)
    assert told[0].count(b'"date"') == min(minutes * 60, MEMORY) / STEP
