"""One tournament on the page, as long as it is there."""

from collections.abc import Mapping
from contextlib import AbstractContextManager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import orjson
import structlog
import trio

from ludothek.web.broadcast import Broadcast
from ludothek.web.events import Event
from ludothek.web.lookout import Lookout
from ludothek.web.repeater import NotShown, Repeater
from ludothek.web.rounds import Rounds
from ludothek.web.scoreboard import draw_up, find_game, list_games
from ludothek.web.viewer import Viewer
from transports import Spawner

log = structlog.get_logger()

# Seconds between two looks at the file, while somebody follows the tournament.
PERIOD = 1.0
# Times as long as it takes to count the games of a large tournament, until they are counted again.
REST = 4.0

Stamp = tuple[tuple[int, int, int] | None, ...]


class Tournament:
    """Tells browsers how it stands.

    The database is read in other processes only: it may be large, broken, or anybody's.
    """

    def __init__(
        self, nursery: Spawner, rounds: Rounds, repeater: Repeater, key: str, path: Path
    ) -> None:
        self.id = key
        self.path = path
        self.summary: Mapping[str, Any] = {"id": key, "title": path.name, "problem": "not read yet"}
        self.scoreboard = b""  # JSON; empty: it cannot be shown
        self.broadcast = Broadcast(nursery, rounds, self._newest)
        self._lookout = Lookout(nursery, self.broadcast, self._tell_changes)
        self._repeater = repeater
        self._event: Event | None = None
        self._stamp: Stamp | None = None  # of what was read last
        self._refreshing = trio.Lock()

    async def refresh(self) -> None:
        """Read the database again if it has changed."""
        async with self._refreshing:
            stamp = await trio.to_thread.run_sync(_stamp, self.path, abandon_on_cancel=True)
            if stamp == self._stamp:
                return
            make = partial(draw_up, self.path, self.id)
            try:
                content = await self._repeater.repeat(f"tournament {self.id}", make)
            except NotShown as problem:  # which the log knows; it is tried again
                self._fail(str(problem))
                return
            self._stamp = stamp
            summary, _, self.scoreboard = content.partition(b"\n")
            before, self.summary = self.summary["problem"], orjson.loads(summary)
            if (found := self.summary["problem"]) is not None and found != before:
                log.warning("a tournament cannot be shown", path=str(self.path), problem=found)
            told = self.scoreboard or summary
            self._event = Event.make("tournament", told)

    def _fail(self, problem: str) -> None:
        if not self.scoreboard:
            self.summary = {"id": self.id, "title": self.path.name, "problem": problem}

    async def games(self, *, players: tuple[str, ...], before: int, limit: int, who: str) -> bytes:
        """Games in which all these have played, the latest first, as JSON; raises NotShown."""
        asked = (self.summary.get("complete", False), players, before, limit)
        make = partial(list_games, self.path, self.id, *asked)
        return await self._repeater.repeat(f"games {self.id} {asked}", make, who)

    async def game(self, number: int, who: str) -> Mapping[str, Any] | None:
        """How a game ended, and where its record is; None if nobody may see it."""
        complete = self.summary.get("complete", False)
        make = partial(find_game, self.path, self.id, complete, number)
        found: Mapping[str, Any] | None = orjson.loads(
            await self._repeater.repeat(f"game {self.id} {number}", make, who)
        )
        return found

    def following(self, viewer: Viewer) -> AbstractContextManager[None]:
        """Let a browser hear of every change."""
        return self._lookout.following(viewer)

    async def _tell_changes(self) -> None:
        while True:
            before, began = self._event, trio.current_time()
            await self.refresh()
            if self._event is not None and self._event is not before:
                self.broadcast.post(self._event)
            await trio.sleep(max(PERIOD, REST * (trio.current_time() - began)))

    def _newest(self) -> Event | None:
        return self._event


def _stamp(path: Path) -> Stamp:
    """What changes with the content of a database; what was written last is in a file beside it."""
    found: list[tuple[int, int, int] | None] = []
    for each in (path, path.with_name(f"{path.name}-wal")):
        found.append(None)
        with suppress(OSError):
            told = each.stat()
            found[-1] = told.st_ino, told.st_size, told.st_mtime_ns
    return tuple(found)
