"""A connected client as the reception sees it, wherever it is."""

from collections.abc import Callable
from typing import Any

import attrs

from games.qwirkle.company import Admission
from games.qwirkle.messages import ClientType
from games.qwirkle.rights import Standing
from games.qwirkle.table import QwirkleTable
from ludothek.runtime.client import Client
from ludothek.runtime.lobby import Lobby


@attrs.define(eq=False)
class Visitor:
    """Somebody who has said who it is.

    After the end of a game a client is back in the lobby, but keeps its place in that game until
    it goes somewhere else: it may still ask about it, talk there, and leave it once.
    """

    client: Client
    client_type: ClientType
    lobby: Lobby | None = None  # of the game it is in, or was in until the end
    gone: bool = False  # has hung up
    summoned: bool = False  # has a seat, and is not there yet

    @property
    def standing(self) -> Standing:
        """What it is while it is not in a game."""
        if self.client_type is ClientType.PLAYER:
            return Standing.LOBBY_PLAYER
        return Standing.LOBBY_SPECTATOR

    @property
    def table(self) -> QwirkleTable | None:
        """The game where it has a place."""
        if self.lobby is None or not self.lobby.open:
            return None
        table = self.lobby.table
        return table if isinstance(table, QwirkleTable) and table.remembers(self.client) else None

    @property
    def is_free(self) -> bool:
        """Whether it can be put into a game."""
        return not self.gone and (self.table is None or self.table.session.ended)

    def admission(self, *, spectator: bool) -> Admission:
        return Admission(self.client_type, spectator)

    async def talk(self, answer: Callable[["Visitor", Any], None]) -> None:
        """Let each of its messages be answered, until it has a seat to go to."""
        await self.client.converse(lambda _, message: answer(self, message))

    def take_seat(self, lobby: Lobby, *, spectator: bool) -> None:
        """Be in a game from now on; its own task follows as soon as it can."""
        self.quit()
        lobby.let(lobby.table.enter, self.client, self.admission(spectator=spectator))
        self.lobby, self.summoned = lobby, True
        self.client.hush()  # what it says next is for the game

    async def attend(self, lobby: Lobby) -> None:
        """Take part in the game it was seated in, until it is over, or over for this client."""
        self.summoned = False
        await lobby.attend(self.client, None)

    def quit(self) -> None:
        """Give up the place it still has."""
        if self.lobby is not None and (table := self.table):
            self.lobby.let(table.forget, self.client)
        self.lobby = None
