"""What the endpoints of a daemon are called, in commands, metrics and files."""

from collections.abc import Container, Sequence
from itertools import count


def names_for(games: Sequence[str], before: Sequence[str | None]) -> list[str]:
    """Names for the hosts of a configuration, each given by its game and by what it was called.

    They are the names that a fresh start would give: that of the game, and with ``-2``, ``-3`` …
    where it is hosted several times. Which host has which of them changes as little as possible:
    whoever is called by one of them already keeps it, the others take the rest in their order.
    """
    free = {game: [_numbered(game, n + 1) for n in range(games.count(game))] for game in games}
    kept = [name if name in free[game] else None for game, name in zip(games, before, strict=True)]
    rest = {game: iter([n for n in names if n not in kept]) for game, names in free.items()}
    return [name or next(rest[game]) for game, name in zip(games, kept, strict=True)]


def retired_name(game: str, taken: Container[str]) -> str:
    """A name for an endpoint that has to give its own to another one, and soon ends."""
    names = (_numbered(f"{game}-old", number) for number in count(1))
    return next(name for name in names if name not in taken)


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name}-{number}"
