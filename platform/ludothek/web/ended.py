"""Matches that are over, from the file of results."""

from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from itertools import takewhile
from pathlib import Path
from time import monotonic
from typing import Any

import attrs
import orjson
import trio

from ludothek.contract.names import skeleton
from ludothek.storage.match_files import id_of
from ludothek.web.pace import Pace
from ludothek.web.signs import lobby_sign, record_name

# So many are kept in memory; older ones are in the file.
MOST = 10_000
# Of the file, read at the start: some ten thousand lines.
TAIL_BYTES = 4 * 1024 * 1024
# Of names in which people search.
MOST_TEXT = 1000

_TOLD = ("game", "time", "players", "winner", "reason", "moves", "seconds")


@attrs.frozen
class EndedMatch:
    """One line of the file."""

    number: int  # larger than that of all earlier ones
    told: Mapping[str, Any]
    names: str  # of its players, in a form in which they can be compared
    read: float = attrs.field(factory=monotonic)  # when we learned of it

    def suits(self, game: str, player: str) -> bool:
        return (not game or self.told["game"] == game) and player in self.names


class EndedMatches:
    """The newest results; reading them is for worker threads."""

    def __init__(self, path: Path | None, pace: Pace | None = None) -> None:
        self._path = path
        self._pace = pace or Pace()
        self._matches: deque[EndedMatch] = deque(maxlen=MOST)
        self._count = 0
        self._file: int | None = None  # its inode
        self._place = 0  # up to where it was read
        self._cut = b""  # half a line, which was just being written
        self._searching = trio.Lock()

    @property
    def count(self) -> int:
        """The number of the newest."""
        return self._count

    def since(self, number: int) -> list[Mapping[str, Any]]:
        """Those that came after that number, the oldest first."""
        return [each.told for each in [*self._matches] if each.number > number]

    def is_new(self, match_id: str, seconds: float) -> bool:
        """Whether we have learned of a match so recently."""
        now = monotonic()
        new = takewhile(lambda each: now - each.read < seconds, reversed([*self._matches]))
        return any(each.told["id"] == match_id for each in new)

    async def find(
        self, *, game: str, player: str, before: int, limit: int
    ) -> tuple[list[Any], int]:
        """The newest that suit, and the number before which there are more; 0: there are none."""
        wanted = skeleton(player)
        found: list[EndedMatch] = []
        async with (
            self._searching
        ):  # one after the other, so that games do not wait for all of them
            for each in reversed([*self._matches]):
                while self._pace.is_over:
                    await self._pace.rest()
                if (not before or each.number < before) and each.suits(game, wanted):
                    if len(found) == limit:
                        return [match.told for match in found], found[-1].number
                    found.append(each)
        return [match.told for match in found], 0

    def refresh(self) -> None:
        """Read what was written since the last time."""
        if self._path is None:
            return
        if _number_of(self._path) != self._file:  # it was rotated, or is read for the first time
            older = self._path.with_name(f"{self._path.name}.1")
            if self._file is not None and _number_of(older) == self._file:
                self._read(older)
            self._begin(self._path)
        self._read(self._path)

    def _begin(self, path: Path) -> None:
        first = self._file is None
        self._file, self._cut = _number_of(path), b""
        self._place = max(0, _size_of(path) - TAIL_BYTES) if first else 0

    def _read(self, path: Path) -> None:
        with suppress(OSError), open(path, "rb") as file:
            file.seek(self._place)
            text = file.read(TAIL_BYTES)
            self._place += len(text)
            *lines, self._cut = (self._cut + text).split(b"\n")
            for told in map(_read_line, lines):
                if told is not None:
                    self._add(told)

    def _add(self, told: Mapping[str, Any]) -> None:
        self._count += 1
        names = "\n".join(skeleton(str(each["name"])) for each in told["players"])
        self._matches.append(EndedMatch(self._count, told, names[:MOST_TEXT]))


def _number_of(path: Path) -> int | None:
    """What tells a file from the one that had its name before."""
    with suppress(OSError):
        return path.stat().st_ino
    return None


def _size_of(path: Path) -> int:
    with suppress(OSError):
        return path.stat().st_size
    return 0


def _read_line(line: bytes) -> dict[str, Any] | None:
    """What the page says about a match; None if this is not a whole line of ours."""
    try:
        told = orjson.loads(line)
        match_id = told["record"] and id_of(told["record"])
        return {
            "id": match_id,
            **{key: told[key] for key in _TOLD},
            "lobby": lobby_sign(told["lobby"]),
            "record": match_id and record_name(told["game"], match_id),
        }
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
