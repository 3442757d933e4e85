"""Everything that can be watched: running matches, and those that have a record."""

import re
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from math import inf
from pathlib import Path
from typing import Any
from weakref import WeakSet

import attrs
import orjson
import structlog
import trio

from ludothek.contract.page import Page
from ludothek.runtime.endpoint import Endpoint
from ludothek.runtime.lobby import Lobby
from ludothek.storage.match_files import word_of
from ludothek.web.ended import EndedMatches
from ludothek.web.handout import hand_out
from ludothek.web.projection import project_live, project_record
from ludothek.web.repeater import NotShown, Repeater
from ludothek.web.rounds import Rounds
from ludothek.web.shelf import Shelf
from ludothek.web.signs import lobby_sign, record_name
from ludothek.web.tournaments import KeptGame, Tournaments
from ludothek.web.viewer import Viewer
from ludothek.web.watch import Watch
from transports import BUGS, Spawner

log = structlog.get_logger()

# Of repeated matches that are kept, compressed.
MOST_BYTES = 64 * 1024 * 1024
# Seconds for which the positions of a running match are not asked for again.
FRESH = 5.0
# Seconds until the record of a match that has just ended is on disk, at the longest.
WRITING = 5.0
LOOK_AGAIN = 0.2
# Matches whose end is remembered.
MOST_ENDED = 1000

_ID = re.compile(r"[\w.-]{1,255}")


@attrs.define
class _History:
    """The positions of a running match, when they were last asked for."""

    made: float
    content: bytes


