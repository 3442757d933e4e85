"""Clients that are slow, or do nothing any more, in games that do not end because of it."""

from math import inf
from typing import Any

import attrs
import pytest
import trio
from trio.testing import MockClock

from ludothek.arena.bounds import Bounds
from ludothek.check.checker import find_situations
from ludothek.check.trial import Trial
from ludothek.contract import registry
from tests.check.checking import BOUNDS
from tests.check.remote import led_through
from tests.support.helpers import unhurried_clock
from transports import Frame, Link


@pytest.fixture
def clock() -> MockClock:
    return unhurried_clock()


@attrs.define
class Dawdling:
    """Says each message of that kind late, or never."""

    link: Link
    message: bytes
    seconds: float

    async def receive(self) -> Frame:
        return await self.link.receive()

    async def send(self, frame: bytes) -> None:
        if self.message not in frame:
            await self.link.send(frame)
        elif self.seconds < inf:
            await trio.sleep(self.seconds)
            await self.link.send(frame)


async def dawdled(
    game: str, name: str, message: bytes, seconds: float, bounds: Bounds = BOUNDS, **changes: Any
) -> Trial:
    """How such a client of that game comes through the situation of that name."""
    record = registry.load(game)
    (situation,) = find_situations(record, [name])
    checker = await led_through(
        record,
        [attrs.evolve(situation, **changes)],
        lambda _, link: Dawdling(link, message, seconds),
        seat=0,
        bounds=bounds,
    )
    (trial,) = checker.trials
    assert not trial.failure
    return trial


@pytest.mark.parametrize(
    ("game", "message"), [("roborally", b"PlayCard"), ("quidditch", b"deltaRequest")]
)
async def test_who_says_nothing_more_is_not_waited_for_to_the_end_of_the_match(
    game: str, message: bytes, clock: MockClock
) -> None:
    hasty = attrs.evolve(BOUNDS, move_seconds=5.0, game_seconds=300.0)
    trial = await dawdled(game, "connection-breaks", message, inf, hasty)
    assert trial.problem == "silent"
    assert trial.seconds < 60


async def test_what_comes_too_late_is_not_held_against_a_client_as_something_else(
    clock: MockClock,
) -> None:
    trial = await dawdled("roborally", "time-runs-out", b"PlayCard", 7.0, decisions=8)
    assert trial.passed, trial
    ids = [each.breach.clause.id for each in trial.incidents]
    assert ids[0] == "ours.in-time"
    assert {*ids} - {"ours.in-time"}  # of the PlayCard that came after it
    assert all(each.tolerated for each in trial.incidents)


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("roborally", b"PlayCard"),
        ("roborally", b"SetStartingPoint"),
        ("qwirkle", b'"uniqueId":414'),
        ("quidditch", b"deltaRequest"),
    ],
)
async def test_who_takes_four_seconds_breaks_nothing_when_time_runs_out_for_others(
    game: str, message: bytes, clock: MockClock
) -> None:
    trial = await dawdled(game, "time-runs-out", message, 4.0)
    assert (trial.passed, trial.incidents) == (True, ())
