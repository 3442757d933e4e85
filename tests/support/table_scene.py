"""A table without Trio, and the people at it: what scenes of several games have in common."""

from abc import abstractmethod
from itertools import count
from typing import Any, Generic, Protocol, TypeVar

from ludothek.contract.client import Client
from ludothek.contract.effects import Effects
from ludothek.contract.orders import Order
from ludothek.contract.table import Table


class Listener(Protocol):
    """A client, and what it has heard since it was last asked."""

    client: Client
    heard: list[Any]


Person = TypeVar("Person", bound=Listener)


class TableScene(Generic[Person]):
    """The people at a table, and a clock that advances when told to."""

    table: Table

    def __init__(self) -> None:
        self.time = 0.0
        self.closed = False
        self.people: dict[Client, Person] = {}
        self._numbers = count(1)

    def say(self, person: Person, message: Any) -> list[Any]:
        """Say something; returns what the speaker heard in answer."""
        before = len(person.heard)
        self._perform(self.table.receive(person.client, message))
        return person.heard[before:]

    def leave(self, person: Person) -> None:
        del self.people[person.client]
        self._perform(self.table.leave(person.client))

    def order(self, order: Order) -> None:
        self._perform(self.table.order(order))

    def wait(self, seconds: float) -> None:
        """Let time pass; timers run out as in a lobby."""
        end = self.time + seconds
        timers, at_once = self.table.timers, 0
        while (due := timers.deadline) <= end and not self.closed:
            at_once = at_once + 1 if due <= self.time else 0
            assert at_once < 10, "endless timers"
            self.time = max(self.time, due)
            self._perform(self.table.time_up(timers.take_due()))
        self.time = end

    @abstractmethod
    def _perform(self, effects: Effects) -> None: ...
