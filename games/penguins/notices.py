"""What the reception tells the tables, apart from the requests of administrators."""

import attrs

from ludothek.contract.client import Client


@attrs.frozen
class Observing:
    """An administrator starts to observe the room."""

    client: Client


@attrs.frozen
class ObserverLeft:
    """The connection of an observer is over."""

    client: Client


@attrs.frozen
class Parting:
    """The connection of a player is about to end, in this way."""

    client: Client
    how: str  # in the words of the result


@attrs.frozen
class Hurry:
    """Something else is about to be sent to the player that is about to be asked for a move."""


@attrs.frozen
class MakeRoom:
    """The game has to end because others need the room; its next player has long been silent."""
