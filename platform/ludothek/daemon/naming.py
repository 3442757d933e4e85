"""The names of a daemon's endpoints in commands, metrics and files."""

from collections.abc import Container, Sequence
from itertools import count


def names_for(games: Sequence[str], before: Sequence[str | None]) -> list[str]:
    """Names for the hosts of a configuration, given the game and the former name of each.

    They are the names that a fresh start would give: the game's, with ``-2``, ``-3`` … if it is
    hosted several times. As few hosts as possible change their names: a host that has one of them
    already keeps it, and the others take the rest in order.
    """
    free = {game: [_numbered(game, n + 1) for n in range(games.count(game))] for game in games}
    kept = [name if name in free[game] else None for game, name in zip(games, before, strict=True)]
    rest = {game: iter([n for n in names if n not in kept]) for game, names in free.items()}
    return [name or next(rest[game]) for game, name in zip(games, kept, strict=True)]


def retired_name(game: str, taken: Container[str]) -> str:
    """A name for an endpoint that ends soon and has to give its own to another one."""
    names = (_numbered(f"{game}-old", number) for number in count(1))
    return next(name for name in names if name not in taken)


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name}-{number}"
