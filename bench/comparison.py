"""All results of a comparison, and how they are reported."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import attrs

from bench.contenders import OURS
from bench.drawing import Bar, bars, number
from bench.environment import sentence
from bench.measure import Figure
from bench.report import draw, put, spread, table
from bench.trial import EchoTrial, MemoryTrial, SpeedTrial, Stretch

# The marked places of a page that results go to.
MARKS = ("environment", "speed", "memory", "echo")

T = TypeVar("T", SpeedTrial, MemoryTrial, EchoTrial)

# Beyond this share of its core the load may have slowed down the server.
LOAD_BOUND = 0.9


@attrs.define
class Comparison:
    """Trials of all servers, in the order in which they were made."""

    environment: dict[str, str]
    short: bool = False  # only to see whether it works
    speed: list[SpeedTrial] = attrs.field(factory=list)
    memory: list[MemoryTrial] = attrs.field(factory=list)
    echo: list[EchoTrial] = attrs.field(factory=list)

    def add(self, trial: SpeedTrial | MemoryTrial | EchoTrial | None) -> None:
        match trial:
            case SpeedTrial():
                self.speed.append(trial)
            case MemoryTrial():
                self.memory.append(trial)
            case EchoTrial():
                self.echo.append(trial)

    def raw(self) -> dict[str, Any]:
        return attrs.asdict(self)

    def text(self) -> str:
        """All tables."""
        parts = [sentence(self.environment), *self._speeds(), self._memory(), self._echo()]
        return "\n\n".join([*filter(None, parts), *self._warning()])

    def write(self, page: Path) -> None:
        """Put tables and drawings into the marked places of a page."""
        drawings = [draw(page, *drawing) for drawing in self._drawings()]
        environment = [sentence(self.environment), *self._warning()]
        put(page, "environment", "\n\n".join(environment))
        put(page, "speed", "\n\n".join([*self._speeds(), *drawings[:2]]))
        put(page, "memory", "\n\n".join([self._memory(), *drawings[2:]]))
        put(page, "echo", self._echo())

    def _sizes(self) -> Sequence[int]:
        return sorted({trial.games for trial in self.speed})

    def _warning(self) -> Iterator[str]:
        """Reasons to doubt the results."""
        if self.short:
            yield "A short run: servers on Node had no time to become as fast as they can be."
        stretches = [(t.server, t.full) for t in self.speed] + [
            (t.server, t.full) for t in self.echo
        ]
        if slow := sorted({server for server, s in stretches if s.load_share > LOAD_BOUND}):
            yield f"The load was the bottleneck, not the server, for: {', '.join(slow)}."

    def _speeds(self) -> Sequence[str]:
        return [f"{games} matches at once:\n\n{self._speed(games)}" for games in self._sizes()]

    def _speed(self, games: int) -> str:
        rows = []
        trials = _by_server([trial for trial in self.speed if trial.games == games])
        ours = _per_cpu_second(trials[OURS]).median if OURS in trials else 0
        for server, made in trials.items():
            moves = _per_cpu_second(made)
            ratio = f"{ours / moves.median:.2f}" if ours else ""
            loads = (_times(made, lambda t: t.full), _times(made, lambda t: t.half))
            cpu = _median(made, lambda t: t.full.cpu_micros)
            rate = _median(made, lambda t: t.full.rate)
            rows.append((server, spread(moves), ratio, number(cpu), number(rate), *loads))
        header = (
            "server",
            "moves per CPU second",
            f"{OURS} ÷ it",
            "CPU µs per move",
            "moves/s",
            "full load: p50 / p99 ms",
            "half load: p50 / p99 ms",
        )
        return table(header, rows)

    def _memory(self) -> str:
        rows = [
            (
                server,
                spread(Figure.of([trial.idle_kib for trial in made])),
                spread(Figure.of([trial.match_kib for trial in made])),
            )
            for server, made in _by_server(self.memory).items()
        ]
        header = ("server", "KiB per idle connection", "KiB per match with its two connections")
        return table(header, rows)

    def _echo(self) -> str:
        trials = _by_server(self.echo)
        floors = {
            kind: _median(trials[name], lambda t: t.full.cpu_micros)
            for kind, name in (("lines", "C, lines"), ("", "C, WebSocket"))
            if name in trials
        }
        rows = []
        for server, made in trials.items():
            cpu = Figure.of([trial.full.cpu_micros for trial in made])
            floor = floors.get("lines" if server.endswith("lines") else "")
            ratio = f"{cpu.median / floor:.2f}" if floor else ""
            idle = number(_median(made, lambda t: t.idle_kib))
            rows.append((server, spread(cpu), ratio, _times(made, lambda t: t.full), idle))
        header = ("server", "CPU µs per message", "÷ C", "p50 / p99 ms", "KiB per idle connection")
        return table(header, rows)

    def _drawings(self) -> Sequence[tuple[str, str]]:
        """Names and drawings, for the largest number of matches."""
        games = max(self._sizes())
        speed = _by_server([trial for trial in self.speed if trial.games == games])
        moves = [Bar(name, _per_cpu_second(made), name == OURS) for name, made in speed.items()]
        late = [
            Bar(name, Figure.of([trial.half.p99 for trial in made]), name == OURS)
            for name, made in speed.items()
        ]
        memory = [
            Bar(name, Figure.of([trial.match_kib for trial in made]), name == OURS)
            for name, made in _by_server(self.memory).items()
        ]
        return [
            ("compare-moves", bars(f"Moves per second of server CPU, {games} matches", moves)),
            ("compare-p99", bars("Move until the opponent sees it, p99 at half load, ms", late)),
            ("compare-memory", bars("Memory per match with its two connections, KiB", memory)),
        ]


def _by_server(trials: Sequence[T]) -> dict[str, list[T]]:
    found: dict[str, list[T]] = {}
    for trial in trials:
        found.setdefault(trial.server, []).append(trial)
    return found


def _per_cpu_second(trials: Sequence[SpeedTrial]) -> Figure:
    return Figure.of([1e6 / trial.full.cpu_micros for trial in trials])


def _median(trials: Sequence[T], what: Callable[[T], float]) -> float:
    return Figure.of([what(trial) for trial in trials]).median


def _times(trials: Sequence[T], load: Callable[[T], Stretch]) -> str:
    p50, p99 = _median(trials, lambda t: load(t).p50), _median(trials, lambda t: load(t).p99)
    return f"{number(p50)} / {number(p99)}"
