"""Whoever takes part in a tournament."""

import enum
from collections.abc import Mapping

import attrs

from ludothek.contract.game import Game
from ludothek.contract.player import THINK_SECONDS

# Words in braces that are replaced in a command line when a program is started. They are the same
# for all games, and empty where a game has nothing of the kind.
PLACEHOLDERS = ("host", "port", "lobby", "name", "password", "reservation", "team", "difficulty")


def placeholders_of(game: Game | None) -> tuple[str, ...]:
    """All words that are replaced; options of a game's own player are among them."""
    own = (option.key for option in (game.bot_options if game else ()))
    return tuple(dict.fromkeys((*PLACEHOLDERS, *own)))


class Kind(enum.StrEnum):
    """How an entrant comes to play."""

    COMMAND = "command"  # a program that is started for each game
    BOT = "bot"  # built in
    REMOTE = "remote"  # a client that connects from elsewhere, under the entrant's name


@attrs.frozen(kw_only=True)
class Entrant:
    """Somebody who takes part, as plain data."""

    name: str
    kind: Kind
    command: tuple[str, ...] = ()  # the words of the command line, with placeholders
    folder: str | None = None  # where the program lives; its first word may be relative to it
    environment: Mapping[str, str] = attrs.field(factory=dict)  # in addition to a clean one
    difficulty: int = 0  # of a bot; for a program, the value of {difficulty}
    think_seconds: float = THINK_SECONDS  # of a bot, for a move
    # What only some games have: options of a bot, which are words of a command line as well.
    options: Mapping[str, str] = attrs.field(factory=dict)
