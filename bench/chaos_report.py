"""The results of a chaos run: figures, and the promises that they keep or break."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from bench.chaos_killer import Restart
from bench.drawing import number
from bench.environment import sentence
from bench.measure import percentile
from bench.report import table

# Lines about what is wrong, and characters at the beginning and end of each: the JSON has all.
LINES, WIDTH = 40, 400


@attrs.frozen(kw_only=True)
class Chaos:
    """All that was seen."""

    environment: Mapping[str, str]
    seed: int
    seconds: float
    every: float
    lobbies: int
    clients: int
    kills: int
    early: int  # of these, before a new process had said anything
    pauses: Sequence[float]  # seconds from a kill to the first byte that somebody hears
    restarts: Sequence[Restart]
    begun: Mapping[str, int]  # matches by game
    ended: Mapping[str, int]
    faults: Mapping[str, str]  # by match
    differences: Sequence[str]
    compared: int  # accounts of a match that agree with another one
    gaps: Sequence[str]
    loose_ends: Sequence[str]
    heard: int  # messages
    said: int
    organiser_pauses: int
    refusals: int  # moves that met a pause, and were made again
    results: Mapping[str, int] | None  # lines of the results file by game; None: unknown
    crashes: Sequence[str]
    log_errors: Sequence[str]
    exit_code: int | None

    def promises(self) -> Mapping[str, bool]:
        """Each promise, and whether it was kept."""
        promises = {
            "Every match that began ended, with the same result for all": not self.faults,
            "Matches ended in every game": all(self.ended.get(game) for game in self.begun),
            "No connection was closed, no byte was lost or doubled": not (
                self.gaps or self.loose_ends
            ),
            "All who took part in a match heard the same": not self.differences,
        }
        if self.every:
            promises["Everything was carried over at every restart"] = all(
                restart.whole for restart in self.restarts
            )
            promises["The daemon was killed and came back"] = bool(self.kills and self.pauses)
        if self.results is not None:
            promises["Every result was recorded once"] = not self.unrecorded
            promises["Nothing crashed"] = not (self.crashes or self.log_errors)
            promises["The drained daemon exited by itself"] = self.exit_code == 0
        return promises

    @property
    def unrecorded(self) -> Mapping[str, int]:
        """Matches that are missing in the results file, or too many there, by game."""
        surplus = Counter(self.results or {})
        surplus.subtract(self.ended)
        return {game: count for game, count in surplus.items() if count}

    def raw(self) -> dict[str, Any]:
        return attrs.asdict(self) | {"promises": self.promises()}

    def text(self) -> str:
        return "\n\n".join(filter(None, self._parts()))

    def _parts(self) -> Iterator[str]:
        yield sentence(dict(self.environment))
        yield (
            f"{self.seconds:.0f} seconds with {self.lobbies} lobbies of each game and "
            f"{self.clients} clients, seed {self.seed}: {self.kills} times SIGKILL, "
            f"{sum(self.ended.values())} matches."
        )
        yield table(("promise", "kept?"), [(p, _yes(kept)) for p, kept in self.promises().items()])
        yield table(("figure", "value"), self._figures())
        rows = [(g, str(n), str(self.ended.get(g, 0))) for g, n in sorted(self.begun.items())]
        yield table(("game", "matches begun", "ended"), rows)
        yield self._details()

    def _figures(self) -> Iterator[tuple[str, str]]:
        yield "kills / before anything was heard of a new process", f"{self.kills} / {self.early}"
        if self.pauses:
            yield "clients hear nothing, p50 / p99 / max, s", _times(self.pauses)
        if self.restarts:
            own = [restart.pause for restart in self.restarts]
            yield "nobody is served, as the daemon says, p50 / p99 / max, s", _times(own)
            yield "matches carried over", _shares([each.matches for each in self.restarts])
            yield "connections carried over", _shares([each.connections for each in self.restarts])
        yield "messages heard / said", f"{self.heard:,} / {self.said:,}"
        yield "accounts of a match that agree with another one", str(self.compared)
        yield (
            "pauses by the organiser / moves that met a pause",
            (f"{self.organiser_pauses} / {self.refusals}"),
        )

    def _details(self) -> str:
        """What is wrong, one line each."""
        lines = [f"{match}: {fault}" for match, fault in self.faults.items()]
        lines = [*map(_short, self.gaps), *self.differences, *lines, *self.loose_ends]
        lines += [f"results of {game}: {count:+}" for game, count in self.unrecorded.items()]
        lines += [f"restart: {each}" for each in self.restarts if not each.whole]
        lines += [*self.crashes, *self.log_errors]
        return "\n".join(f"- {line[: 2 * WIDTH]}" for line in lines[:LINES])


def _short(line: str) -> str:
    """Without the middle of a long line, since the last bytes matter most."""
    return line if len(line) <= 2 * WIDTH else f"{line[: WIDTH - 5]} […] {line[-WIDTH:]}"


def _times(seconds: Sequence[float]) -> str:
    shares = (percentile(seconds, share) for share in (0.5, 0.99))
    return " / ".join(number(value) for value in (*shares, max(seconds)))


def _shares(pairs: Sequence[tuple[int, int]]) -> str:
    return f"{sum(carried for carried, _ in pairs)} of {sum(every for _, every in pairs)}"


def _yes(kept: bool) -> str:
    return "yes" if kept else "**no**"
