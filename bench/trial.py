"""A trial of one server: a fresh process, memory first, then full load, then half of it."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import attrs

from bench.connections import Connection
from bench.contenders import Contender, Echo, Load
from bench.disturbance import Interval, watching
from bench.load import Group, Script, Step, Taken, replay
from bench.measure import Server, percentile

# Moves that every match has made when its memory is measured.
OPENING = 20
PATIENCE = 60.0

# As long as a Hexxagon move.
MESSAGE = b'{"messageType":"Echo","text":"' + b"x" * 130 + b'"}'
FOR_EVER = 2**60


@attrs.frozen
class Effort:
    """How long a trial takes."""

    warm_up: int  # moves that do not count: servers on Node get faster as they are compiled
    seconds: float  # under full load, and again under half load


@attrs.frozen(kw_only=True)
class Stretch:
    """What a server did under a load."""

    steps: int
    rate: float  # steps per second
    cpu_micros: float  # of the server, per step
    p50: float  # milliseconds
    p99: float
    disturbed: float  # share of the time in which others had the server's core or the load's
    load_share: float  # of its core that the load used; near 1 it was the bottleneck


@attrs.frozen(kw_only=True)
class SpeedTrial:
    """How fast one server played a number of matches at once."""

    server: str
    games: int
    full: Stretch
    half: Stretch

    @property
    def disturbed(self) -> float:
        return max(self.full.disturbed, self.half.disturbed)


@attrs.frozen(kw_only=True)
class MemoryTrial:
    """How much a server grew with what was added."""

    server: str
    idle_kib: float  # per idle connection
    match_kib: float  # per running match with its two connections

    @property
    def disturbed(self) -> float:
        return 0.0  # other processes do not change memory figures


@attrs.frozen(kw_only=True)
class EchoTrial:
    """What one echo server did in one trial."""

    server: str
    connections: int
    full: Stretch
    idle_kib: float

    @property
    def disturbed(self) -> float:
        return self.full.disturbed


def try_speed(contender: Contender, games: int, effort: Effort, seed: int) -> SpeedTrial:
    with playing(contender, seed) as (server, load):
        load.connect(2 * games)
        warm_up(load, effort.warm_up)
        full = under_load(server, load, effort.seconds)
        half = under_load(server, load, effort.seconds, rate=full.rate / 2)
    return SpeedTrial(server=contender.name, games=games, full=full, half=half)


def try_memory(contender: Contender, few: int, many: int, seed: int) -> MemoryTrial:
    """Measure growth from a few matches, so that one-time allocations do not count."""
    with playing(contender, seed) as (server, load):
        load.connect(2 * few)
        idle = -server.memory()
        load.connect(2 * (many - few))
        idle += server.memory()
    with playing(contender, seed) as (server, load):
        match = 0
        for sign, games in ((-1, few), (1, many - few)):
            load.connect(2 * games)
            load.deal()
            load.play(seconds=PATIENCE, moves=OPENING)
            match += sign * server.memory()
    return MemoryTrial(
        server=contender.name,
        idle_kib=idle / (2 * (many - few)),
        match_kib=match / (many - few),
    )


@contextmanager
def playing(contender: Contender, seed: int) -> Iterator[tuple[Server, Load]]:
    with contender.start() as server:
        load = contender.load(server.port, seed)
        try:
            yield server, load
        finally:
            load.close()


def warm_up(load: Load, moves: int) -> None:
    """Play until compilers and caches are warm, but not forever."""
    end = time.monotonic() + PATIENCE
    while moves > 0 and time.monotonic() < end:
        load.deal()
        moves -= load.play(seconds=PATIENCE / 10).steps
        load.leave()


def under_load(server: Server, load: Load, seconds: float, rate: float = 0) -> Stretch:
    """Play match after match; only the moves count, not what is between the matches."""
    meter = Meter(server, load.pid)
    while meter.seconds < 0.9 * seconds:
        load.deal()
        left = seconds - meter.seconds
        meter.read(lambda: load.play(rate=rate, seconds=left))  # noqa: B023
        load.leave()
    return meter.stretch()


class Meter:
    """Adds up what a server does."""

    def __init__(self, server: Server, load: int | None = None) -> None:
        self._server = server
        self._load = load
        self._steps = 0
        self._busy = 0.0
        self._watched = Interval()
        self._micros: list[float] = []
        self.seconds = 0.0

    def read(self, play: Callable[[], Taken]) -> None:
        with watching(self._server, self._load) as interval:
            taken = play()
        self._watched += interval
        self._busy += taken.busy
        self._steps += taken.steps
        self._micros += taken.micros
        self.seconds += taken.seconds

    def stretch(self) -> Stretch:
        return Stretch(
            steps=self._steps,
            rate=self._steps / self.seconds,
            cpu_micros=self._watched.cpu / self._steps * 1e6,
            p50=percentile(self._micros, 0.5) / 1e3,
            p99=percentile(self._micros, 0.99) / 1e3,
            disturbed=self._watched.disturbed,
            load_share=self._busy / self.seconds,
        )


def try_echo(echo: Echo, connections: int, effort: Effort) -> EchoTrial:
    with echo.start() as server:
        empty = server.memory()
        peers = [echo.connect(server.port) for _ in range(connections)]
        try:
            _say_and_hear(peers)
            idle = server.memory()
            script = Script([Step(0, MESSAGE)], FOR_EVER)
            groups = [Group([peer], [b""], script) for peer in peers]
            replay(groups, MESSAGE, seconds=effort.seconds / 2)
            meter = Meter(server)
            meter.read(lambda: replay(groups, MESSAGE, seconds=effort.seconds))
        finally:
            for peer in peers:
                peer.socket.close()
    return EchoTrial(
        server=echo.name,
        connections=connections,
        full=meter.stretch(),
        idle_kib=(idle - empty) / connections,
    )


def _say_and_hear(peers: list[Connection]) -> None:
    for peer in peers:
        peer.send(MESSAGE)
    for peer in peers:
        peer.receive()
