"""The deadlines of one connection, with one alarm for all of them."""

from math import inf

import trio

from transports.alarms import Alarm, Alarms, Sleeper
from transports.terms import Terms


class Deadlines:
    """Times, infinite where nothing is due; the link is woken at the earliest.

    A link without alarms has tasks that can wait; it checks by itself when the earliest is due.
    """

    __slots__ = ("_alarm", "_alarms", "midway", "owing", "paused", "silent", "stuck", "terms")

    def __init__(self, terms: Terms, alarms: Alarms | None) -> None:
        self.terms = terms
        self._alarms = alarms
        self._alarm: Alarm | None = None
        self.clear()

    def clear(self) -> None:
        self.stuck = inf  # the peer must have read something by then
        self.midway = inf  # the message that has begun must be complete
        self.silent = inf  # the next message must be complete
        self.paused = inf  # reading from the peer resumes
        self.owing = inf  # messages that have already arrived may be handled again

    # Setting them

    def expect_word(self, link: Sleeper) -> None:
        self._limit_silence(link, min(self.terms.first_seconds, self.terms.idle_seconds))

    def expect_next_word(self, link: Sleeper) -> None:
        self._limit_silence(link, self.terms.idle_seconds)

    def _limit_silence(self, link: Sleeper, seconds: float) -> None:
        self.silent = trio.current_time() + seconds
        self.arm(link)

    def expect_rest(self, link: Sleeper, *, midway: bool, anew: bool) -> None:
        """Start the deadline of a message that has begun; restart it for one that begins `anew`."""
        if not midway:
            self.midway = inf
        elif anew or self.midway == inf:
            self.midway = trio.current_time() + self.terms.frame_seconds
            self.arm(link)

    def be_patient(self, link: Sleeper, seconds: float) -> None:
        self.stuck = trio.current_time() + seconds
        self.arm(link)

    def pause(self, link: Sleeper, seconds: float) -> None:
        self.paused = _later(self.paused, seconds)
        self.arm(link)

    def owe(self, link: Sleeper, seconds: float) -> None:
        self.owing = _later(self.owing, seconds)
        self.arm(link)

    # Obeying them

    @property
    def due(self) -> float:
        return min(self.stuck, self.midway, self.silent, self.paused, self.owing)

    @property
    def resting(self) -> bool:
        """Whether the peer has to wait before more is read from it."""
        return self.paused < inf or self.owing < inf

    def let_go_on(self, now: float) -> None:
        """Clear the pauses that are over."""
        if self.paused <= now:
            self.paused = inf
        if self.owing <= now:
            self.owing = inf

    # The alarm

    def arm(self, link: Sleeper) -> None:
        # One alarm at a time: if it rings too early, it is set again.
        due = self.due
        if due == inf or self._alarms is None:
            return
        if self._alarm is not None:
            if self._alarm.time <= due:
                return
            self._alarm.cancel()
        self._alarm = self._alarms.set(due, link)

    def rung(self) -> float:
        """The alarm has gone off; returns the current time."""
        self._alarm = None
        return trio.current_time()

    def disarm(self) -> None:
        self.clear()
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None


def _later(until: float, seconds: float) -> float:
    """The end of a pause that lasts until the later of the two times."""
    later = trio.current_time() + seconds
    return later if until == inf else max(until, later)
