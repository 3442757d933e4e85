"""Whole files that lobbies leave behind, written one by one in the background."""

from contextlib import suppress
from itertools import islice
from pathlib import Path

import structlog

from ludothek.contract.effects import Chore, Save
from ludothek.contract.keeping import Kept, Room, superfluous
from ludothek.kit.partial import partial_file
from ludothek.kit.reports import careful
from ludothek.storage.file_names import file_name
from ludothek.storage.writer import LAST_SECONDS, Sink, Writer
from transports import BUGS

log = structlog.get_logger()

# Files that may wait for a slow disk.
MAX_WAITING = 100

# How many files are removed at once if far too many were kept before; choosing them takes time.
MAX_REMOVALS = 100


class Archive(Sink[Save | Chore]):
    """Writes the files that lobbies want to keep; a failing disk is reported once.

    It has a writer of its own: a game that is slow to make a file must not delay results.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writer = Writer("files", max_items=MAX_WAITING, batch_bytes=0)
        self._problems: dict[Path, str] = {}  # the latest of each folder that fails
        self._failed = 0  # counted by the thread

    @property
    def lost(self) -> int:
        """Files that could not be kept, and chores that failed."""
        return self.refused + self._failed

    def put(self, save: Save | Chore) -> None:
        """Have a file written or a chore done soon."""
        if not self._writer.put(self, save):
            self._report(save, "the disk is too slow")

    def close(self, seconds: float = LAST_SECONDS) -> None:
        """Write what is waiting, unless that takes too long."""
        self._writer.close(seconds)

    # In the thread

    def write(self, items: list[Save | Chore], refused: int, *, caught_up: bool) -> None:
        for save in items:
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

    def _do(self, save: Save | Chore) -> None:
        if isinstance(save, Chore):
            save.do()
            return
        path = self._file(save)
        write_whole(_unused(path), save.content())
        make_room(path.parent, save.room)

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


def make_room(folder: Path, room: Room) -> None:
    """Remove excess files; raises OSError."""
    found = []
    for file in folder.iterdir():
        with suppress(FileNotFoundError):  # another daemon has removed it
            if not file.name.startswith("."):
                found.append((file.stat(), file.name))
    found.sort(key=lambda entry: (entry[0].st_mtime_ns, entry[1]))
    files = [Kept(name, status.st_size, room.claim(name)) for status, name in found]
    for victim in islice(superfluous(files, room), MAX_REMOVALS):
        (folder / victim.name).unlink(missing_ok=True)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file atomically; raises OSError."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with partial_file(path) as partial:
        partial.write_bytes(content)
        partial.rename(path)


def _unused(path: Path) -> Path:
    """The path, or a similar one that is free."""
    number, free = 2, path
    while free.exists():
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
        number += 1
    return free
