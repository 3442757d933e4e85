"""The results of a soak: figures, and the promises that they keep or break."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import linear_regression
from typing import Any

import attrs

from bench.disturbance import TOLERATED
from bench.drawing import number
from bench.environment import sentence
from bench.measure import percentile
from bench.report import table

# Growth of memory per minute, as a share, that a fit over few samples may show by chance.
GROWTH = 0.01

# Seconds that are enough to measure growth.
ENOUGH = 120.0

LAG_P99 = 0.1  # seconds


@attrs.frozen
class Sample:
    """The state of the daemon at one moment."""

    second: float  # since the beginning
    rss: float  # MiB
    cpu: float  # seconds so far


@attrs.frozen(kw_only=True)
class Soak:
    """All that was measured."""

    environment: Mapping[str, str]
    seconds: float
    warm: float  # seconds at the beginning that do not count
    lobbies: int
    matches: Mapping[str, int]  # that ended, by game
    begun: Mapping[str, int]
    faults: Mapping[str, str]
    accidents: Sequence[str]
    crashes: Mapping[str, int]  # by what crashed
    crash_reports: Sequence[str]
    log_errors: Sequence[str]
    log_warnings: Mapping[str, int]
    write_failures: int
    missing_replays: int  # of the latest that should be there
    missing_results: int  # matches without a line in the results file
    unreported: int  # crash reports and lines of the log that were lost
    unanswered: int  # requests for metrics that the daemon did not answer in time
    exit_code: int | None
    samples: Sequence[Sample]
    lag_p50: float  # seconds
    lag_p99: float
    lag_max: float
    messages_in: float  # per second
    messages_out: float
    drops: Mapping[str, int]
    attacks: Mapping[str, int]
    sent_away: Mapping[str, int]
    endured: Mapping[str, int]
    strangers: int  # clients that were still connected after the attackers had gone
    bots_share: float  # of their core
    disturbed: float

    @property
    def settled(self) -> Sequence[Sample]:
        return [sample for sample in self.samples if sample.second >= self.warm]

    @property
    def growth(self) -> float:
        """MiB per minute, without the warm-up."""
        return _slope(self.settled)

    @property
    def late_growth(self) -> float:
        """MiB per minute in the second half. Memory has to grow until the longest matches have
        ended for the first time and left their replays behind; a leak goes on after that."""
        return _slope([each for each in self.settled if each.second >= self.seconds / 2])

    @property
    def load(self) -> float:
        """Share of its core that the daemon used."""
        first, last = self.settled[0], self.settled[-1]
        return (last.cpu - first.cpu) / max(last.second - first.second, 1e-9)

    def promises(self) -> Mapping[str, bool]:
        """Each promise, and whether it was kept."""
        rss = percentile([sample.rss for sample in self.settled], 0.5)
        promises = {
            "Nothing crashed": not (self.crashes or self.crash_reports or self.log_errors),
            "No player lost its connection": not self.accidents,
            "Every match that began ended, with the same result for both": not self.faults,
            "Matches ended in every game": all(self.matches.get(g) for g in self.begun),
            "Every replay was kept": not (self.write_failures or self.missing_replays),
            "Every result was recorded; no crash report or log line was lost": not (
                self.missing_results or self.unreported
            ),
            "No attacker was left after they had disconnected": self.strangers == 0,
            "The drained daemon exited by itself": self.exit_code == 0,
        }
        if self.seconds - self.warm >= ENOUGH:
            promises["Memory did not grow in the second half"] = self.late_growth <= GROWTH * rss
        if self.disturbed <= TOLERATED:
            promises["The event loop was rarely late (p99)"] = self.lag_p99 <= LAG_P99
        return promises

    def raw(self) -> dict[str, Any]:
        figures = {"growth": self.growth, "late_growth": self.late_growth, "load": self.load}
        return attrs.asdict(self) | {"promises": self.promises()} | figures

    def text(self) -> str:
        return "\n\n".join(filter(None, self._parts()))

    def _parts(self) -> Iterator[str]:
        yield sentence(dict(self.environment))
        yield (
            f"{self.seconds:.0f} seconds, {self.lobbies} lobbies of each game at once, "
            f"{sum(self.matches.values())} matches; figures are from second {self.warm:.0f} on."
        )
        yield table(("promise", "kept?"), [(p, _yes(kept)) for p, kept in self.promises().items()])
        yield table(("figure", "value"), self._figures())
        rows = [(g, str(n), str(self.matches.get(g, 0))) for g, n in self.begun.items()]
        yield table(("game", "matches begun", "ended"), rows)
        yield table(("attack", "attempts", "disconnected by the server"), self._attacks())
        drops = [(reason, str(count)) for reason, count in sorted(self.drops.items())]
        yield table(("disconnected for", "clients"), drops)
        yield self._details()

    def _figures(self) -> Sequence[tuple[str, str]]:
        memory = [sample.rss for sample in self.settled]
        return [
            ("daemon's share of its core", f"{self.load:.0%}"),
            ("players' and attackers' share of theirs", f"{self.bots_share:.0%}"),
            ("messages in / out per second", f"{self.messages_in:.0f} / {self.messages_out:.0f}"),
            (
                "loop lag p50 / p99 / max, ms",
                " / ".join(number(v * 1e3) for v in (self.lag_p50, self.lag_p99, self.lag_max)),
            ),
            ("unanswered requests of the organiser", str(self.unanswered)),
            ("memory min / max, MiB", f"{min(memory):.1f} / {max(memory):.1f}"),
            ("memory growth per minute, MiB", f"{self.growth:+.2f}"),
            ("memory growth per minute in the second half, MiB", f"{self.late_growth:+.2f}"),
        ]

    def _attacks(self) -> Iterator[tuple[str, str, str]]:
        for kind, count in self.attacks.items():
            yield kind, str(count), str(self.sent_away.get(kind, "(they leave)"))

    def _details(self) -> str:
        """What is wrong, one line each."""
        lines = [f"{key}: {fault}" for key, fault in self.faults.items()]
        lines += [*self.accidents, *self.crash_reports, *self.log_errors]
        lines += [f"{event} ({count} times)" for event, count in self.log_warnings.items()]
        if self.missing_replays or self.write_failures:
            lines.append(f"replays: {self.missing_replays} missing, {self.write_failures} failed")
        if self.missing_results or self.unreported:
            lines.append(f"results: {self.missing_results}, reports: {self.unreported} missing")
        if self.strangers:
            lines.append(f"{self.strangers} attackers are still there")
        lines += [f"not sent away: {kind}, {count} times" for kind, count in self.endured.items()]
        return "\n".join(f"- {line[:300]}" for line in lines[:40])


def _slope(samples: Sequence[Sample]) -> float:
    """Growth of memory per minute, by linear fit."""
    if len(samples) < 2:
        return 0.0
    minutes = [sample.second / 60 for sample in samples]
    return linear_regression(minutes, [sample.rss for sample in samples]).slope


def _yes(kept: bool) -> str:
    return "yes" if kept else "**no**"
