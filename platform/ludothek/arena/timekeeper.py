"""Measures at the server how long players take for their decisions."""

from collections.abc import Hashable, Iterable
from math import ceil, inf

from ludothek.arena.outcome import Thinking
from ludothek.contract.table import Awaited


class Timekeeper:
    """The clock of a match: it runs for everybody for whom the table waits.

    It looks after each step. A decision takes from the step that asks for it to the step in which
    the answer arrives, or in which the table stops waiting for it.
    """

    def __init__(self) -> None:
        self.before: Awaited = {}  # for whom the table waited before the latest step
        self._awaited: Awaited = {}
        self._open: dict[int, tuple[Hashable, float]] = {}  # decisions, and since when
        self._taken: dict[int, list[float]] = {}  # seconds, by number of client

    def look(self, awaited: Awaited, now: float) -> None:
        """The table waits for these from now on."""
        self.before, self._awaited = self._awaited, awaited
        for number in [*self._open]:
            what, since = self._open[number]
            if awaited.get(number) != what:
                self._taken.setdefault(number, []).append(now - since)
                del self._open[number]
        for number, what in awaited.items():
            if number not in self._open:
                self._open[number] = what, now

    def waited(self, number: int, now: float) -> float:
        """For how many seconds the table has waited for a client."""
        return now - self._open[number][1] if number in self._open else 0.0

    def total(self, number: int, now: float) -> float:
        """How long a client has thought in all, until now."""
        return sum(self._taken.get(number, ())) + self.waited(number, now)

    def due(self, numbers: Iterable[int], seconds: float) -> float:
        """When the first of these clients will have thought for that many seconds."""
        since = [self._open[each][1] for each in numbers if each in self._open]
        return min(since, default=inf) + seconds

    def thinking(self, number: int) -> Thinking:
        """How long a client took for its decisions."""
        taken = sorted(self._taken.get(number, ()))
        if not taken:
            return Thinking()
        return Thinking(
            moves=len(taken),
            p50=_quantile(taken, 0.5),
            p99=_quantile(taken, 0.99),
            longest=taken[-1],
            total=sum(taken),
        )


def _quantile(ordered: list[float], part: float) -> float:
    """The smallest of these that at least that part of them does not exceed."""
    return ordered[ceil(part * len(ordered)) - 1]
