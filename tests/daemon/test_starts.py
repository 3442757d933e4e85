"""When a guardian starts its daemon again."""

from types import SimpleNamespace

import pytest

from ludothek.daemon.starts import FIRST_PAUSE, LONGEST_PAUSE, MOST_FAILURES, Starts


@pytest.fixture(autouse=True)
def _no_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludothek.daemon.starts.time", SimpleNamespace(monotonic=lambda: 100.0))


def pauses(starts: Starts, number: int, *, failed: bool) -> list[float]:
    """Waiting times after so many daemons in a row that never served anybody."""
    found = []
    for _ in range(number):
        starts.begin()
        starts.end(served=False, failed=failed)
        assert starts.patience is not None
        found.append(round(starts.patience, 6))
    return found


def test_nothing_is_waited_for_while_a_daemon_runs() -> None:
    starts = Starts()
    starts.begin()
    assert starts.patience is None
    assert starts.count == 1


def test_each_failure_doubles_the_pause_up_to_the_longest() -> None:
    doubled = [min(LONGEST_PAUSE, FIRST_PAUSE * 2**n) for n in range(1, 10)]
    assert pauses(Starts(), 9, failed=True) == doubled
    assert doubled[-1] == LONGEST_PAUSE


def test_daemons_that_are_killed_from_outside_wait_only_when_that_happens_often() -> None:
    starts = Starts()
    assert pauses(starts, MOST_FAILURES, failed=False) == [0.0] * MOST_FAILURES
    assert pauses(starts, 2, failed=False) == [2 * FIRST_PAUSE, 4 * FIRST_PAUSE]
    assert starts.failures == 0


def test_a_daemon_that_has_served_makes_up_for_all_failures_before_it() -> None:
    starts = Starts()
    pauses(starts, MOST_FAILURES, failed=True)
    starts.begin()
    starts.end(served=True, failed=True)
    assert (starts.patience, starts.failures) == (0.0, 0)
    assert pauses(starts, 1, failed=True) == [2 * FIRST_PAUSE]


def test_a_start_that_was_not_possible_does_not_count_and_is_tried_again_later() -> None:
    starts = Starts()
    starts.begin()
    starts.give_up()
    assert (starts.count, starts.patience, starts.failures) == (0, LONGEST_PAUSE, 0)
