"""Whole files that lobbies leave behind, written one after the other beside the games."""

from collections.abc import Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path

import structlog

from ludothek.contract.effects import Chore, Save
from ludothek.contract.keeping import Kept, Room, superfluous
from ludothek.kit.partial import partial_file
from ludothek.kit.reports import careful
from ludothek.kit.trouble import Trouble
from ludothek.storage.file_names import file_name
from ludothek.storage.writer import LAST_SECONDS, Sink, Writer
from transports import BUGS

log = structlog.get_logger()

# Files that may wait for a slow disk.
MAX_WAITING = 100

# Files that are removed at once when many more were kept before; choosing them takes time.
MAX_REMOVALS = 100


class Archive(Sink[Save | Chore]):
    """Writes the files that lobbies want to keep; a failing disk is reported once per folder.

    It has a writer of its own: a game that takes long to make a file must not hold up any lines.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writer = Writer("files", max_items=MAX_WAITING, batch_bytes=0)
        self._troubles: dict[Path, Trouble] = {}
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
                    log.error("making a file crashed", **self._names(save), exc_info=bug)
            else:
                self._trouble(save).worked("files are kept again")

    def _do(self, save: Save | Chore) -> None:
        if isinstance(save, Chore):
            save.do()
            return
        path = self._file(save)
        write_whole(_unused(path), save.content())
        make_room(path.parent, save.room)

    def _report(self, save: Save | Chore, problem: str) -> None:
        self._trouble(save).failed("could not keep a file", problem, **self._names(save))

    def _trouble(self, save: Save | Chore) -> Trouble:
        folder = self._path / save.folder if isinstance(save, Save) else self._path
        return self._troubles.setdefault(folder, Trouble(path=str(folder)))

    def _names(self, save: Save | Chore) -> Mapping[str, str]:
        return {"file": self._file(save).name} if isinstance(save, Save) else {}

    def _file(self, save: Save) -> Path:
        """Where a file is kept; whatever its name is made of, it stays in its folder."""
        stem, _, kind = save.name.rpartition(".")
        plain = f"{file_name(stem)}.{kind}" if stem and kind.isalnum() else file_name(save.name)
        return self._path / save.folder / plain


def make_room(folder: Path, room: Room) -> None:
    """Remove files that are too many; raises OSError."""
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
    """Write a file that is there as a whole or not at all; raises OSError."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with partial_file(path) as partial:
        partial.write_bytes(content)
        partial.rename(path)


def _unused(path: Path) -> Path:
    """The path, or one like it that is free."""
    number, free = 2, path
    while free.exists():
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
        number += 1
    return free
