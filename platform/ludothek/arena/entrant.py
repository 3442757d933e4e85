"""Whoever takes part in a tournament."""

import enum
from collections.abc import Mapping

import attrs

# Words in a command line that are replaced when a program is started, written in braces.
PLACEHOLDERS = ("host", "port", "lobby", "name", "password", "reservation", "team", "difficulty")


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
    # What only some games have, for bots as for {team} and the like: team, reservation, …
    options: Mapping[str, str] = attrs.field(factory=dict)
