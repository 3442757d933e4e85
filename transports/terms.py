"""What a peer may have of us, and who decides that."""

from math import inf
from typing import Protocol

import attrs
import trio

from transports.complaint import Complaint
from transports.link import OUTBOX_LIMITS, OutboxLimits
from transports.meter import Bucket, Rate
from transports.origins import Origins


@attrs.frozen(kw_only=True)
class Terms:
    """The limits of one connection; without any, it is one that we have asked for ourselves."""

    handshake_seconds: float = inf
    first_seconds: float = inf  # until the first message is complete
    idle_seconds: float = inf  # between two messages
    frame_seconds: float = inf  # from the first byte of a message to its last
    messages: Rate | None = None
    bytes: Rate | None = None
    address: Bucket | None = None  # the messages of all peers of the same address
    outbox: OutboxLimits = OUTBOX_LIMITS
    origins: Origins | None = None  # of web pages that may connect; None: of all


TERMS = Terms()

# For a server that we have called: it may be silent, but not stop in the middle of a message.
OF_SERVERS = Terms(frame_seconds=60.0)


class Door(Protocol):
    """Asked for every peer that connects, by the address of its host."""

    @property
    def handshakes(self) -> set[trio.CancelScope]:
        """Those that are under way; who wants to wait no longer cancels them."""

    @property
    def sign(self) -> str:
        """What is behind the door, for people who have come to it by mistake."""

    @property
    def proxy_protocol(self) -> bool:
        """Whether proxies that are trusted begin with a PROXY header."""

    def trusts(self, host: str) -> bool:
        """Whether it is a proxy that may name the clients it speaks for."""

    def enter(self, host: str) -> Terms | Complaint:
        """The terms on which a peer may come in, or why it may not; who came in leaves once.

        The host is empty for a proxy that has not named its client yet.
        """

    def leave(self, host: str) -> None: ...

    def drop(self, complaint: Complaint, host: str) -> None:
        """A peer was let in, but is sent away before there is a link to it."""

    def words(self, complaint: Complaint) -> bytes | None:
        """What the protocol says to a peer that may not come in, as a frame."""


@attrs.frozen
class Stay:
    """A peer behind a door, for as long as its connection lasts."""

    door: Door
    host: str  # for which it counts

    def end(self) -> None:
        self.door.leave(self.host)


@attrs.frozen
class OpenDoor:
    """Everybody may come in, on the same terms."""

    terms: Terms = TERMS
    handshakes: set[trio.CancelScope] = attrs.field(factory=set)
    sign: str = "a game"
    proxy_protocol: bool = False

    def trusts(self, host: str) -> bool:
        return False

    def enter(self, host: str) -> Terms | Complaint:
        return self.terms

    def leave(self, host: str) -> None:
        pass

    def drop(self, complaint: Complaint, host: str) -> None:
        pass

    def words(self, complaint: Complaint) -> bytes | None:
        return None


OPEN_DOOR = OpenDoor()
