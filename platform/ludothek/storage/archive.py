"""Whole files that lobbies leave behind, written one by one in the background."""

import os
from contextlib import suppress
from itertools import islice
from pathlib import Path
from time import sleep, thread_time

import attrs
import structlog

from ludothek.contract.effects import Chore, Save
from ludothek.contract.keeping import Kept, Room, superfluous
from ludothek.kit.partial import partial_file
from ludothek.kit.reports import careful
from ludothek.storage.file_names import file_name
from ludothek.storage.private import make_private
from ludothek.storage.writer import LAST_SECONDS, Sink, Writer
from transports import BUGS

log = structlog.get_logger()

# Files that may wait for a slow disk.
MAX_WAITING = 100

# After each file, the thread rests for so many times the CPU time that it has used: many matches
# may end together, and those that go on must not wait for their records.
REST = 4

# How many files are removed at once if far too many were kept before; choosing them takes time.
MAX_REMOVALS = 100

# When a folder is full, this part of the room is made free, so that it is not full again at once.
SPARE = 100

# Files that are written before somebody looks again what is in their folder.
MAX_UNSEEN = 1000


class Archive(Sink[Save | Chore]):
    """Writes the files that lobbies want to keep; a failing disk is reported once.

    It has a writer of its own: a game that is slow to make a file must not delay results.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writer = Writer("files", max_items=MAX_WAITING, batch_bytes=0)
        self._problems: dict[Path, str] = {}  # the latest of each folder that fails
        self._failed = 0  # counted by the thread
        # Files and bytes that certainly fit into a folder; of the thread, too.
        self._left: dict[tuple[Path, Room], tuple[int, float]] = {}

    @property
    def lost(self) -> int:
        """Files that could not be kept, and chores that failed."""
        return self.refused + self._failed

    def put(self, save: Save | Chore) -> bool:
        """Have a file written or a chore done soon; False if too much is waiting already."""
        taken = self._writer.put(self, save)
        if not taken:
            self._report(save, "the disk is too slow")
        return taken

    def has(self, save: Save | None) -> bool:
        """Whether a file is there already; nothing is always there. Blocks on I/O."""
        return save is None or os.path.exists(self._file(save))

    def close(self, seconds: float = LAST_SECONDS) -> None:
        """Write what is waiting, unless that takes too long."""
        self._writer.close(seconds)

    # In the thread

    def write(self, items: list[Save | Chore], refused: int, *, caught_up: bool) -> None:
        for save in items:
            started = thread_time()
            try:
                self._do(save)
            except OSError as error:
                self._failed += 1
                self._report(save, error.strerror or str(error))
            except BUGS as bug:
                # The content is made by the game, whose bugs must not end this thread.
                self._failed += 1
                with careful("making a file crashed"):
                    file = self._file(save)
                    log.error(
                        "making a file crashed", path=str(file.parent), file=file.name, exc_info=bug
                    )
            else:
                self._report_success(save)
            sleep(REST * (thread_time() - started))

    def _do(self, save: Save | Chore) -> None:
        if isinstance(save, Chore):
            save.do()
            return
        path, content = self._file(save), save.content()
        write_whole(_unused(path), content)
        self._tidy(path.parent, save.room, len(content))

    def _tidy(self, folder: Path, room: Room, size: int) -> None:
        """Look through a folder, which takes long if much is in it, only when it may be full."""
        files, left = self._left.get((folder, room), (0, 0.0))
        if not files or left < size:
            files, left = make_room(folder, room)
            self._left[folder, room] = files, left
        else:
            self._left[folder, room] = files - 1, left - size

    def _report(self, save: Save | Chore, problem: str) -> None:
        file = self._file(save)
        if problem not in self._problems.values():
            log.warning(
                "could not keep a file", path=str(file.parent), file=file.name, error=problem
            )
        self._problems[file.parent] = problem

    def _report_success(self, save: Save | Chore) -> None:
        if self._problems.pop(self._file(save).parent, None) and not self._problems:
            log.info("files are kept again", path=str(self._path))

    def _file(self, save: Save | Chore) -> Path:
        """Where a file is kept; whatever its name consists of, it stays in its folder."""
        if isinstance(save, Chore):
            return self._path / "chore"  # a chore need not write a file at all
        stem, _, kind = save.name.rpartition(".")
        plain = f"{file_name(stem)}.{kind}" if stem and kind.isalnum() else file_name(save.name)
        return self._path / save.folder / plain


def make_room(folder: Path, room: Room) -> tuple[int, float]:
    """Remove excess files, and a few more; returns how many more, and how many bytes, may come.

    Raises OSError.
    """
    found: list[tuple[int, str, int]] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            with suppress(FileNotFoundError):  # another daemon has removed it
                if not entry.name.startswith(".") and room.counts(entry.name):
                    status = entry.stat()
                    found.append((status.st_mtime_ns, entry.name, status.st_size))
    found.sort()
    files, left = room.files - len(found), room.bytes - sum(size for *_, size in found)
    if files < 0 or left < 0:
        spare = min(room.files // SPARE, MAX_REMOVALS)
        less = attrs.evolve(room, files=room.files - spare, bytes=room.bytes * (1 - 1 / SPARE))
        kept = [Kept(name, size, room.claim(name)) for _, name, size in found]
        for victim in islice(superfluous(kept, less), MAX_REMOVALS):
            (folder / victim.name).unlink(missing_ok=True)
            files, left = files + 1, left + victim.size
    # Others may write here, too: look again in time.
    return max(0, min(files, MAX_UNSEEN)), left


def write_whole(path: Path, content: bytes) -> None:
    """Write a file atomically, for this user alone; raises OSError."""
    make_private(path.parent)
    with partial_file(path, 0o600) as partial:
        partial.write_bytes(content)
        partial.rename(path)


def _unused(path: Path) -> Path:
    """The path, or a similar one that is free."""
    number, free = 2, path
    while free.exists():
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
        number += 1
    return free
