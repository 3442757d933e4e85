"""Countdowns that can be paused, and a clock that nobody sets."""

import time
from math import inf

import pytest
from trio.testing import MockClock

from ludothek.contract.clock import Clock, Countdown


class Now:
    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


def test_a_countdown_ends_after_its_seconds() -> None:
    now = Now()
    turn = Countdown(now)
    assert turn.deadline == inf
    turn.start(30)
    now.time += 12
    assert (turn.deadline, turn.left) == (130, 18)
    now.time += 100
    assert turn.left == 0


def test_pausing_keeps_what_is_left() -> None:
    now = Now()
    turn = Countdown(now)
    turn.start(30)
    now.time += 10
    turn.pause()
    now.time += 1000
    assert (turn.deadline, turn.left) == (inf, 20)
    turn.resume()
    assert (turn.deadline, turn.left) == (1130, 20)


def test_pausing_twice_and_resuming_twice_change_nothing() -> None:
    now = Now()
    turn = Countdown(now)
    turn.start(30)
    turn.pause()
    now.time += 5
    turn.pause()
    turn.resume()
    now.time += 5
    turn.resume()
    assert turn.deadline == 135


def test_a_stopped_countdown_stays_stopped_when_resumed() -> None:
    turn = Countdown(Now())
    turn.start(30)
    turn.stop()
    turn.pause()
    turn.resume()
    assert turn.deadline == inf


def test_a_new_start_ends_a_pause() -> None:
    turn = Countdown(Now())
    turn.start(30)
    turn.pause()
    turn.start(10)
    assert turn.deadline == 110


async def test_setting_the_wall_clock_moves_no_deadline(
    mock_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    turn = Countdown(clock.time)
    turn.start(30)
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert turn.left == 30
    mock_clock.jump(10)
    assert turn.left == 20
