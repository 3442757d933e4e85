"""What is going on: the lobbies of all games, and which matches have ended."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

import attrs
import orjson
import structlog
import trio

from ludothek.kit.reports import careful
from ludothek.runtime.endpoint import Endpoint
from ludothek.runtime.journal import Journal
from ludothek.runtime.lobby import Lobby
from ludothek.web.broadcast import Broadcast
from ludothek.web.ended import EndedMatches
from ludothek.web.events import Event
from ludothek.web.lookout import Lookout
from ludothek.web.rounds import Rounds
from ludothek.web.signs import lobby_sign
from ludothek.web.viewer import Viewer
from transports import BUGS, Spawner

log = structlog.get_logger()

# Seconds between two looks at all lobbies, as long as somebody reads the bulletin.
PERIOD = 1.0
# Lobbies that are listed; nobody reads more.
MOST_LOBBIES = 500


@attrs.frozen
class _Entry:
    """What was told about a lobby when its journal had that many notes, as JSON."""

    journal: Journal
    count: int
    told: bytes

    def is_true_of(self, lobby: Lobby) -> bool:
        return self.journal is lobby.journal and self.count == lobby.journal.count


class Bulletin:
    """Tells everybody who has the home page open."""

    def __init__(
        self,
        nursery: Spawner,
        rounds: Rounds,
        endpoints: Sequence[Endpoint],
        ended: EndedMatches,
    ) -> None:
        self.broadcast = Broadcast(nursery, rounds, self._newest)
        self._pace = rounds.pace
        self.ended = ended
        self._lookout = Lookout(nursery, self.broadcast, self._tell_changes, self._forget)
        self._endpoints = endpoints
        # Weakly, since nobody may look again for days: a lobby that is over needs its memory back.
        self._entries = WeakKeyDictionary[Lobby, _Entry]()
        self._posted = b""
        self._event: Event | None = None  # that tells it
        self._refreshing, self._looking = trio.Lock(), trio.Lock()
        self._broken = WeakSet[Lobby]()  # those that were reported

    async def lobbies(self) -> bytes:
        """All open lobbies as JSON, the newest of each game last."""
        entries: dict[Lobby, _Entry] = {}
        async with self._looking:  # once for all who ask at the same time
            for endpoint, lobby in [*self._open()][:MOST_LOBBIES]:
                while self._pace.is_over:
                    await self._pace.rest()
                known = self._entries.get(lobby)
                if known is None or not known.is_true_of(lobby):
                    journal = lobby.journal
                    known = _Entry(journal, journal.count, self._tell(endpoint, lobby))
                entries[lobby] = known
            self._entries = WeakKeyDictionary(entries)
        return b"[" + b",".join([each.told for each in entries.values()]) + b"]"

    async def refresh(self) -> None:
        """Read the results that have come since the last time."""
        async with self._refreshing:
            with careful("the file of results"):
                await trio.to_thread.run_sync(self.ended.refresh)

    def reading(self, viewer: Viewer) -> AbstractContextManager[None]:
        """Let a browser hear of every change."""
        return self._lookout.following(viewer)

    def _tell(self, endpoint: Endpoint, lobby: Lobby) -> bytes:
        """A lobby, as JSON; one whose table is broken is listed all the same."""
        told = _sign(endpoint, lobby)
        try:
            return orjson.dumps(told | _look_at(endpoint, lobby))
        except BUGS as bug:
            if lobby not in self._broken:
                self._broken.add(lobby)
                with careful("a lobby cannot be listed"):
                    log.error("a lobby cannot be listed", lobby=lobby.key, exc_info=bug)
            return orjson.dumps(told)

    def _open(self) -> Iterator[tuple[Endpoint, Lobby]]:
        for endpoint in self._endpoints:
            if endpoint.opened:
                for lobby in endpoint.hall.lobbies.values():
                    if lobby.open:
                        yield endpoint, lobby

    def _forget(self) -> None:
        self._posted, self._event = b"", None

    async def _tell_changes(self) -> None:
        await self.refresh()
        number = self.ended.count
        while True:
            if (found := await self.lobbies()) != self._posted:
                self._posted, self._event = found, Event.make("lobbies", found)
                self.broadcast.post(self._event)
            await self.refresh()
            for match in self.ended.since(number):
                self.broadcast.post(Event.of("ended", match))
            number = self.ended.count
            await trio.sleep(PERIOD)

    def _newest(self) -> Event | None:
        return self._event


def _sign(endpoint: Endpoint, lobby: Lobby) -> dict[str, Any]:
    """What is known of a lobby without its table."""
    return {
        "lobby": lobby_sign(lobby.key),
        "game": endpoint.game.name,
        "endpoint": endpoint.name,
        "name": lobby_sign(lobby.key),
        "stage": "other",
        "players": [],
        "spectators": 0,
        "match": lobby.match_id or None,
        "score": None,
        "move": None,
    }


def _look_at(endpoint: Endpoint, lobby: Lobby) -> dict[str, Any]:
    """What its table says about it; raises the bugs of the game."""
    summary = lobby.table.summary
    seen: dict[str, Any] = {
        "name": summary.name,
        "stage": summary.stage.value,
        "players": [*summary.players],
        "spectators": len(summary.spectators),
    }
    page = endpoint.game.page
    if lobby.match_runs and page is not None:
        view = page.view(lobby.table, False)
        if view is not None:
            seen |= {
                "players": [seat.name for seat in view.players],
                "score": [seat.score for seat in view.players],
                "move": view.move,
            }
    return seen
