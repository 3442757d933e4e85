"""Cores of this machine: as many for each game as it has programs that compute."""

import fcntl
import os
import stat
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import sleep

import trio

from ludothek.arena.entrant import Kind
from ludothek.arena.task import Task

# Seconds until free cores are looked for again, between processes that know nothing of each other.
LOOK_SECONDS = 0.02


def own_cores() -> list[int]:
    """Those that this process may use."""
    return sorted(os.sched_getaffinity(0))


def needed(task: Task) -> int:
    """How many cores a game needs, so that its programs take no time from each other.

    The built-in bots of a game take turns on one.
    """
    programs = sum(entrant.kind is Kind.COMMAND for entrant in task.entrants)
    bots = any(entrant.kind is Kind.BOT for entrant in task.entrants)
    return max(1, programs + bots)


class Cores:
    """Gives out cores within one process, in the order in which they are asked for."""

    def __init__(self, cores: Sequence[int]) -> None:
        self.all = [*cores]
        self._free = [*cores]
        self._line = trio.StrictFIFOLock()
        self._freed = trio.lowlevel.ParkingLot()

    async def take(self, number: int) -> list[int]:
        """So many cores, or all if there are fewer."""
        number = min(number, len(self.all))
        async with self._line:
            while len(self._free) < number:
                await self._freed.park()
            taken, self._free = self._free[:number], self._free[number:]
            return taken

    def give_back(self, cores: Sequence[int]) -> None:
        self._free = sorted([*self._free, *cores])
        self._freed.unpark_all()


@contextmanager
def shared_cores(number: int, wanted: Callable[[], bool] = lambda: True) -> Iterator[list[int]]:
    """So many cores that no other process has which asks in the same way; blocks.

    Without a place for locks, or if they are no longer wanted, nothing is pinned.
    """
    cores = own_cores()
    number = min(number, len(cores))
    folder = Path(tempfile.gettempdir()) / f"ludothek-cores-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        # Its name can be guessed: in a folder of somebody else, he could keep the locks for ever.
        if not _is_ours(folder.lstat()):
            raise PermissionError
        line = os.open(folder / "line", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except OSError:
        yield []
        return
    locks: dict[int, int] = {}
    try:
        # One after the other, so that nobody waits for ever.
        while wanted() and not _locked(line):
            sleep(LOOK_SECONDS)
        while len(locks) < number and wanted():
            for core in cores:
                if core not in locks and len(locks) < number:
                    _try_lock(folder, core, locks)
            if len(locks) < number:
                sleep(LOOK_SECONDS)
        os.close(line)
        line = -1
        yield sorted(locks)
    finally:
        for descriptor in (*locks.values(), *([line] if line >= 0 else [])):
            os.close(descriptor)


def _is_ours(folder: os.stat_result) -> bool:
    """Whether it is a folder in which only this user can do anything."""
    return stat.S_ISDIR(folder.st_mode) and (
        folder.st_uid == os.getuid() and not folder.st_mode & 0o077
    )


def _try_lock(folder: Path, core: int, locks: dict[int, int]) -> None:
    descriptor = os.open(folder / str(core), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    if _locked(descriptor):
        locks[core] = descriptor
    else:
        os.close(descriptor)


def _locked(descriptor: int) -> bool:
    """Whether it could be locked."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
