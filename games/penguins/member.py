"""A player in a room, or the seat that is kept for one."""

import attrs

from games.penguins.messages import Cause
from games.penguins.rules import Team
from ludothek.contract.client import Client
from ludothek.kit import members


@attrs.frozen
class Admission:
    """The code of the seat that a client wants; without a code, it gets the first free seat."""

    reservation: str | None = None


@attrs.frozen
class Violation:
    """Why a player has lost before the end of the game."""

    cause: Cause
    reason: str


@attrs.define(eq=False)
class Member(members.Member):
    """One side of the game: free, reserved for whoever has the code, or taken by a client.

    One client may be both members of a room.
    """

    team: Team
    name: str = ""
    can_timeout: bool = False
    reservation: str | None = None
    client: Client | None = None
    departure: str = "LOST_CONNECTION"  # how the connection ends, in the words of the result
    violation: Violation | None = None

    def __str__(self) -> str:
        return f"{self.team.value}({self.name})"

    @property
    def given_name(self) -> str | None:
        """The protocol has names only for prepared games."""
        return self.name if self.name.strip() else None

    @property
    def label(self) -> str:
        """What to call the player where everybody needs a name."""
        return self.given_name or self.team.value

    @property
    def free(self) -> bool:
        return self.client is None and self.reservation is None

    def sit_down(self, client: Client) -> None:
        self.client, self.reservation = client, None
