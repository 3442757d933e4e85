"""Timed calls for all connections, run by one task."""

import heapq
from collections.abc import Awaitable, Callable
from itertools import count
from math import inf
from typing import Protocol

import attrs
import trio

from transports.bugs import as_bug
from transports.turns import Turns

# How many alarms may accumulate before it is worth removing the cancelled ones.
TIDY = 1024


class Sleeper(Protocol):
    """What an alarm wakes."""

    def ring(self) -> None: ...

    def fail(self, bug: Exception) -> None:
        """The alarm has raised an exception, which must affect only this sleeper."""


@attrs.define(eq=False)
class Alarm:
    """A time at which a sleeper is woken, unless the alarm is cancelled."""

    time: float
    sleeper: Sleeper | None

    def cancel(self) -> None:
        self.sleeper = None


class Alarms:
    """Keeps all alarms of a poller.

    Before alarms ring, `settle` lets everything be handled that had arrived by then.
    """

    def __init__(self, settle: Callable[[float], Awaitable[None]], turns: Turns) -> None:
        self._settle = settle
        self._turns = turns
        self._due: list[tuple[float, int, Alarm]] = []
        self._numbers = count()  # alarms for the same instant ring in the order they were set
        self._nap = trio.CancelScope()
        self._tidy_at = TIDY

    def set(self, time: float, sleeper: Sleeper) -> Alarm:
        alarm = Alarm(time, sleeper)
        if len(self._due) >= self._tidy_at:
            self._tidy()
        heapq.heappush(self._due, (time, next(self._numbers), alarm))
        self._nap.deadline = self._next
        return alarm

    def _tidy(self) -> None:
        """Remove cancelled alarms: clients that come and go must not leave any behind."""
        self._due = [entry for entry in self._due if entry[2].sleeper is not None]
        heapq.heapify(self._due)
        self._tidy_at = max(TIDY, 2 * len(self._due))

    @property
    def _next(self) -> float:
        return self._due[0][0] if self._due else inf

    async def run(self) -> None:
        while True:
            with trio.CancelScope(deadline=self._next) as self._nap:
                await trio.sleep_forever()
            now = trio.current_time()
            if self._next <= now:
                await self._settle(now)
            while self._next <= now:
                sleeper = heapq.heappop(self._due)[2].sleeper
                if sleeper is None:
                    continue
                with self._turns.turn():
                    self._ring(sleeper)

    def _ring(self, sleeper: Sleeper) -> None:
        try:
            sleeper.ring()
        except BaseException as bug:  # no await in here, so never Cancelled
            sleeper.fail(as_bug(bug))
