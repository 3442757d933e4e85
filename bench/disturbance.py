"""What a server used in an interval, and whether other processes got in the way meanwhile."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, TypeVar

import attrs
import click

from bench.measure import LOAD_CORE, SERVER_CORE, CannotMeasure, Server

# A trial is not used if others had one of our cores for a larger share of the time.
TOLERATED = 0.03
# How often it is repeated before we give up.
ATTEMPTS = 5


class Disturbed(CannotMeasure):
    """Others had the core too often, in every attempt."""


@attrs.frozen
class Usage:
    """Seconds that a process has used since its start, or within an interval."""

    cpu: float  # user and system, all threads
    waited: float  # its main thread was ready to run, but another process had the core

    def __sub__(self, earlier: "Usage") -> "Usage":
        return Usage(self.cpu - earlier.cpu, self.waited - earlier.waited)


def usage_of(pid: int) -> Usage:
    """Read from the scheduler, which counts in nanoseconds.

    The main thread also waits while other threads of its process run (garbage collection and
    compilation in Node); their time is not a disturbance.
    """
    cpu = waited = 0
    for thread in Path(f"/proc/{pid}/task").iterdir():
        try:
            ran, queued = map(int, (thread / "schedstat").read_text().split()[:2])
        except FileNotFoundError:
            continue  # it has just ended, as threads do that were idle for a while
        cpu += ran
        waited += queued if thread.name == str(pid) else -ran
    return Usage(cpu / 1e9, waited / 1e9)


def stolen() -> float:
    """Seconds for which the hypervisor gave our cores to other machines."""
    names = {f"cpu{core}" for core in SERVER_CORE | LOAD_CORE}
    lines = (line.split() for line in Path("/proc/stat").read_text().splitlines())
    ticks = sum(int(fields[8]) for fields in lines if fields[0] in names)
    return ticks / os.sysconf("SC_CLK_TCK")


@attrs.define
class Interval:
    """What happened while a server was watched."""

    seconds: float = 0.0
    cpu: float = 0.0  # of the server
    lost: float = 0.0  # seconds in which others had the server's core or the load's

    @property
    def disturbed(self) -> float:
        return self.lost / self.seconds

    def __add__(self, other: "Interval") -> "Interval":
        return Interval(self.seconds + other.seconds, self.cpu + other.cpu, self.lost + other.lost)


@contextmanager
def watching(server: Server, load: int | None = None) -> Iterator[Interval]:
    """Measure a server; `load` is the process that keeps it busy, if it is not this one.

    Answers look late if the load has to wait for its core, so it counts like the server.
    """
    pids = (server.pid, load or os.getpid())
    interval = Interval()
    began, steal, before = time.monotonic(), stolen(), [usage_of(pid) for pid in pids]
    yield interval
    used = [usage_of(pid) - earlier for pid, earlier in zip(pids, before, strict=True)]
    interval.seconds = time.monotonic() - began
    interval.cpu = used[0].cpu
    interval.lost = max(0.0, *(usage.waited for usage in used)) + stolen() - steal


class Trial(Protocol):
    """Knows for which share of its time others had the core."""

    @property
    def disturbed(self) -> float: ...


T = TypeVar("T", bound=Trial)


def undisturbed(
    name: str, trial: Callable[[], T], *, attempts: int = ATTEMPTS, lenient: bool = False
) -> T:
    """Repeat a trial until others have left the cores alone; if lenient, the first one will do.

    Raises:
      Disturbed: they never did.
    """
    for _ in range(attempts):
        made = trial()
        if made.disturbed <= TOLERATED:
            return made
        click.echo(f"{name}: others had the core for {made.disturbed:.0%} of the time", err=True)
        if lenient:
            return made
    raise Disturbed(f"disturbed in all of {attempts} attempts, so it does not count")


@attrs.define
class Attempts:
    """Trials of many things, and which of them could never be measured."""

    lenient: bool  # whether disturbed trials count
    _made: set[str] = attrs.field(factory=set)
    _failed: set[str] = attrs.field(factory=set)

    def make(self, name: str, trial: Callable[[], T]) -> T | None:
        """Run a trial, repeatedly if it is disturbed; None if all attempts failed."""
        try:
            made = undisturbed(name, trial, lenient=self.lenient)
        except (CannotMeasure, OSError) as error:
            click.echo(f"{name}: {error}", err=True)
            self._failed.add(name)
            return None
        self._made.add(name)
        return made

    def require_strict(self) -> None:
        """Make sure that the results can be published."""
        if self.lenient:
            raise click.UsageError("a short or lenient run is not good enough to be published")

    def require_all(self) -> None:
        """Make sure that there is at least one trial of everything."""
        if missing := self._failed - self._made:
            raise click.ClickException(f"not published, for lack of {'; '.join(sorted(missing))}")
