"""Matches that are over, from the file of results."""

import os
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from io import BufferedReader
from pathlib import Path
from typing import Any

import attrs
import orjson

from ludothek.contract.names import skeleton
from ludothek.storage.match_files import id_of

# So many are kept in memory; older ones are in the file.
MOST = 10_000
# Of the file, read at the start: some ten thousand lines.
TAIL_BYTES = 4 * 1024 * 1024
# Of names in which people search.
MOST_TEXT = 1000

_TOLD = ("game", "time", "lobby", "players", "winner", "reason", "moves", "seconds", "record")


@attrs.frozen
class EndedMatch:
    """One line of the file."""

    number: int  # larger than that of all earlier ones
    told: Mapping[str, Any]
    names: str  # of its players, in a form in which they can be compared

    def suits(self, game: str, player: str) -> bool:
        return (not game or self.told["game"] == game) and player in self.names


class EndedMatches:
    """The newest results; reading them is for worker threads."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._matches: deque[EndedMatch] = deque(maxlen=MOST)
        self._count = 0
        self._file: BufferedReader | None = None
        self._cut = b""  # half a line, which was just being written

    @property
    def count(self) -> int:
        """The number of the newest."""
        return self._count

    def since(self, number: int) -> list[Mapping[str, Any]]:
        """Those that came after that number, the oldest first."""
        return [each.told for each in [*self._matches] if each.number > number]

    def find(self, *, game: str, player: str, before: int, limit: int) -> tuple[list[Any], int]:
        """The newest that suit, and the number before which there are more; 0: there are none."""
        wanted = skeleton(player)
        found: list[EndedMatch] = []
        for each in reversed([*self._matches]):
            if (not before or each.number < before) and each.suits(game, wanted):
                if len(found) == limit:
                    return [match.told for match in found], found[-1].number
                found.append(each)
        return [match.told for match in found], 0

    def refresh(self) -> None:
        """Read what was written since the last time."""
        if self._path is None:
            return
        if self._file is None:
            self._open(self._path)
        if self._file is None:
            return
        self._read(self._file)
        if not _leads_to(self._path, self._file):  # it was rotated
            self._file.close()
            self._file = None
            self.refresh()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _open(self, path: Path) -> None:
        with suppress(OSError):
            file = open(path, "rb")  # noqa: SIM115 (read again and again)
            if not self._count:
                file.seek(max(0, os.fstat(file.fileno()).st_size - TAIL_BYTES))
            self._file, self._cut = file, b""

    def _read(self, file: BufferedReader) -> None:
        *lines, self._cut = (self._cut + file.read(TAIL_BYTES)).split(b"\n")
        for told in map(_read_line, lines):
            if told is not None:
                self._count += 1
                names = "\n".join(skeleton(str(each["name"])) for each in told["players"])
                self._matches.append(EndedMatch(self._count, told, names[:MOST_TEXT]))


def _leads_to(path: Path, file: BufferedReader) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(file.fileno()))
    except OSError:
        return True  # there is no newer one


def _read_line(line: bytes) -> dict[str, Any] | None:
    """What the page says about a match; None if this is no whole line of ours."""
    try:
        told = orjson.loads(line)
        record = told["record"]
        return {"id": record and id_of(record)} | {key: told[key] for key in _TOLD}
    except (ValueError, KeyError, TypeError):
        return None
