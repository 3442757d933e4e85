"""Named timers that can be paused, and a clock that nobody sets."""

import time
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock

from ludothek.contract.clock import Clock
from ludothek.contract.timers import Timers


class Now:
    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def now() -> Now:
    return Now()


@pytest.fixture
def timers(now: Now) -> Timers:
    return Timers(now)


def test_a_timer_is_due_after_its_seconds_and_once(timers: Timers, now: Now) -> None:
    assert timers.deadline == inf
    timers.start("turn", 30)
    assert (timers.deadline, timers.left("turn")) == (130, 30)
    now.time = 129.9
    assert timers.take_due() is None
    now.time = 130
    assert timers.take_due() == "turn"
    assert timers.take_due() is None
    assert (timers.deadline, "turn" in timers) == (inf, False)


def test_those_that_are_due_come_in_the_order_of_their_times(timers: Timers, now: Now) -> None:
    for name, seconds in (("late", 30), ("early", 10), ("later", 50)):
        timers.start(name, seconds)
    now.time = 135
    assert [timers.take_due(), timers.take_due(), timers.take_due()] == ["early", "late", None]


def test_a_timer_that_is_due_can_still_be_stopped(timers: Timers, now: Now) -> None:
    timers.start("game", 10)
    timers.start("turn", 10)
    now.time = 110
    assert timers.take_due() == "game"
    timers.stop("turn", "never started")
    assert timers.take_due() is None


def test_starting_again_moves_a_timer(timers: Timers, now: Now) -> None:
    timers.start("turn", 30)
    now.time = 120
    timers.start("turn", 30)
    assert timers.deadline == 150
    timers.start("turn", inf)
    assert (timers.deadline, timers.left("turn")) == (inf, inf)


def test_pausing_keeps_what_is_left(timers: Timers, now: Now) -> None:
    timers.start("turn", 30)
    now.time += 10
    timers.pause()
    now.time += 1000
    assert (timers.deadline, timers.left("turn"), "turn" in timers) == (inf, 20, True)
    timers.resume()
    assert (timers.deadline, timers.left("turn")) == (1130, 20)


def test_steady_timers_go_on_in_a_pause(timers: Timers, now: Now) -> None:
    timers.start("turn", 30)
    timers.start("absence", 60, steady=True)
    timers.pause()
    assert timers.deadline == 160
    now.time = 160
    assert timers.take_due() == "absence"
    timers.start("absence", 60, steady=True)
    assert timers.deadline == 220


def test_what_is_started_in_a_pause_waits_for_its_end(timers: Timers, now: Now) -> None:
    timers.pause()
    timers.start("turn", 30)
    now.time += 1000
    assert timers.deadline == inf
    timers.resume()
    assert timers.deadline == 1130


def test_pausing_twice_and_resuming_twice_change_nothing(timers: Timers, now: Now) -> None:
    timers.start("turn", 30)
    timers.pause()
    now.time += 5
    timers.pause()
    timers.resume()
    now.time += 5
    timers.resume()
    assert timers.deadline == 135


def test_a_stopped_timer_stays_stopped_when_resumed(timers: Timers) -> None:
    timers.start("turn", 30)
    timers.pause()
    timers.stop("turn")
    timers.resume()
    assert timers.deadline == inf


def test_clearing_ends_timers_and_pause(timers: Timers) -> None:
    timers.start("turn", 30)
    timers.start("absence", 60, steady=True)
    timers.pause()
    timers.clear()
    assert (timers.deadline, timers.paused) == (inf, False)
    timers.resume()
    assert timers.deadline == inf


ACTS = st.lists(
    st.tuples(
        st.sampled_from(["start", "steady", "stop", "pause", "resume", "wait", "take"]),
        st.sampled_from("abc"),
        st.integers(0, 50),
    ),
    max_size=40,
)


@given(ACTS)
def test_the_deadline_is_that_of_the_first_timer_whatever_happens(
    acts: list[tuple[str, str, int]],
) -> None:
    """Compared with timers that are looked at second by second."""
    now = Now()
    timers, left, steady, paused = Timers(now), dict[str, int](), set[str](), False
    for act, name, seconds in acts:
        match act:
            case "start" | "steady":
                timers.start(name, seconds, steady=act == "steady")
                left[name] = seconds
                (steady.add if act == "steady" else steady.discard)(name)
            case "stop":
                timers.stop(name)
                left.pop(name, None)
            case "pause" | "resume":
                (timers.pause if act == "pause" else timers.resume)()
                paused = act == "pause"
            case "wait":
                now.time += seconds
                for each in left:
                    if not paused or each in steady:
                        left[each] -= seconds
            case "take":
                due = [each for each in left if left[each] <= 0 and (not paused or each in steady)]
                taken = timers.take_due()
                assert (taken in due) if due else taken is None
                left.pop(str(taken), None)
        running = [left[each] for each in left if not paused or each in steady]
        assert timers.deadline == now.time + min(running, default=inf)
        assert all(timers.left(each) == max(0, left[each]) for each in left)


async def test_setting_the_wall_clock_moves_no_deadline(
    mock_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    timers = Timers(Clock().time)
    timers.start("turn", 30)
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert timers.left("turn") == 30
    mock_clock.jump(10)
    assert timers.left("turn") == 20


def test_timers_can_have_as_long_as_others() -> None:
    now = 100.0
    past, timers = Timers(lambda: 7.0), Timers(lambda: now)
    past.start("move", 3.0)
    past.pause()
    timers.start("look", 1.0)
    timers.adopt(past, "move", "look")
    assert (timers.left("move"), timers.deadline) == (3.0, 103.0)
    assert "look" not in timers
