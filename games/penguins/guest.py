"""A connection as the reception knows it."""

import attrs

from games.penguins.messages import Authenticate
from ludothek.runtime.client import Client
from ludothek.runtime.lobby import Lobby


@attrs.define(eq=False)
class Guest:
    """One connection, which may sit in several rooms and observe others."""

    client: Client
    admin: bool = False
    mistakes: int = 0  # how many of its requests were refused or could not be read
    tries: int = 0  # how many of its passwords were
    early: Authenticate | None = None  # has to wait for its turn, and so has all that follows
    departure: str = "LOST_CONNECTION"  # how it goes, in the words of the result
    _rooms: list[Lobby] = attrs.field(factory=list)

    @property
    def rooms(self) -> list[Lobby]:
        """The open rooms it is in."""
        return [room for room in self._rooms if room.open]

    def come_into(self, room: Lobby) -> None:
        # What is closed is forgotten here, so that playing on for days needs no more memory.
        self._rooms = [other for other in self.rooms if other is not room] + [room]