class Gallery:
    """Finds matches, and follows those that somebody watches."""

    def __init__(
        self,
        nursery: Spawner,
        rounds: Rounds,
        repeater: Repeater,
        endpoints: Sequence[Endpoint],
        state: Path | None,
        tournaments: Tournaments,
        ended: EndedMatches,
    ) -> None:
        self._nursery = nursery
        self._rounds = rounds
        self._endpoints = endpoints
        self._shelf = None if state is None else Shelf(state)
        self._shelving = trio.CapacityLimiter(1)
        self._watches: dict[str, Watch] = {}
        self._shown: OrderedDict[str, bytes] = OrderedDict()  # ended matches, the latest last
        self._histories: dict[str, _History] = {}
        self._just_ended: OrderedDict[str, float] = OrderedDict()
        self._reported = WeakSet[Lobby]()
        self._repeater = repeater
        self._tournaments = tournaments
        self._ended = ended

    @property
    def viewers(self) -> int:
        """How many browsers watch a match."""
        return sum(len(watch.broadcast.viewers) for watch in self._watches.values())

    # Running matches

    def find(self, match_id: str) -> tuple[Endpoint, Lobby] | None:
        """Where a match is being played."""
        for endpoint in self._endpoints:
            if endpoint.opened:
                for lobby in endpoint.hall.lobbies.values():
                    if lobby.match_id == match_id:
                        return endpoint, lobby
        return None

    def about(self, match_id: str) -> dict[str, Any] | None:
        """A running match and its newest position, as JSON; None if it is not running."""
        found = self.find(match_id)
        if found is None:
            return None
        endpoint, lobby = found
        page = _page_of(endpoint)
        watch = self._watches.get(match_id)
        try:
            watch = watch or Watch(self._nursery, self._rounds, found, page)
        except BUGS as bug:
            raise self._broken(lobby, bug) from bug
        return {
            "id": match_id,
            "game": endpoint.game.name,
            "title": endpoint.game.title,
            "endpoint": endpoint.name,
            "lobby": lobby_sign(lobby.key),
            "live": True,
            "began": lobby.bout.began.date if lobby.bout.began else 0.0,
            "scenery": orjson.Fragment(watch.scenery),
            "result": None,
            "record": None,
            "positions": [orjson.Fragment(watch.position)],
            "note": None,
            "tournament": None,
        }

    @contextmanager
    def watching(self, match_id: str, viewer: Viewer) -> Iterator[None]:
        """Let a browser follow a running match; raises NotShown."""
        watch = self._watches.get(match_id) or self._begin(match_id)
        watch.broadcast.join(viewer)
        try:
            yield
        finally:
            watch.broadcast.leave(viewer)
            if not watch.broadcast.viewers:
                self._leave(watch)

    def _begin(self, match_id: str) -> Watch:
        found = self.find(match_id)
        if found is None:
            raise NotShown(404, "no such match is running")
        endpoint, lobby = found
        try:
            watch = Watch(self._nursery, self._rounds, found, _page_of(endpoint))
        except BUGS as bug:
            raise self._broken(lobby, bug) from bug
        self._watches[match_id] = lobby.watch = watch
        return watch

    def _broken(self, lobby: Lobby, bug: BaseException) -> NotShown:
        """Report it, once for each lobby: browsers ask again."""
        if lobby not in self._reported:
            self._reported.add(lobby)
            log.error("a match cannot be shown", lobby=lobby.key, exc_info=bug)
        return NotShown(500, "this match cannot be shown; the log says more")

    def _leave(self, watch: Watch) -> None:
        """The last one who watched is gone."""
        watch.detach()
        if self._watches.get(watch.match_id) is watch:
            del self._watches[watch.match_id]
        if watch.over:
            self._note_end(watch)

    def _note_end(self, watch: Watch) -> None:
        self._just_ended.setdefault(watch.match_id, trio.current_time())
        if len(self._just_ended) > MOST_ENDED:
            self._just_ended.popitem(last=False)

    async def history(self, match_id: str, who: str = "") -> bytes:
        """All positions of a running match so far, as compressed JSON; raises NotShown."""
        found = self.find(match_id)
        if found is None:
            raise NotShown(404, "no such match is running")
        endpoint, lobby = found
        _page_of(endpoint)
        kept = self._histories.get(match_id)
        if kept is not None and trio.current_time() - kept.made < FRESH:
            return kept.content
        if not lobby.journal.complete:
            raise NotShown(410, f"not everything was written down: {lobby.journal.problem}")
        pages, notes = lobby.journal.content
        make = partial(project_live, endpoint.game.name, lobby.clerk.beginning, (*pages,), notes)
        content = await self._repeater.repeat(f"history {match_id}", make, who)
        self._histories[match_id] = _History(trio.current_time(), content)
        self._forget_histories()
        return content

    def _forget_histories(self) -> None:
        running = {
            lobby.match_id
            for endpoint in self._endpoints
            if endpoint.opened
            for lobby in endpoint.hall.lobbies.values()
        }
        for each in [each for each in self._histories if each not in running]:
            del self._histories[each]
        while sum(len(each.content) for each in self._histories.values()) > MOST_BYTES:
            del self._histories[next(iter(self._histories))]

    # Ended matches

    async def ended(self, match_id: str, who: str = "") -> bytes:
        """A match that is over, with everything that was hidden, as compressed JSON.

        Raises:
          NotShown: there is no record of it, or it cannot be repeated.
        """
        if match_id in self._shown:
            self._shown.move_to_end(match_id)
            return self._shown[match_id]
        kept = await self._kept(match_id, who)
        return await self._repeat(kept.key, partial(project_record, kept.path, kept.told), who)

    async def _kept(self, match_id: str, who: str) -> KeptGame:
        """The record of a match that is over, wherever it is; raises NotShown."""
        if (game := await self._tournaments.game(match_id, who)) is not None:
            return game
        path = await self.record(match_id)
        name = record_name(word_of(path.name) or "match", match_id)
        return KeptGame(match_id, path, name, {"id": match_id, "record": name})

    async def _repeat(self, key: str, make: Callable[[], bytes], who: str) -> bytes:
        if key in self._shown:
            self._shown.move_to_end(key)
            return self._shown[key]
        content = await self._repeater.repeat(key, make, who)
        self._shown[key] = content
        while sum(map(len, self._shown.values())) > MOST_BYTES:
            self._shown.popitem(last=False)
        return content

    async def download(self, match_id: str, who: str = "") -> tuple[str, bytes]:
        """The name and the content of a record that anybody may have; raises NotShown."""
        kept = await self._kept(match_id, who)
        content = await self._repeat(f"record {kept.key}", partial(hand_out, kept.path), who)
        return kept.name, content

    async def record(self, match_id: str) -> Path:
        """The record of a match that is over; raises NotShown."""
        if self._shelf is not None and _ID.fullmatch(match_id):
            find = partial(self._shelf.find, match_id)
            while True:
                path = await trio.to_thread.run_sync(find, limiter=self._shelving)
                if path is not None:
                    return path
                if not self._is_being_written(match_id):
                    break
                await trio.sleep(LOOK_AGAIN)
        raise NotShown(404, "there is no such match, or its record is not kept any more")

    def _is_being_written(self, match_id: str) -> bool:
        """Whether a match has ended just now: its record comes soon, if it is kept at all."""
        watch = self._watches.get(match_id)
        if watch is not None and watch.over:  # others are still being told
            self._note_end(watch)
        if trio.current_time() < self._just_ended.get(match_id, -inf) + WRITING:
            return True
        return self._ended.is_new(match_id, WRITING)  # results and records are written apart


def _page_of(endpoint: Endpoint) -> Page:
    if endpoint.game.page is None:
        raise NotShown(404, f"{endpoint.game.title} has no board that could be shown")
    return endpoint.game.page
