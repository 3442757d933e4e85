"""How the wire log listens to a client."""

from typing import Protocol

from ludothek.contract.clauses import Breach, Consequence
from transports import Farewell


class Tap(Protocol):
    """Is called with every frame of a client; never blocks and never raises."""

    def heard(self, client: "Tapped", frame: bytes) -> None:
        """The client has sent us a frame."""

    def said(self, client: "Tapped", frame: bytes) -> None:
        """We have sent the client a frame."""

    def note(self, client: "Tapped", text: str) -> None:
        """Something other than a frame has happened."""

    def explained(self, client: "Tapped", explanation: "Explained") -> None:
        """The client has broken a clause."""


class Explained(Protocol):
    """A clause that was broken, and what came of it."""

    @property
    def breach(self) -> Breach: ...

    @property
    def consequence(self) -> Consequence: ...


class Tapped(Protocol):
    """What the wire log needs to know of a client."""

    tap: Tap | None
    number: int
    key: str
    name: str
    peer: str

    @property
    def place(self) -> str | None:
        """The lobby it is in."""

    @property
    def farewell(self) -> Farewell | None:
        """Why we have ended the connection, if we have."""
