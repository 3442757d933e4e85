"""The limits of a peer, and who sets them."""

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
    """The limits of one connection; without any, it is one that we have opened ourselves."""

    handshake_seconds: float = inf
    first_seconds: float = inf  # until the first message is complete
    idle_seconds: float = inf  # between two messages
    frame_seconds: float = inf  # from the first byte of a message to its last
    messages: Rate | None = None
    bytes: Rate | None = None
    address: Bucket | None = None  # the messages of all peers from the same address
    outbox: OutboxLimits = OUTBOX_LIMITS
    origins: Origins | None = None  # of web pages that may connect; None: all


TERMS = Terms()

# For a server that we connect to: it may be silent, but not stop in the middle of a message.
OF_SERVERS = Terms(frame_seconds=60.0)


class Door(Protocol):
    """Asked about every peer that connects, by the address of its host."""

    @property
    def handshakes(self) -> set[trio.CancelScope]:
        """Those in progress; cancelling them ends the wait."""

    @property
    def sign(self) -> str:
        """What is behind the door, for people who came here by mistake."""

    @property
    def proxy_protocol(self) -> bool:
        """Whether trusted proxies begin with a PROXY header."""

    def trusts(self, host: str) -> bool:
        """Whether it is a proxy that may name the clients it speaks for."""

    def enter(self, host: str) -> Terms | Complaint:
        """The terms on which a peer is let in, or why it is not; each one let in leaves once.

        The host is empty for a proxy that has not named its client yet.
        """

    def readmit(self, host: str) -> Terms:
        """The terms for a peer that an earlier process has let in."""

    def leave(self, host: str) -> None: ...

    def drop(self, complaint: Complaint, host: str) -> None:
        """A peer was let in, but is dropped before there is a link to it."""

    def words(self, complaint: Complaint) -> bytes | None:
        """The frame that tells a peer in its protocol why it is refused, if there is one."""


@attrs.frozen
class Stay:
    """A peer behind a door, for as long as its connection lasts."""

    door: Door
    host: str  # that it is counted for

    def end(self) -> None:
        self.door.leave(self.host)


@attrs.frozen
class OpenDoor:
    """Lets everybody in, on the same terms."""

    terms: Terms = TERMS
    handshakes: set[trio.CancelScope] = attrs.field(factory=set)
    sign: str = "a game"
    proxy_protocol: bool = False

    def trusts(self, host: str) -> bool:
        return False

    def enter(self, host: str) -> Terms | Complaint:
        return self.terms

    def readmit(self, host: str) -> Terms:
        return self.terms

    def leave(self, host: str) -> None:
        pass

    def drop(self, complaint: Complaint, host: str) -> None:
        pass

    def words(self, complaint: Complaint) -> bytes | None:
        return None


OPEN_DOOR = OpenDoor()
