"""Trio's time for a server: it stands still while the event loop is late.

A process that was stopped, or that was busy for seconds, finds messages that had come in time and
deadlines that have passed meanwhile. Nobody shall lose a match or a connection for that. All
deadlines of a run are kept by one clock; so it is the clock that waits.
"""

from collections.abc import Callable
from time import perf_counter

import trio

# Seconds that a turn of the event loop may be late before that is a stall. Then the whole turn
# counts as just so long: time goes on even if every turn is a stall, only more slowly.
PATIENCE = 0.05

# The longest sleep, since nobody can tell when in a sleep the process was stopped.
LONGEST_SLEEP = 0.1


class PatientClock(trio.abc.Clock, trio.abc.Instrument):
    """To be given to `trio.run` as its clock and as an instrument, which sees turns begin and end.

    A turn lasts from one look at the sockets to the next: tasks run, then the loop sleeps for as
    long as it means to. It is late by the time that the tasks took and by what it overslept.
    """

    def __init__(self, real: Callable[[], float] = perf_counter) -> None:
        self._real = real
        self._began = real()  # this turn
        self._slept = self._began  # when the loop has begun to sleep
        self.given_back = 0.0  # seconds for which it stood still

    def start_clock(self) -> None:
        self._began = self._slept = self._real()

    def current_time(self) -> float:
        now, latest = self._real(), self._began + PATIENCE
        return (now if now < latest else latest) - self.given_back

    def elapsed(self) -> float:
        """Time that does not stand still, for what peers earn by waiting."""
        return self._real()

    def deadline_to_sleep_time(self, deadline: float) -> float:
        return min(deadline - self.current_time(), LONGEST_SLEEP)

    def before_io_wait(self, timeout: float) -> None:
        self._slept = self._real()

    def after_io_wait(self, timeout: float) -> None:
        began, now = self._began, self._real()
        late = self._slept - began
        if (overslept := now - self._slept - timeout) > 0:
            late += overslept
        if late > PATIENCE:
            self.given_back += now - began - PATIENCE
        self._began = now


def unstopped_time() -> float:
    """The time of this run as if its clock never waited; where time is virtual, it never does."""
    clock = trio.lowlevel.current_clock()
    return clock.elapsed() if isinstance(clock, PatientClock) else clock.current_time()


def given_back() -> float:
    """Seconds for which the clock of this run has stood still."""
    clock = trio.lowlevel.current_clock()
    return clock.given_back if isinstance(clock, PatientClock) else 0.0
