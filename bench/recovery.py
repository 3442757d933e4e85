"""How long a killed daemon with many running matches is away, as their number grows.

    python -m bench.recovery --write docs/performance.md --json results.json

A daemon with --durable gets Hexxagon matches with 30 moves each. Its serving process is killed with
SIGKILL, and the next move of every match is sent at once. Two times count, both from the kill on:
until the new process says that it is ready, and until all players have heard of their match's move.
"""

import http.client
import json
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import attrs
import click
import orjson

from bench.chaos_daemon import Control
from bench.chaos_killer import Restart
from bench.connections import TIMEOUT, WebSocketConnection
from bench.drawing import curves, number
from bench.environment import environment, sentence
from bench.hexxagon_load import Guest, HexxagonLoad
from bench.measure import (
    LOAD_CORE,
    CannotMeasure,
    Figure,
    Server,
    allow_files,
    memory_place,
    python,
    running,
)
from bench.report import check, draw, put, spread, table
from bench.scaling import LIMITS, OTHER_FILES
from bench.trial import PATIENCE

MATCHES = (50, 500, 5000)
MOVES = 30
KILLS = 3

# Seconds after which we do not wait any longer.
END = 300.0
LOOK = 0.01
CHUNK = 65536


@attrs.frozen(kw_only=True)
class Recovery:
    """One kill."""

    matches: int
    ready: float  # seconds from the kill until the new process says so
    first: float  # until the first player hears of a move
    answered: float  # until all of them have
    pause: float  # as the daemon says
    carried: tuple[int, int]  # matches, of all


@attrs.frozen
class Recoveries:
    """All results, and how they are reported."""

    environment: dict[str, str]
    recoveries: Sequence[Recovery]

    def write(self, page: Path) -> None:
        put(page, "recovery", "\n\n".join([self.text(), self._drawing(page)]))

    def text(self) -> str:
        return f"{sentence(self.environment)}\n\n{self._table()}"

    def _of(self, size: int, what: str) -> Figure:
        found = [getattr(each, what) for each in self.recoveries if each.matches == size]
        return Figure.of(found)

    def _sizes(self) -> Sequence[int]:
        return sorted({each.matches for each in self.recoveries})

    def _table(self) -> str:
        header = (
            "matches",
            "ready again, s",
            "first answer, s",
            "every match has answered, s",
            "nobody is served, as the daemon says, s",
            "matches carried over",
        )
        times = ("ready", "first", "answered", "pause")
        rows = []
        for size in self._sizes():
            carried = [each.carried for each in self.recoveries if each.matches == size]
            shares = f"{sum(one for one, _ in carried)} of {sum(every for _, every in carried)}"
            rows.append((f"{size:,}", *(spread(self._of(size, each)) for each in times), shares))
        return table(header, rows)

    def _drawing(self, page: Path) -> str:
        lines = {
            name: {size: self._of(size, what).median for size in self._sizes()}
            for name, what in (("ready", "ready"), ("all answered", "answered"))
        }
        title = f"Seconds from a kill on, matches with {MOVES} moves each"
        return draw(page, "recovery", curves(title, "matches", lines))


class Lookout(threading.Thread):
    """Asks for the status until another process answers, beside whatever else is done."""

    def __init__(self, control: Control, killed: int) -> None:
        super().__init__(daemon=True)
        self._control = control
        self._killed = killed
        self.ready: float | None = None  # when that was
        self.status: dict[str, Any] = {}

    def run(self) -> None:
        end = time.monotonic() + END
        while self.ready is None and time.monotonic() < end:
            with suppress(OSError, http.client.HTTPException, ValueError):
                status = json.loads(self._control.exchange("GET", "/status")[1])
                if status.get("ready") and status.get("pid") != self._killed:
                    self.ready, self.status = time.monotonic(), status
                    return
            time.sleep(LOOK)


@contextmanager
def lasting() -> Iterator[tuple[Server, Control]]:
    """A durable daemon with larger limits than the default ones."""
    with TemporaryDirectory() as place, memory_place() as runtime:
        config, socket = Path(place, "recovery.toml"), Path(place, "control.sock")
        config.write_text(f'limits = {LIMITS}\n[[host]]\ngame = "hexxagon"\nport = 0\n')
        own = ["--durable", "--runtime-dir", str(runtime)]
        own += ["--config", str(config), "--control", str(socket)]
        command = python("ludothek", "run", "--no-web", *own, "--state-dir", place)
        with running(command, guarded=True) as server:
            yield server, Control(socket)


