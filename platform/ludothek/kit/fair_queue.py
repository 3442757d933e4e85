"""A queue in which nobody gets ahead by queueing more often."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class FairQueue(Generic[T]):
    """One line for each key; the lines take turns, and each has a limit."""

    def __init__(self, most: int, most_per_key: int) -> None:
        self._most = most
        self._most_per_key = most_per_key
        self._lines: OrderedDict[Hashable, list[T]] = OrderedDict()  # in the order of their turns
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[T]:
        return iter([item for line in self._lines.values() for item in line])

    def put(
        self,
        key: Hashable,
        item: T,
        *,
        limited: bool = True,
        ready: Callable[[T], bool] = lambda item: True,
    ) -> T | None:
        """Add an item; returns the item that is dropped for it, if any.

        If the key's line is too long, its last item is dropped; if the queue is full, the last of
        the longest line, so that a key with a single item always finds room. A line that is not
        `limited` may fill the whole queue. Items that are not `ready` are dropped first: they may
        have to wait long, and must not take the room of those that are taken soon.
        """
        line = self._lines.setdefault(key, [])
        line.append(item)
        self._size += 1
        if limited and len(line) > self._most_per_key:
            return self._drop_last(key, ready)
        if self._size > self._most:
            longest = max(self._lines, key=lambda key: len(self._lines[key]))
            return self._drop_last(longest, ready)
        return None

    def discard(self, key: Hashable, item: T) -> None:
        """Remove an item, if it is queued."""
        line = self._lines.get(key, [])
        if item in line:
            line.remove(item)
            self._shrink(key, line)

    def take(
        self, ready: Callable[[T], bool], served: Callable[[Hashable], bool] = lambda key: True
    ) -> T | None:
        """Remove the first item that is ready, from the line whose turn it is.

        A line that is not `served` now is skipped, and keeps its turn.
        """
        for key, line in self._lines.items():
            if not served(key):
                continue
            for item in line:
                if ready(item):
                    line.remove(item)
                    self._lines.move_to_end(key)
                    self._shrink(key, line)
                    return item
        return None

    def _drop_last(self, key: Hashable, ready: Callable[[T], bool]) -> T:
        line = self._lines[key]
        place = next((n for n in reversed(range(len(line))) if not ready(line[n])), -1)
        last = line.pop(place)
        self._shrink(key, line)
        return last

    def _shrink(self, key: Hashable, line: list[T]) -> None:
        self._size -= 1
        if not line:
            del self._lines[key]
