"""Where the records of matches are: the file of each."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic

from ludothek.storage.match_files import FOLDER, id_of

# Seconds after which a record that was not there is looked for again. There may be fifty thousand
# files, and anybody may ask for matches that never were.
PAUSE = 0.5


class Shelf:
    """Finds records by the ids of their matches; for a worker thread, one at a time."""

    def __init__(self, state: Path, clock: Callable[[], float] = monotonic) -> None:
        self._folder = state / FOLDER
        self._clock = clock
        self._looked = -PAUSE
        self._ids: dict[str, str] = {}  # of matches, by the names of their records
        self._names: dict[str, str] = {}  # the other way round

    def find(self, match_id: str) -> Path | None:
        """The record of a match; blocks on I/O."""
        found = self._find(match_id)
        if found is None and self._clock() >= self._looked + PAUSE:
            self._look()
            found = self._find(match_id)
        return found

    def _find(self, match_id: str) -> Path | None:
        name = self._names.get(match_id)
        path = None if name is None else self._folder / name
        return path if path is not None and path.is_file() else None

    def _look(self) -> None:
        ids: dict[str, str] = {}
        with suppress(OSError), os.scandir(self._folder) as found:
            for each in found:
                ids[each.name] = self._ids.get(each.name) or id_of(each.name)
        self._ids, self._names = ids, {match_id: name for name, match_id in ids.items()}
        self._looked = self._clock()
