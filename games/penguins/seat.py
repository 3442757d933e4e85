"""A place in a room, and what its player has done wrong."""

import attrs

from games.penguins.messages import Cause
from games.penguins.rules import Team
from ludothek.runtime.client import Client


@attrs.frozen
class Violation:
    """Why a player has lost before the end of the game."""

    cause: Cause
    reason: str


@attrs.define(eq=False)
class Seat:
    """One side of the game: free, reserved for whoever has the code, or taken."""

    team: Team
    name: str = ""
    can_timeout: bool = False
    reservation: str | None = None
    client: Client | None = None
    violation: Violation | None = None

    def __str__(self) -> str:
        return f"{self.team.value}({self.name})"

    @property
    def free(self) -> bool:
        return self.client is None and self.reservation is None

    def take(self, client: Client) -> None:
        self.client, self.reservation = client, None
