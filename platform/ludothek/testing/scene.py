"""A table and its clients without Trio: happenings, and what everybody is told."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any

from ludothek.contract.client import Client
from ludothek.contract.clock import Clock
from ludothek.contract.effects import Close, Drop, Effect, Kick, Release, Send
from ludothek.contract.orders import Order
from ludothek.contract.table import Table
from ludothek.testing.fair import NOON


class Scene:
    """Performs the effects of a table as the core does, as far as a table can notice."""

    def __init__(self, make: Callable[[Clock], Table]) -> None:
        self._now = 0.0
        self.clock = Clock(lambda: self._now, lambda: NOON + timedelta(seconds=self._now))
        self.table = make(self.clock)
        self.open = True
        self.others: list[Effect] = []  # effects other than Send, in order
        self._there: list[Client] = []
        self._told: defaultdict[Client, list[Any]] = defaultdict(list)

    # Happenings

    def enter(self, client: Client, admission: Any) -> None:
        self._there.append(client)
        self._perform(self.table.enter(client, admission))

    def say(self, client: Client, message: Any) -> None:
        assert client in self._there, f"{client} is not at this table"
        self._perform(self.table.receive(client, message))

    def hang_up(self, client: Client) -> None:
        self._there.remove(client)
        self._perform(self.table.leave(client))

    def order(self, order: Order) -> None:
        """Give the table an order; raises OrderRefused."""
        self._perform(self.table.order(order))

    def wait(self, seconds: float) -> None:
        """Let time pass; each timer fires when it is due."""
        end, timers = self._now + seconds, self.table.timers
        while self.open and timers.deadline <= end:
            self._now = timers.deadline
            self._perform(self.table.time_up(timers.take_due()))
        self._now = end

    # What clients are told

    def heard(self, client: Client) -> list[Any]:
        """The messages to a client since the last call."""
        return self._told.pop(client, [])

    def _perform(self, effects: Iterable[Effect]) -> None:
        gone = []
        for effect in [*effects]:
            match effect:
                case Send(to=to, message=message):
                    for client in to if isinstance(to, Iterable) else (to,):
                        self._told[client].append(message)
                    continue
                case Release(client=client) | Kick(client=client) | Drop(client=client):
                    gone.append(client)
                case Close():
                    self.open = False
            self.others.append(effect)
        for client in gone:
            if self.open and client in self._there:
                self.hang_up(client)
