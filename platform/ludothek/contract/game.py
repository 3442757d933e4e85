"""A game as the core sees it, and how games are found."""

import importlib
import pkgutil
import random
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import entry_points
from typing import Any, Protocol, runtime_checkable

import attrs

import games
from ludothek.contract.clock import Clock
from ludothek.contract.codec import Codec
from ludothek.contract.orders import Opening
from ludothek.contract.player import Player
from ludothek.runtime.client import Client
from ludothek.runtime.hall import Hall
from ludothek.runtime.lobby import Lobby
from transports import Transport

ENTRY_POINTS = "ludothek.games"


class Reception(Protocol):
    """The talk outside of lobbies, with one client at a time."""

    async def visit(self, client: Client) -> None:
        """Talk with a client until it hangs up or is sent away.

        Both are learned by waiting for the client (`receive`, `converse`, `Lobby.attend`); whatever
        else is waited for has to take a moment only.
        """


@runtime_checkable
class Organised(Protocol):
    """A reception that an organiser may ask for more than the clients can."""

    def open(self, opening: Opening) -> Lobby:
        """Open a lobby, or raise OrderRefused."""

    def seat(self, lobby: Lobby, clients: Sequence[Client], *, spectator: bool) -> None:
        """Put clients that wait into a lobby, all or none, or raise OrderRefused."""


@runtime_checkable
class Adaptable(Protocol):
    """A reception that takes new settings while it is open."""

    def adopt(self, settings: Any) -> None:
        """Open lobbies with these settings from now on; those that are open keep theirs."""


@attrs.frozen
class Rules:
    """A game's rules in the form every game shares, for tests that cover all games."""

    start: Callable[[random.Random], Any]
    legal_actions: Callable[[Any], Sequence[Any]]
    apply: Callable[[Any, Any, random.Random], Any]
    over: Callable[[Any], bool]


@attrs.frozen
class Game:
    """All the core needs to know of a game."""

    name: str
    title: str
    protocol: str
    version: str
    transport: Transport
    port: int
    players: int  # how many a match needs at least
    settings: type[Any]
    codec: Callable[[Clock, Any], Codec]  # the second is the game's settings
    reception: Callable[[Hall, Any], Reception]
    rules: Rules
    player: Callable[..., Player]
    difficulties: Sequence[str]
    draw: Callable[[str], str] | None = None  # a course, by name or file, as text
    # Limits that its clients need otherwise; what an operator sets stands above them.
    limits: Mapping[str, Any] = attrs.field(factory=dict)


class UnknownGame(LookupError):
    """No game has this name."""


def names() -> list[str]:
    """The names of all games that can be hosted."""
    return sorted(_builtin() | _installed())


def load(name: str) -> Game:
    """The game of that name; raises UnknownGame."""
    if name in _builtin():
        game = importlib.import_module(f"games.{name}").GAME
    elif found := entry_points(group=ENTRY_POINTS, name=name):
        game = next(iter(found)).load()
    else:
        raise UnknownGame(name)
    assert isinstance(game, Game)
    return game


def _builtin() -> set[str]:
    return {module.name for module in pkgutil.iter_modules(games.__path__)}


def _installed() -> set[str]:
    return {found.name for found in entry_points(group=ENTRY_POINTS)}
