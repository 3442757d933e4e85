"""A connected client as the reception sees it, wherever it is."""

from collections.abc import Mapping

import attrs

from games.qwirkle.messages import ClientType
from games.qwirkle.refusals import Standing
from games.qwirkle.table import QwirkleTable
from ludothek.contract.client import Client
from ludothek.contract.table import Table


@attrs.define(eq=False)
class Visitor:
    """A client that has identified itself."""

    client_type: ClientType
    game: str = ""  # the key of the one it entered last

    @property
    def standing(self) -> Standing:
        """What it is while it is not in a game."""
        if self.client_type is ClientType.PLAYER:
            return Standing.LOBBY_PLAYER
        return Standing.LOBBY_SPECTATOR


def game_of(client: Client, tables: Mapping[str, Table]) -> QwirkleTable | None:
    """The game in which a client has a place.

    After the end of a game a client is back in the lobby, but keeps its place in that game until
    it goes somewhere else: it may still ask about it, chat there, and leave it once.
    """
    visitor: Visitor = client.visitor
    if (table := tables.get(visitor.game)) is None:
        return None  # without asking what it is, which takes long for a class with a protocol
    return table if isinstance(table, QwirkleTable) and table.remembers(client) else None


def is_free(client: Client, tables: Mapping[str, Table]) -> bool:
    """Whether a client is connected and can be put into a game."""
    if client.visitor is None:
        return False
    game = game_of(client, tables)
    return game is None or game.match.ended
