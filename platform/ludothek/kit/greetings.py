"""Clients that have to identify themselves within a time limit."""

from collections.abc import Callable, Hashable, Iterator
from math import inf

from ludothek.contract.client import Client
from ludothek.contract.timers import Timers

GREETING = "greeting"


class Greetings:
    """The clients that have not identified themselves yet, and their deadlines.

    However many there are, they need one timer: it runs out when the first of them is late, or
    earlier, if that one has greeted meanwhile.
    """

    def __init__(
        self, timers: Timers, now: Callable[[], float], timer: Hashable = GREETING
    ) -> None:
        self._timers = timers
        self._timer = timer
        self._now = now
        self._until: dict[Client, float] = {}

    def __contains__(self, client: Client) -> bool:
        return client in self._until

    def __iter__(self) -> Iterator[Client]:
        """Those who are waited for, in the order in which they came."""
        return iter(self._until)

    def expect(self, client: Client, seconds: float) -> None:
        """Give a client that many seconds; 0: forever."""
        self._until[client] = self._now() + (seconds or inf)
        if 0 < seconds < self._timers.left(self._timer):
            self._timers.start(self._timer, seconds)

    def discard(self, client: Client) -> None:
        """A client has greeted, or is gone."""
        self._until.pop(client, None)
        if not self._until:
            self._timers.stop(self._timer)

    def take_late(self) -> list[Client]:
        """Those whose time is up, when the timer says so; they are no longer waited for."""
        now = self._now()
        late = [client for client, until in self._until.items() if until <= now]
        for client in late:
            del self._until[client]
        self._timers.start(self._timer, min(self._until.values(), default=inf) - now)
        return late
