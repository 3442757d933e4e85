"""What the reception and the tables tell each other."""

import attrs

from ludothek.contract.client import Client


@attrs.frozen
class CreatorLeft:
    """The client that created the lobby is gone."""


@attrs.frozen
class MakeRoom:
    """The lobby has to close because another one needs its place."""


@attrs.frozen
class ListWanted:
    """A client in a lobby wants to know which lobbies it could join."""

    client: Client
