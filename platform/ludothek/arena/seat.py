"""A seat in one game: the entrant on it, and what is known about how it plays."""

import attrs
import trio

from ludothek.arena.entrant import Entrant
from ludothek.arena.outcome import Reason
from ludothek.arena.program import Program
from ludothek.runtime.connection import Connection
from transports import Link


@attrs.frozen
class Offence:
    """Why an entrant has lost, whatever the game says."""

    reason: Reason
    words: str


@attrs.define(eq=False)
class Seat:
    """The entrant who has that turn; seats are counted from 0."""

    number: int
    entrant: Entrant
    name: str  # in the protocol of the game
    keys: dict[str, str] = attrs.field(factory=dict)  # what only it must know
    program: Program | None = None
    link: Link | None = None  # its connection, served or not
    client: Connection | None = None  # once it is served
    admitted: trio.Event = attrs.field(factory=trio.Event)  # it may be served
    admitted_at: float = 0.0
    played: bool = False  # it was there when the match began
    departed: bool = False  # it was no longer there before the match ended
    sent_away: bool = False  # and that was the decision of the game or the server
    awaited: bool = False  # when it departed, it was expected to do something
    dismissed: bool = False  # it was there when the game was over
    offence: Offence | None = None

    @property
    def connected(self) -> bool:
        return self.link is not None and not self.link.gone

    def blame(self, reason: Reason, words: str) -> None:
        """It has lost; the first reason counts."""
        if self.offence is None:
            self.offence = Offence(reason, words)
