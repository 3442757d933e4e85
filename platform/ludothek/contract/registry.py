"""Which games there are: the built-in ones, and those that other packages install."""

import importlib
import pkgutil
from importlib.metadata import entry_points

import games
from ludothek.contract.game import Game

ENTRY_POINTS = "ludothek.games"


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
