"""What the reception, the games and the tournaments tell each other."""

from collections.abc import Mapping, Sequence

import attrs

from games.qwirkle.configuration import Configuration
from ludothek.contract.client import Client
from ludothek.contract.orders import Order

# What a game tells the reception.


@attrs.frozen
class PlayerCame:
    """A player has joined the game."""


@attrs.frozen
class GameOver:
    """The game is over; if it belongs to a tournament, the tournament is told, too."""

    game: str  # its key
    winner: int | None
    tournament: str | None


@attrs.frozen
class GamePaused:
    """A game of a tournament is paused, or goes on; the tournament is told, too."""

    game: str  # its key
    paused: bool
    tournament: str


# What a tournament tells the reception.


@attrs.frozen
class RoundDrawn:
    """These games are to be opened, each under its name and with its players, and then started."""

    config: Configuration
    games: Mapping[str, Sequence[Client]]


@attrs.frozen
class Relay:
    """An order is meant for these games."""

    order: Order
    games: Sequence[str]


# What the reception tells a game, besides orders of its tournament.


@attrs.frozen
class Forget:
    """A client has no more questions about the ended game."""

    client: Client


# What the reception tells a tournament, besides what happens to its games.


@attrs.frozen
class Enrol:
    """These clients take part; they are in the lobby."""

    clients: Sequence[Client]


@attrs.frozen
class Away:
    """A participant has gone into a game, or has left the server."""

    client: Client


@attrs.frozen
class Back:
    """A participant is in the lobby again."""

    client: Client


@attrs.frozen
class RoundOpened:
    """These are the games of the round that was drawn."""

    games: Sequence[str]
