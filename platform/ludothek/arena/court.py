"""The endpoint of one game of a tournament."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import attrs
import trio

from ludothek.contract.chance import Chance
from ludothek.contract.clock import Clock
from ludothek.contract.effects import Ended, Save
from ludothek.contract.game import Game
from ludothek.runtime.bout import Conclusion
from ludothek.runtime.connection import Connection
from ludothek.runtime.endpoint import Endpoint
from ludothek.runtime.lobby import Lobby
from ludothek.runtime.watcher import Watcher
from ludothek.settings.config_file import Host
from ludothek.settings.limits import Limits
from ludothek.storage.results import Result, fields_of
from transports import Link, Listener, Poller, Spawner

# Seconds in which bots of our own are heard that have answered already.
CATCH_UP_SECONDS = 0.005

# Hears of each step of a lobby, or of the reception (None), and whether a match ends in it.
Happened = Callable[[Lobby | None, bool], None]


@attrs.frozen
class Bystander(Watcher):
    """Tells the referee of each step, and of the end before anybody is dismissed."""

    happened: Happened
    lobby: Lobby | None = None

    def stepping(self) -> None:
        pass

    def sent(self, message: Any) -> None:
        pass

    def ended(self, ended: Ended) -> None:
        self.happened(self.lobby, True)

    def stepped(self) -> None:
        self.happened(self.lobby, False)


class Court(Endpoint):
    """Where one match is played; its result and record are kept in memory."""

    def __init__(
        self, game: Game, settings: Any, host: str, chance: Chance, happened: Happened
    ) -> None:
        # Who has connected is expected, and has the time that the bounds of programs give.
        limits = Limits(**{**game.limits, "first_message_seconds": 0.0})
        configured = Host(game=game, settings=settings, host=host, port=0, limits=limits)
        super().__init__(configured, Clock(), chance)
        self.ended: Ended | None = None  # how the match has ended
        self.record: bytes | None = None  # of the match, once it has ended
        self._happened = happened
        self._poller: Poller | None = None

    def convene(self, clients: Spawner, lobbies: trio.Nursery, poller: Poller | None) -> None:
        """Get ready; from now on, every step is told."""
        self._poller = poller
        self.open(clients, lobbies, poller)
        for lobby in self.hall.lobbies.values():
            lobby.watch = Bystander(self._happened, lobby)
        self.hall.make_lobby = self._make_lobby
        self.hall.foyer.watch = Bystander(self._happened)

    def _make_lobby(self, *args: Any) -> Lobby:
        lobby = Lobby(*args)
        lobby.watch = Bystander(self._happened, lobby)
        return lobby

    async def accept(
        self,
        listeners: Sequence[Listener],
        meet: Callable[[Link], Awaitable[None]],
        *,
        task_status: trio.TaskStatus[Any] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Let clients connect that come in here, until cancelled."""
        await self.game.transport.serve(
            meet,
            listeners,
            self._clients,
            poller=self._poller,
            door=self.door,
            task_status=task_status,
        )

    def meet(self, link: Link, *, hosted: bool) -> Connection:
        """A client that is to be served by `attend`."""
        return self._meet(link, hosted=hosted)

    async def attend(self, client: Connection) -> None:
        """Serve a client until it is gone."""
        await self._accompany(client)

    async def catch_up(self) -> None:
        """Handle what has arrived, before anybody is blamed for silence or for leaving.

        If this process had to wait for a core, an answer may be here that nobody has read.
        """
        if self._poller is not None:
            await self._poller.settle(trio.current_time())
        await trio.sleep(CATCH_UP_SECONDS)

    def _keep(self, lobby: Lobby, conclusion: Conclusion | None, files: Sequence[Save]) -> None:
        if conclusion is None or self.ended is not None:
            return
        ended, seconds = conclusion
        result = Result(
            time=self._clock.date(),
            game=self.game.name,
            endpoint=self.name,
            lobby=lobby.key,
            **fields_of(ended),
            seconds=round(seconds, 3),
        )
        if lobby.journal.complete:
            self.record = lobby.estate(self.hall.about, result).record()
        self.ended = ended
