"""How the daemon's cost per move and its memory grow with the number of matches and connections.

    python -m bench.scaling --write docs/performance.md --json results.json

One daemon gets more and more Hexxagon matches, all of them played at full load. Then one for each
transport (Hexxagon: WebSocket, Qwirkle: lines) gets more and more clients that only log in.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import NamedTemporaryFile

import attrs
import click

from bench.connections import Connection, LineConnection, WebSocketConnection
from bench.contenders import daemon
from bench.disturbance import Disturbed, undisturbed, watching
from bench.drawing import curves, number
from bench.environment import environment, sentence
from bench.hexxagon_load import HexxagonLoad
from bench.measure import LOAD_CORE, Server, allow_files
from bench.report import check, draw, put, table
from bench.trial import PATIENCE, Meter, Stretch

MATCHES = (10, 100, 1000, 5000)
CONNECTIONS = (100, 1000, 5000, 10_000)
# Moves of each match before its memory is measured; with 5000 matches more would take too long.
OPENING = 5
# Moves of all matches together that are played at once, if these are more.
MOVES = 10_000
# Files that a process has open besides its connections.
OTHER_FILES = 100
IDLE_SECONDS = 2.0
# In TOML. A match is a lobby and two connections.
LIMITS = "{ max_connections = 20000, max_lobbies = 10000 }"

QWIRKLE_LOGIN = b'{"uniqueID":100,"clientName":"Bench","clientType":"PLAYER"}'


@attrs.frozen(kw_only=True)
class Crowd:
    """A number of matches at once."""

    matches: int
    cpu_micros: float  # of the daemon, per move
    rate: float
    p50: float
    p99: float
    match_kib: float  # per match added since the previous size


@attrs.frozen(kw_only=True)
class Silence:
    """A number of idle connections."""

    transport: str
    connections: int
    idle_kib: float  # per connection added since the previous size
    cpu_share: float  # of a core, while all are idle


@attrs.frozen
class Scaling:
    """All results, and how they are reported."""

    environment: dict[str, str]
    crowds: Sequence[Crowd]
    silences: Sequence[Silence]
    note: str

    def write(self, page: Path) -> None:
        put(page, "scaling", "\n\n".join([self.text(), *self._drawings(page)]))

    def text(self) -> str:
        parts = (sentence(self.environment), self._crowds(), self._silences(), self.note)
        return "\n\n".join(filter(None, parts))

    def _crowds(self) -> str:
        header = (
            "matches",
            "CPU µs per move",
            "moves/s",
            "full load: p50 / p99 ms",
            "KiB per further match",
        )
        rows = [
            (
                f"{crowd.matches:,}",
                number(crowd.cpu_micros),
                number(crowd.rate),
                f"{number(crowd.p50)} / {number(crowd.p99)}",
                number(crowd.match_kib),
            )
            for crowd in self.crowds
        ]
        return table(header, rows)

    def _silences(self) -> str:
        header = ("idle connections", "transport", "KiB per further connection", "CPU while idle")
        rows = [
            (
                f"{silence.connections:,}",
                silence.transport,
                number(silence.idle_kib),
                f"{silence.cpu_share:.2%}",
            )
            for silence in self.silences
        ]
        return table(header, rows)

    def _drawings(self, page: Path) -> Iterator[str]:
        cost = {"CPU µs": {crowd.matches: crowd.cpu_micros for crowd in self.crowds}}
        yield draw(page, "scaling-cpu", curves("Server CPU per move, µs", "matches", cost))
        lines = {"match": {crowd.matches: crowd.match_kib for crowd in self.crowds}}
        for silence in self.silences:
            line = lines.setdefault(f"idle, {silence.transport}", {})
            line[silence.connections] = silence.idle_kib
        title = "Memory per further match or idle connection, KiB"
        yield draw(page, "scaling-memory", curves(title, "matches or connections", lines))


@contextmanager
def spacious(game: str) -> Iterator[Server]:
    """A daemon with larger limits than the default ones."""
    with NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(f'limits = {LIMITS}\n[[host]]\ngame = "{game}"\nport = 0\n')
        file.flush()
        with daemon("--config", file.name) as server:
            yield server


def crowd(sizes: Sequence[int], seconds: float, seed: int, *, lenient: bool) -> Iterator[Crowd]:
    """Matches in one daemon, in growing numbers."""
    with spacious("hexxagon") as server:
        load = HexxagonLoad(server.port, WebSocketConnection.open, seed)
        before, memory = 0, server.memory()
        for size in sizes:
            load.connect(2 * (size - before))
            load.deal()
            load.play(seconds=PATIENCE, moves=OPENING)
            grown = server.memory()
            load.leave()
            play = partial(_play, server, load, seconds, max(OPENING, MOVES // size))
            stretch = undisturbed(f"{size} matches", play, lenient=lenient)
            yield Crowd(
                matches=size,
                cpu_micros=stretch.cpu_micros,
                rate=stretch.rate,
                p50=stretch.p50,
                p99=stretch.p99,
                match_kib=(grown - memory) / (size - before),
            )
            before, memory = size, grown
        load.close()


def _play(server: Server, load: HexxagonLoad, seconds: float, moves: int) -> Stretch:
    """Play that many moves of every match, repeatedly if there is time."""
    meter = Meter(server, load.pid)
    while meter.seconds < seconds:
        load.deal()
        meter.read(lambda: load.play(seconds=PATIENCE, moves=moves))
        load.leave()
    return meter.stretch()


def hexxagon_guest(port: int) -> Connection:
    connection = WebSocketConnection.open(port)
    connection.receive()
    return connection


def qwirkle_guest(port: int) -> Connection:
    connection = LineConnection.open(port)
    connection.send(QWIRKLE_LOGIN)
    connection.receive()
    return connection


def silence(
    transport: str, game: str, enter: Callable[[int], Connection], sizes: Sequence[int]
) -> Iterator[Silence]:
    """Connections to one daemon, in growing numbers."""
    with spacious(game) as server:
        guests: list[Connection] = []
        memory = server.memory()
        for size in sizes:
            new = [enter(server.port) for _ in range(size - len(guests))]
            guests += new
            grown = server.memory()
            yield Silence(
                transport=transport,
                connections=size,
                idle_kib=(grown - memory) / len(new),
                cpu_share=_idle_cpu(server),
            )
            memory = grown
        for guest in guests:
            guest.socket.close()


def _idle_cpu(server: Server) -> float:
    with watching(server) as interval:
        time.sleep(IDLE_SECONDS)
    return interval.cpu / interval.seconds


def _possible(sizes: Sequence[int], each: int, files: int) -> list[int]:
    """The sizes for which there are enough files; the largest possible one replaces the rest."""
    most = (files - OTHER_FILES) // each
    fitting = [size for size in sizes if size <= most]
    return fitting if len(fitting) == len(sizes) else [*fitting, most]


@click.command(help=__doc__)
@click.option("--matches", multiple=True, type=click.IntRange(1), help="Sizes, in rising order.")
@click.option("--connections", multiple=True, type=click.IntRange(1), help="Likewise.")
@click.option("--seconds", default=3.0, help="Of full load at least, for each size.")
@click.option("--seed", default=1, help="Of the games that are played.")
@click.option("--json", "raw", type=click.Path(path_type=Path), help="Keep all single results.")
@click.option("--write", "page", type=click.Path(path_type=Path), help="Page with marked places.")
def main(
    matches: Sequence[int],
    connections: Sequence[int],
    seconds: float,
    seed: int,
    raw: Path | None,
    page: Path | None,
) -> None:
    if page:
        check(page, "scaling")
    matches, connections = matches or MATCHES, connections or CONNECTIONS
    files = allow_files(max(2 * matches[-1], connections[-1]) + OTHER_FILES)
    crowds, silences = _possible(matches, 2, files), _possible(connections, 1, files)
    enough = (crowds[-1], silences[-1]) == (matches[-1], connections[-1])
    os.sched_setaffinity(0, LOAD_CORE)
    try:
        played = list(crowd(crowds, seconds, seed, lenient=page is None))
    except Disturbed as error:
        raise click.ClickException(f"not published: {error}") from None
    results = Scaling(
        environment(),
        played,
        [
            *silence("WebSocket", "hexxagon", hexxagon_guest, silences),
            *silence("lines", "qwirkle", qwirkle_guest, silences),
        ],
        "" if enough else f"More was not possible: a process may open {files:,} files here.",
    )
    click.echo(results.text())
    if raw:
        raw.write_text(json.dumps(attrs.asdict(results), indent=1))
    if page:
        results.write(page)


if __name__ == "__main__":
    sys.exit(main())
