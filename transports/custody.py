"""Connections in the store: the next process gets their descriptors if this one dies."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Protocol

from transports.link_names import link_number, store_name
from transports.promise import Promise


class DescriptorStore(Protocol):
    """Keeps descriptors for the next process."""

    def put(self, name: str, descriptor: int, /) -> object: ...

    def remove(self, name: str) -> None: ...


class Custody:
    """Gives connections their numbers, and has the store keep them as long as they last."""

    __slots__ = ("_accepted", "_kept", "_promise", "_store", "last")

    def __init__(
        self, store: DescriptorStore, promise: Promise, names: Iterable[str], last: int
    ) -> None:
        """`names` are those of the descriptors that we have inherited."""
        self._store = store
        self._promise = promise
        self._kept = set(map(link_number, names)) - {0}
        self._accepted: dict[int, int] = {}  # numbers of those that are not admitted yet
        self.last = max(last, *self._kept, 0)  # the highest number that a link has had

    def admit(self, fd: int, number: int = 0) -> int:
        """Have a connection kept that nothing was read from yet; returns its number.

        `number` is that of a connection which an earlier process has accepted.
        """
        if not number and (number := self._accepted.pop(fd, 0)):
            return number
        if not number:
            self.last += 1
            number = self.last
        if self._promise.given:
            self.keep(number, fd)
        return number

    def accepted(self, fd: int) -> None:
        """A connection was accepted just now; it is admitted in a moment, and kept until then."""
        self._accepted.pop(fd, None)  # of one that nobody has admitted
        self._accepted[fd] = self.admit(fd)

    def keep(self, number: int, fd: int) -> None:
        """Have the descriptor kept of a connection that was admitted, unless it is."""
        # One that cannot be kept ends with the process, as it would without us.
        if number not in self._kept:
            with suppress(OSError):
                self._store.put(store_name(number), fd)
                self._kept.add(number)

    def forget(self, number: int) -> None:
        """A connection that was admitted is over."""
        if number in self._kept:
            self._kept.remove(number)
            with suppress(OSError):
                self._store.remove(store_name(number))
