"""A server under test: its process on a core of its own, and its memory."""

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import IO

import attrs

# A process that was just busy may still have something to clean up.
SETTLE_SECONDS = 0.2
READINGS = 3


class CannotMeasure(Exception):
    """Something that the measurement needs is missing; the text says what."""


def cores() -> tuple[set[int], set[int]]:
    """The core for servers and the one for the load; the same if there is only one."""
    available = sorted(os.sched_getaffinity(0))
    return {available[0]}, {available[-1]}


SERVER_CORE, LOAD_CORE = cores()


@contextmanager
def on_core(core: set[int]) -> Iterator[None]:
    """Run whatever is started meanwhile on that core."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, core)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def allow_files(wanted: int) -> int:
    """Raise the limit on open files as far as possible, for this process and its children."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    return limit


@attrs.define(eq=False)
class Server:
    """A running server process."""

    process: "subprocess.Popen[str]"
    ports: Sequence[int]
    guarded: bool = False  # the process that was started only watches over the one that serves

    @property
    def pid(self) -> int:
        """The process that serves."""
        pid = child_of(self.process.pid) if self.guarded else self.process.pid
        if pid is None:
            raise CannotMeasure("nobody serves at the moment")
        return pid

    @property
    def port(self) -> int:
        return self.ports[0]

    def memory(self) -> int:
        """KiB of its own memory (anonymous pages: heaps and stacks, no code, no files).

        The signal asks servers on Node to collect garbage first; others ignore it.
        """
        readings = []
        for _ in range(READINGS):
            os.kill(self.pid, signal.SIGWINCH)
            time.sleep(SETTLE_SECONDS)
            readings.append(self._anonymous())
        return min(readings)

    def _anonymous(self) -> int:
        rollup = Path(f"/proc/{self.pid}/smaps_rollup").read_text()
        return next(int(line.split()[1]) for line in rollup.splitlines() if "Anonymous:" in line)


def child_of(pid: int) -> int | None:
    """The latest direct child of a process, if it has one."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return None
    return int(children[-1]) if children else None


@contextmanager
def running(
    command: Sequence[str],
    *,
    endpoints: int = 1,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
    errors: IO[bytes] | int = subprocess.DEVNULL,
    guarded: bool = False,
) -> Iterator[Server]:
    """Run a server on its core; it prints ``… ready on scheme://host:port`` to stdout."""
    with on_core(SERVER_CORE):
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env={**_environment(), **(environment or {})},
            cwd=folder,
        )
    try:
        ports = [_ready_port(process) for _ in range(endpoints)]
        yield Server(process, ports, guarded)
    finally:
        child = child_of(process.pid) if guarded else None
        process.kill()
        process.wait()
        if child is not None:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)


def _environment() -> Mapping[str, str]:
    """Ours, but installed programs need not be compiled at each start."""
    return {key: each for key, each in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}


def _ready_port(process: "subprocess.Popen[str]") -> int:
    assert process.stdout
    for line in process.stdout:
        if " ready on " in line:
            return int(line.rpartition(":")[2].strip().rstrip("/"))
    raise CannotMeasure(f"{process.args!r} did not start")


@contextmanager
def memory_place() -> Iterator[Path]:
    """A directory in memory, if there is one, so that no file system takes part."""
    memory = Path("/dev/shm")
    with TemporaryDirectory(dir=memory if memory.is_dir() else None) as place:
        yield Path(place)


def python(module: str, *arguments: str) -> list[str]:
    return [sys.executable, "-m", module, *arguments]


def percentile(values: Sequence[float], share: float) -> float:
    """The value that this share of all values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


@attrs.frozen
class Figure:
    """The median of several measurements, and their range."""

    median: float
    least: float
    most: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Figure":
        return cls(median(values), min(values), max(values))
