"""Which games there are: the built-in ones, and those that other packages install."""

import importlib
import pkgutil
from importlib.metadata import entry_points

import games
from ludothek.contract.game import Game
from transports import BUGS

ENTRY_POINTS = "ludothek.games"


class UnknownGame(LookupError):
    """No game has this name."""


class BrokenGame(Exception):
    """A game is installed, but cannot be loaded; the text says why."""


def names() -> list[str]:
    """The names of all games that can be hosted."""
    return sorted(_builtin() | _installed())


def load(name: str) -> Game:
    """The game of that name.

    Raises:
      UnknownGame: there is none.
      BrokenGame: its package cannot be imported, or holds something else.
    """
    try:
        if name in _builtin():
            game = importlib.import_module(f"games.{name}").GAME
        elif found := entry_points(group=ENTRY_POINTS, name=name):
            game = next(iter(found)).load()
        else:
            raise UnknownGame(name)
    except UnknownGame:
        raise
    except BUGS as bug:
        reason = f"{type(bug).__name__}: {bug}"
        raise BrokenGame(f"the game {name!r} cannot be loaded: {reason}") from bug
    if not isinstance(game, Game):
        raise BrokenGame(f"the game {name!r} cannot be loaded: {type(game).__name__} is no Game")
    return game


def _builtin() -> set[str]:
    return {module.name for module in pkgutil.iter_modules(games.__path__)}


def _installed() -> set[str]:
    return {found.name for found in entry_points(group=ENTRY_POINTS)}