def recover(matches: int, kills: int, seed: int) -> Iterator[Recovery]:
    """That many matches, and one kill after another; each time they are one move further."""
    with lasting() as (server, control):
        load = HexxagonLoad(server.port, WebSocketConnection.open, seed)
        load.connect(2 * matches)
        load.deal()
        load.play(seconds=PATIENCE * 10, moves=MOVES)
        for move in range(MOVES, MOVES + kills):
            yield _kill(server, control, load, matches, move)
        load.close()


def _kill(
    server: Server, control: Control, load: HexxagonLoad, matches: int, move: int
) -> Recovery:
    pid = server.pid
    lookout = Lookout(control, pid)
    began = time.monotonic()
    os.kill(pid, signal.SIGKILL)
    lookout.start()
    times = _hear(load.say(move), move)
    lookout.join()
    if lookout.ready is None:
        raise CannotMeasure("the daemon did not come back")
    restart = Restart.of(lookout.status)
    return Recovery(
        matches=matches,
        ready=lookout.ready - began,
        first=times[0] - began,
        answered=times[-1] - began,
        pause=restart.pause,
        carried=restart.matches,
    )


def _hear(guests: Sequence[Guest], move: int) -> list[float]:
    """Wait until everybody has heard of a move; when that was, in order."""
    waiting = {guest.connection.socket.fileno(): guest for guest in guests}
    epoll = select.epoll()
    times: list[float] = []
    for descriptor, guest in waiting.items():
        guest.connection.socket.setblocking(False)
        epoll.register(descriptor, select.EPOLLIN)
    end = time.monotonic() + END
    while waiting:
        if time.monotonic() > end:
            raise CannotMeasure(f"{len(waiting)} players have not heard of their match's move")
        for descriptor, _ in epoll.poll(1.0):
            guest = waiting[descriptor]
            if not _has_heard(guest, move):
                continue
            times.append(time.monotonic())
            epoll.unregister(descriptor)
            del waiting[descriptor]
    epoll.close()
    for guest in guests:
        guest.connection.socket.settimeout(TIMEOUT)
    return times


def _has_heard(guest: Guest, move: int) -> bool:
    data = guest.connection.socket.recv(CHUNK)
    if not data:
        raise CannotMeasure("a connection was closed")
    assert isinstance(guest.connection, WebSocketConnection)
    for message in guest.connection.feed(data):
        status = orjson.loads(message)
        # Turns count from 1, and this is the one after the move.
        if status["messageType"] != "GameStatus" or status["turn"] != move + 2:
            raise CannotMeasure(f"move {move} was answered with {message[:300]!r}")
        return True
    return False


@click.command(help=__doc__)
@click.option("--matches", multiple=True, type=click.IntRange(1), help="Sizes, in rising order.")
@click.option("--kills", default=KILLS, help="For each size.")
@click.option("--seed", default=1, help="Of the games that are played.")
@click.option("--json", "raw", type=click.Path(path_type=Path), help="Keep all single results.")
@click.option("--write", "page", type=click.Path(path_type=Path), help="Page with a marked place.")
def main(
    matches: Sequence[int], kills: int, seed: int, raw: Path | None, page: Path | None
) -> None:
    if page:
        check(page, "recovery")
    sizes = matches or MATCHES
    wanted = 2 * max(sizes) + OTHER_FILES
    if allow_files(wanted) < wanted:
        raise CannotMeasure("too few files may be open for so many connections")
    os.sched_setaffinity(0, LOAD_CORE)
    found = []
    for size in sizes:
        for recovery in recover(size, kills, seed):
            found.append(recovery)
            click.echo(
                f"{size} matches: ready after {number(recovery.ready)} s, "
                f"all answered after {number(recovery.answered)} s",
                err=True,
            )
    results = Recoveries(environment(), found)
    click.echo(results.text())
    if raw:
        raw.write_text(json.dumps(attrs.asdict(results), indent=1))
    if page:
        results.write(page)


if __name__ == "__main__":
    sys.exit(main())
