"""The talk before the lobby: HelloClient, HelloServer, and a lobby that is always there."""

from itertools import count
from math import inf
from typing import Any

import structlog
import trio

from games.roborally.match import rehearse
from games.roborally.member import Guest
from games.roborally.messages import VERSION, Error, HelloClient, HelloServer
from games.roborally.settings import OnDisconnect, Settings
from games.roborally.table import HINT, RoboRallyTable
from ludothek.contract.codec import Malformed
from ludothek.runtime.client import Client
from ludothek.runtime.hall import Hall
from ludothek.runtime.lobby import Lobby
from transports import Farewell

log = structlog.get_logger()

# A group's name is shown to the organiser only; a longer one is cut.
MAX_GROUP = 64


class RoboRallyReception:
    """The door of the one lobby of a port."""

    def __init__(self, hall: Hall, settings: Settings) -> None:
        self._hall = hall
        self._settings = settings
        self._player_ids = count(1)
        self._lobby_ids = count(1)
        self._current = self._open()
        if settings.bots or settings.on_disconnect is OnDisconnect.AI:
            rehearse(settings.board)

    def adopt(self, settings: Settings) -> None:
        self._settings = settings
        self._current.finish()  # this port has one lobby only: the next one is as the new ones say

    async def visit(self, client: Client) -> None:
        guest = await self._greet(client)
        if guest is None:
            return
        if self._has_room_for(client):
            await self._lobby.attend(client, guest)
        else:
            client.send(Error("The lobby is full."))
            client.close(Farewell.REFUSED)

    def _has_room_for(self, client: Client) -> bool:
        lobby = self._lobby
        if self._hall.is_crowded(lobby, client) and isinstance(lobby.table, RoboRallyTable):
            lobby.let(lobby.table.make_room, client)
        return not self._hall.is_crowded(lobby, client)

    async def _greet(self, client: Client) -> Guest | None:
        client.send(HelloClient(VERSION))
        with trio.move_on_after(self._settings.greeting_seconds or inf):
            while True:
                message = await client.receive()
                if not isinstance(message, HelloServer):
                    client.send(self._error(_no_hello(message)))
                elif message.protocol != VERSION:
                    client.send(Error(f"This server speaks {VERSION} only."))
                    return None
                else:
                    return Guest(message.group.strip()[:MAX_GROUP], message.is_ai)
        log.info("client did not say HelloServer", seconds=self._settings.greeting_seconds)
        return None

    def _error(self, reason: str) -> Error:
        return Error(reason if self._settings.detailed_errors else HINT)

    @property
    def _lobby(self) -> Lobby:
        """The lobby of this port; another one if the last one broke."""
        if not self._current.open:
            self._current = self._open()
        return self._current

    def _open(self) -> Lobby:
        return self._hall.open(
            str(next(self._lobby_ids)),
            lambda rng: RoboRallyTable(self._settings, self._hall.clock, rng, self._player_ids),
        )


def _no_hello(message: Any) -> str:
    if isinstance(message, Malformed):
        return message.reason
    return f"Say HelloServer before {type(message).__name__}."
