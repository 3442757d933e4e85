"""All tournaments that the page shows."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from os import fsencode
from pathlib import Path
from typing import Any

import attrs
import structlog
import trio

from ludothek.web.repeater import NotShown, Repeater
from ludothek.web.rounds import Rounds
from ludothek.web.tournament import Tournament
from transports import Spawner

log = structlog.get_logger()

# Of databases in all folders; nobody reads a longer list.
MOST = 100
# Seconds after which the folders are looked through again.
PAUSE = 0.5
# What the files of databases end with.
ENDING = ".db"
# Digits of the number of a game.
MOST_DIGITS = 15


@attrs.frozen
class KeptGame:
    """The record of a game of a tournament, and what the page says besides."""

    key: str  # another one for another file
    path: Path
    name: str  # for those who download it
    told: Mapping[str, Any]


class Tournaments:
    """Finds tournaments: each has an id that says nothing about where it is."""

    def __init__(
        self, nursery: Spawner, rounds: Rounds, repeater: Repeater, places: Sequence[str]
    ) -> None:
        self._make = partial(Tournament, nursery, rounds, repeater)
        self._places = [Path(place).absolute() for place in places]
        self._found: dict[str, Tournament] = {}
        self._looked = -PAUSE
        self._looking = trio.Lock()

    async def all(self) -> list[Mapping[str, Any]]:
        """Summaries of all of them, as they stand now."""
        await self._look()
        found = [*self._found.values()]
        async with trio.open_nursery() as nursery:
            for each in found:
                nursery.start_soon(each.refresh)
        return [each.summary for each in found]

    async def find(self, key: str) -> Tournament:
        """The tournament of that id, as it stands now; raises NotShown."""
        if key not in self._found:
            await self._look()
        if key not in self._found:
            raise NotShown(404, "there is no such tournament")
        tournament = self._found[key]
        await tournament.refresh()
        return tournament

    async def game(self, match_id: str, who: str) -> KeptGame | None:
        """A game of a tournament; None: this is the id of something else. Raises NotShown."""
        key, separator, digits = match_id.partition("~")
        if not separator:
            return None
        tournament = await self.find(key)
        found = None
        if digits.isdecimal() and digits.isascii() and len(digits) <= MOST_DIGITS:
            found = await tournament.game(int(digits), who)
        if found is None:
            raise NotShown(404, "there is no such game, or its record is not kept or not shown yet")
        game, summary = found["game"], tournament.summary
        name = f"{summary['game']}-{key}-{digits}.match"
        about = {"id": key, "title": summary["title"], "game": game}
        told = {"id": match_id, "record": name, "endpoint": None, "tournament": about}
        return KeptGame(f"{match_id} {found['stamp']}", Path(found["record"]), name, told)

    def has(self, game: str) -> bool:
        """Whether some tournament is of this game."""
        return any(each.summary.get("game") == game for each in self._found.values())

    async def _look(self) -> None:
        """Look through the folders."""
        async with self._looking:
            if not self._places or trio.current_time() < self._looked + PAUSE:
                return
            paths = await trio.to_thread.run_sync(self._paths, abandon_on_cancel=True)
            if len(paths) > MOST:
                log.warning("too many tournaments; some are not shown", found=len(paths), most=MOST)
            keys = {_key(path): path for path in paths[:MOST]}
            self._found = {
                key: self._found.get(key) or self._make(key, path) for key, path in keys.items()
            }
            self._looked = trio.current_time()

    def _paths(self) -> list[Path]:
        return [*dict.fromkeys(path for place in self._places for path in _databases(place))]


def _databases(place: Path) -> Iterator[Path]:
    """The database at a place, or all of them in the folder there; blocks on I/O."""
    if not place.is_dir():
        yield place
        return
    try:
        yield from sorted(each for each in place.iterdir() if each.suffix == ENDING)
    except OSError as error:
        log.warning("tournaments cannot be listed", path=str(place), error=error.strerror)


def _key(path: Path) -> str:
    return blake2b(fsencode(path), digest_size=5).hexdigest()
