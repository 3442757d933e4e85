"""A queue in which nobody gets ahead by coming more often."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class FairQueue(Generic[T]):
    """One line for each key; the lines take turns, and each has a limit."""

    def __init__(self, most: int, most_per_key: int) -> None:
        self._most = most
        self._most_per_key = most_per_key
        self._lines: OrderedDict[Hashable, list[T]] = OrderedDict()  # the next in turn first
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
        """Line up; returns who has no place any more: nobody, or the last of a line too long.

        When all places are taken it is the last of the longest line, so that whoever comes alone
        always finds one. A line may be as long as all together where it is not `limited`. Those
        who are not `ready` go first: they may have to wait long, and must not fill the places of
        those who would be gone in a moment.
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
        """Leave the line, if it is in it."""
        line = self._lines.get(key, [])
        if item in line:
            line.remove(item)
            self._shrink(key, line)

    def take(
        self, ready: Callable[[T], bool], served: Callable[[Hashable], bool] = lambda key: True
    ) -> T | None:
        """The first one that is ready, of the line whose turn it is.

        A line that is not `served` now is passed over, and keeps its turn.
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
