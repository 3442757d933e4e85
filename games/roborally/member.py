"""A client at the table: who it is, and what it has said about itself."""

import attrs

from games.roborally.messages import PlayerAdded, PlayerStatus
from ludothek.contract.names import has_control_characters, skeleton
from ludothek.runtime.client import Client

MAX_NAME = 32

# The client of 2019 counts its figures from 1, later ones from 0.
FIGURES = range(7)


@attrs.frozen
class Guest:
    """Somebody who has said HelloServer and wants to come in."""

    group: str
    is_ai: bool


@attrs.define(eq=False)
class Member:
    """Somebody at the table; with values a player, with a robot in a running game perhaps."""

    player_id: int
    guest: Guest
    client: Client | None  # None while the player is gone and may come back
    since: float = 0.0
    name: str = ""
    figure: int | None = None
    ready: bool = False

    @property
    def is_player(self) -> bool:
        return self.figure is not None

    @property
    def added(self) -> PlayerAdded:
        assert self.figure is not None
        return PlayerAdded(self.player_id, self.name, self.figure)

    @property
    def status(self) -> PlayerStatus:
        return PlayerStatus(self.player_id, self.ready)


def name_objection(name: str) -> str | None:
    """Why a trimmed name is none, if it is none."""
    if not name:
        return "The name is empty."
    if len(name) > MAX_NAME:
        return f"The name is longer than {MAX_NAME} characters."
    if has_control_characters(name):
        return "The name contains control characters."
    if not skeleton(name):
        return "The name cannot be seen."
    return None
