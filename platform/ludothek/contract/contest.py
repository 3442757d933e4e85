"""How a match is set up between players who are known beforehand, as in a tournament."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from ludothek.contract.frozen import frozen
from ludothek.contract.orders import Opening

# Of a name that most protocols allow.
USUAL_NAME = 30


@frozen
class Contestant:
    """A player who is expected."""

    name: str  # in the game's protocol
    informed: bool  # knows what `Contest.keys` says about the seat


@frozen(kw_only=True)
class Contest:
    """What a game has to say about matches whose players and their order are known beforehand."""

    # Settings for that many players; those that the organiser has chosen take precedence.
    settings: Callable[[int], Mapping[str, Any]] = lambda players: {}
    # Further ones, of tournaments: clients open no other lobbies, where an opponent would wait.
    closed: Mapping[str, Any] = attrs.field(factory=dict)
    # The lobby of that name for these players, in the order of turns, at an endpoint with these
    # settings. None: the endpoint has a lobby of its own.
    opening: Callable[[str, Sequence[Contestant], Any], Opening] | None = None
    # What only the player on that seat of a table must know: options of a bot, words of a command.
    keys: Callable[[Any, int], Mapping[str, str]] = lambda table, seat: {}
    # A name of the protocol that resembles that of the player.
    name: Callable[[str], str] = lambda name: name[:USUAL_NAME]
