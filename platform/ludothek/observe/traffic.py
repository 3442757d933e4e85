"""Counters of the traffic of one endpoint, cheap enough to be always on."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from transports import Complaint

# Seconds. Handling a message takes some ten microseconds; a second would be a bug.
HANDLING_BOUNDS = (
    *(25e-6, 50e-6, 100e-6, 250e-6, 500e-6),
    *(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0),
)


class Histogram:
    """Counts durations: one bucket per upper bound, and one for everything longer."""

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def observe(self, seconds: float) -> None:
        self.counts[bisect_left(self.bounds, seconds)] += 1
        self.total += seconds


class Traffic:
    """The counters of one endpoint.

    Plain numbers that only increase, in the event loop; a rate is the difference of two readings.
    """

    __slots__ = (
        "bytes_in",
        "bytes_out",
        "connections",
        "crashes",
        "drops",
        "frames_in",
        "frames_out",
        "handling",
        "results_left_out",
    )

    def __init__(self) -> None:
        self.frames_in = 0
        self.bytes_in = 0
        self.frames_out = 0
        self.bytes_out = 0
        self.connections = 0
        self.crashes = 0  # of connections; a hall counts those of its lobbies
        self.results_left_out = 0  # matches that were not recorded
        self.drops = Counter({complaint.key: 0 for complaint in Complaint})
        self.handling = Histogram(HANDLING_BOUNDS)


def quantile(share: float, bounds: Sequence[float], counts: Sequence[int]) -> float | None:
    """A quantile of a histogram, as precisely as its bounds allow; None if it is empty.

    Durations are assumed to be uniform between two bounds; longer ones count as the last bound.
    """
    rank = share * sum(counts)
    if not rank:
        return None
    lower = 0.0
    for bound, count in zip(bounds, counts, strict=False):
        if count >= rank:
            return lower + (bound - lower) * rank / count
        rank -= count
        lower = bound
    return lower
