"""Trio's clock for a server: it stands still while the event loop is late.

A process that was stopped, or busy for seconds, finds messages that had arrived in time and
deadlines that have passed meanwhile. Nobody must lose a match or a connection because of that. One
clock keeps all deadlines of a run, so it is the clock that waits.
"""

from collections.abc import Callable
from time import perf_counter

import trio

# Seconds by which a turn of the event loop may be late before that counts as a stall. The whole
# turn then counts as that long: time goes on even if every turn stalls, only more slowly.
PATIENCE = 0.05

# The longest sleep, since nobody can tell when during a sleep the process was stopped.
LONGEST_SLEEP = 0.1


class PatientClock(trio.abc.Clock, trio.abc.Instrument):
    """Pass it to `trio.run` both as the clock and as an instrument, which sees turns begin and end.

    A turn lasts from one poll of the sockets to the next: tasks run, then the loop sleeps for as
    long as it intends to. It is late by the time that the tasks took and by what it overslept.
    """

    def __init__(
        self, real: Callable[[], float] = perf_counter, begin: float | None = None
    ) -> None:
        """The time of another process may be the one to `begin` with."""
        self._real = real
        self._begin = begin
        self._began = real()  # this turn
        self._slept = self._began  # when the loop began to sleep
        self.given_back = 0.0  # seconds for which it stood still
        self._offset = 0.0  # between the time of this process and what it began with

    def start_clock(self) -> None:
        self._began = self._slept = self._real()
        if self._begin is not None:
            self._offset = self._began - self._begin

    def current_time(self) -> float:
        now, latest = self._real(), self._began + PATIENCE
        return (now if now < latest else latest) - self.given_back - self._offset

    def elapsed(self) -> float:
        """Time that does not stand still, for refilling the token buckets of peers."""
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
    """The time of this run as if its clock never stood still; virtual clocks never do."""
    clock = trio.lowlevel.current_clock()
    return clock.elapsed() if isinstance(clock, PatientClock) else clock.current_time()


def given_back() -> float:
    """Seconds for which the clock of this run has stood still."""
    clock = trio.lowlevel.current_clock()
    return clock.given_back if isinstance(clock, PatientClock) else 0.0
