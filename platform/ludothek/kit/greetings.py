"""Clients that have to say who they are, within a time."""

from collections.abc import Callable, Hashable
from math import inf

from ludothek.contract.client import Client
from ludothek.contract.timers import Timers

GREETING = "greeting"


class Greetings:
    """Who has not said yet who it is, and until when it may.

    However many wait, they need one timer: it is set for whoever came first.
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

    def expect(self, client: Client, seconds: float) -> None:
        """Give a client so many seconds; 0: for ever."""
        self._until[client] = self._now() + (seconds or inf)
        if len(self._until) == 1:
            self._set_timer()

    def discard(self, client: Client) -> None:
        """A client has greeted, or is gone."""
        if self._until.pop(client, None) is not None:
            self._set_timer()

    def take_late(self) -> list[Client]:
        """Those whose time is up, when the timer says so; they are no longer waited for."""
        now = self._now()
        late = [client for client, until in self._until.items() if until <= now]
        for client in late:
            del self._until[client]
        self._set_timer()
        return late

    def _set_timer(self) -> None:
        first = next(iter(self._until.values()), inf)
        self._timers.start(self._timer, first - self._now())
