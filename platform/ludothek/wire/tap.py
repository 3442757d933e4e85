"""What a client knows of those who listen in."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ludothek.runtime.connection import Connection


class Tap(Protocol):
    """Is told what a client says and hears; never waits and never fails."""

    def heard(self, client: "Connection", frame: bytes) -> None:
        """The client has sent us a frame."""

    def said(self, client: "Connection", frame: bytes) -> None:
        """We have sent the client a frame."""

    def note(self, client: "Connection", text: str) -> None:
        """Something happened that is no frame."""
