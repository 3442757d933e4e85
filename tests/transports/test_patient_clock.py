"""Time stands still while the event loop is late, and at no other time."""

import time

import attrs
import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from transports.patient_clock import (
    LONGEST_SLEEP,
    PATIENCE,
    PatientClock,
    given_back,
    unstopped_time,
)


@attrs.define
class Loop:
    """An event loop whose real time is made up."""

    real: float = 1000.0
    clock: PatientClock = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.clock = PatientClock(lambda: self.real)
        self.clock.start_clock()

    def turn(self, *, busy: float = 0.0, timeout: float = 0.0, slept: float | None = None) -> float:
        """Let tasks run, then sleep; returns how far the clock went."""
        before = self.clock.current_time()
        self.real += busy
        self.clock.before_io_wait(timeout)
        self.real += timeout if slept is None else slept
        self.clock.after_io_wait(timeout)
        return self.clock.current_time() - before


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        ({"busy": 0.04}, 0.04),
        ({"timeout": 0.1}, 0.1),
        ({"timeout": 0.1, "slept": 0.02}, 0.02),  # something has come
        ({"timeout": 0.1, "slept": 0.101}, 0.101),  # timers are never exact
        ({"busy": 0.04, "timeout": 0.1}, 0.14),
    ],
)
def test_a_loop_in_time_sees_the_time_as_it_is(turn: dict[str, float], expected: float) -> None:
    loop = Loop()
    assert loop.turn(**turn) == pytest.approx(expected)
    assert loop.clock.given_back == 0


@pytest.mark.parametrize(
    "turn",
    [
        {"busy": 3.0},
        {"busy": 3.0, "timeout": 0.1},
        {"timeout": 0.0, "slept": 3.0},
        {"timeout": 0.1, "slept": 3.0},
        {"busy": 0.04, "timeout": 0.1, "slept": 0.12},
    ],
)
def test_a_stall_counts_as_a_moment(turn: dict[str, float]) -> None:
    loop = Loop()
    began = loop.real
    assert loop.turn(**turn) == pytest.approx(PATIENCE)
    assert loop.clock.given_back == pytest.approx(loop.real - began - PATIENCE)
    assert loop.clock.elapsed() == loop.real


def test_time_stands_still_within_the_turn_that_stalls() -> None:
    """What is handled behind a long computation, before the loop looks again, is in time too."""
    loop = Loop()
    asked = loop.clock.current_time()
    for _ in range(100):
        loop.real += 0.03
        assert loop.clock.current_time() - asked <= PATIENCE + 1e-9
    assert loop.turn() == pytest.approx(0)


def test_time_goes_on_though_every_turn_is_a_stall() -> None:
    loop = Loop()
    assert sum(loop.turn(busy=1.0) for _ in range(10)) == pytest.approx(10 * PATIENCE)


turns = st.fixed_dictionaries(
    {
        "busy": st.floats(0, 0.2),
        "timeout": st.floats(0, LONGEST_SLEEP),
        "slept": st.floats(0, 0.3),
    }
)


@given(st.lists(turns))
def test_it_never_goes_back_nor_faster_than_time_itself(many: list[dict[str, float]]) -> None:
    loop = Loop()
    for turn in many:
        before = loop.real
        assert -1e-9 <= loop.turn(**turn) <= loop.real - before + 1e-9


def test_no_sleep_is_so_long_that_a_stop_goes_unseen() -> None:
    loop = Loop()
    assert loop.clock.deadline_to_sleep_time(loop.clock.current_time() + 3600) == LONGEST_SLEEP
    assert loop.clock.deadline_to_sleep_time(loop.clock.current_time() + 0.02) == pytest.approx(
        0.02
    )


def test_a_run_of_trio_takes_no_notice_of_a_stall() -> None:
    """Real time for once, since it is about the real loop: half a second of nothing."""
    clock = PatientClock()

    async def main() -> float:
        timers = 0
        with trio.move_on_after(0.3) as scope:
            await trio.sleep(0.01)
            time.sleep(0.5)  # noqa: ASYNC251 - this is the stall
            while True:
                await trio.lowlevel.checkpoint()
                timers += 1
        assert scope.cancelled_caught
        assert timers > 1, "the deadline passed during the stall"
        return unstopped_time() - trio.current_time()

    apart = trio.run(main, clock=clock, instruments=[clock])
    assert apart == pytest.approx(clock.given_back, abs=0.1)
    assert clock.given_back >= 0.4


async def test_virtual_time_knows_no_stalls(autojump_clock: trio.testing.MockClock) -> None:
    await trio.sleep(3600)
    assert unstopped_time() == trio.current_time()
    assert given_back() == 0
