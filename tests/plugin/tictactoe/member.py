"""A player or spectator in a lobby."""

import attrs
from ludothek import api
from ludothek.api import Client, has_control_characters, skeleton

from tictactoe.rules import Side

MAX_NAME = 32


def is_name(text: str) -> bool:
    """Any short text that can be seen, for people and lobbies alike."""
    return len(text) <= MAX_NAME and skeleton(text) != "" and not has_control_characters(text)


@attrs.frozen
class Admission:
    """How a client comes into a lobby."""

    spectator: bool


@attrs.define(eq=False)
class Member(api.Member):
    """Somebody in a lobby; the side is known once the match begins."""

    client: Client
    spectator: bool
    side: Side | None = None

    @property
    def name(self) -> str:
        return self.client.name
