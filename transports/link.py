"""What every transport offers to the core: a link that carries one message per frame."""

import enum
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

import attrs
import trio

from transports.complaint import Complaint
from transports.reasons import brief

if TYPE_CHECKING:
    from transports.durable_link import DurableLink
    from transports.listening import Accepted
    from transports.poller import Poller
    from transports.recovered_link import RecoveredLink
    from transports.stored_listener import Listener
    from transports.terms import Door


class Farewell(enum.Enum):
    """Why we end a connection; a transport with close codes maps it to one of them."""

    DONE = "done"
    GOING_AWAY = "server is shutting down"
    REFUSED = "too many violations of the protocol"
    KICKED = "removed by the organiser"
    FAULT = "internal server error"


@attrs.frozen
class Unreadable:
    """A frame that the transport could not turn into a message, and why; the connection goes on."""

    reason: str = attrs.field(converter=brief)


@attrs.frozen
class OutboxLimits:
    """How much may wait for a peer that reads slowly, and how long the next write may take.

    The largest burst is an event in all of the thousand lobbies that one peer may watch at once,
    with two frames each, doubled for a peer that watches twice; so a full outbox means that the
    peer has stopped reading. `total` is for all peers together: beyond it, the peers with the
    largest backlogs are dropped.
    """

    frames: int = 4096
    bytes: int = 4 * 1024 * 1024
    seconds: float = 10.0
    total: int = 256 * 1024 * 1024


OUTBOX_LIMITS = OutboxLimits()

# A frame that has arrived; unreadable ones are passed on as well.
Frame = bytes | Unreadable


class Link(Protocol):
    """A connection that receives and sends frames, each the bytes of exactly one message."""

    outbox_limits: OutboxLimits
    # Called when the peer breaks its limits: to tell it so, and to hang up.
    on_breach: Callable[[Complaint], None] | None

    @property
    def ledger_id(self) -> int:
        """The number under which the ledger knows it; 0: not at all."""

    @property
    def peer(self) -> str:
        """The address of the other end, for people."""

    @property
    def gone(self) -> bool:
        """Whether the peer has hung up, even if some of what it sent is not handled yet."""

    @property
    def complaint(self) -> Complaint | None:
        """Why the peer was dropped, if it was."""

    @property
    def broken(self) -> str:
        """How the peer has broken the protocol that carries frames, after which none can come."""

    async def receive(self) -> Frame:
        """The next frame; always a checkpoint.

        Raises:
          trio.EndOfChannel: the peer has hung up.
          trio.BrokenResourceError: the connection is lost.
        """

    async def converse(self, hear: Callable[[Frame], None]) -> None:
        """Call `hear` with every frame the moment it arrives, until `hush` is called.

        Raises like `receive`.
        """

    def charge(self, copies: int) -> None:
        """Charge the peer for a message that was passed on to that many others."""

    def hush(self) -> None:
        """End the conversation; frames are kept from now on."""

    async def rest(self) -> None:
        """Wait until something changes: `hush` is called, the peer hangs up, a frame arrives."""

    def end(self, farewell: Farewell = Farewell.DONE) -> None:
        """Stop listening; whoever waits for a frame is told that there will be none.

        The link will be closed with that farewell, by whoever comes after us if need be.
        """

    def post(self, frame: bytes) -> None:
        """Write a frame, or keep it until the peer reads; a peer that stops reading is dropped."""

    async def send(self, frame: bytes) -> None:
        """Write one frame, and wait while the peer has a large backlog to read.

        Raises:
          trio.BrokenResourceError: the connection is lost.
        """

    @property
    def waiting_frames(self) -> int:
        """Frames that wait until the peer reads."""

    @property
    def waiting_bytes(self) -> int: ...

    async def flush(self) -> None:
        """Wait until nothing is waiting, or the connection is lost."""

    async def aclose(self, farewell: Farewell = Farewell.DONE) -> None:
        """End the connection as cleanly as the protocol allows."""


class Spawner(Protocol):
    """The part of a nursery that listeners need."""

    def start_soon(
        self, work: Callable[..., Awaitable[object]], /, *args: Any, name: object = None
    ) -> None: ...


class Transport(Protocol):
    """A way to turn streams into links, on either side."""

    @property
    def scheme(self) -> str:
        """The scheme of this transport's URLs, e.g. ``ws``."""

    async def serve(
        self,
        handler: Callable[[Link], Awaitable[None]],
        listeners: "Sequence[Listener]",
        clients: Spawner,
        *,
        poller: "Poller | None",
        door: "Door" = ...,
        accepted: "Iterable[Accepted]" = (),
        task_status: trio.TaskStatus[Any] = trio.TASK_STATUS_IGNORED,
    ) -> NoReturn:
        """Run `handler` in `clients` for every peer that connects and is let in.

        Without a poller, as on systems without epoll, each link has tasks of its own. `accepted`
        are connections of an earlier process that its ledger does not know.
        """

    def resume(
        self, sock: socket.socket, recovered: "RecoveredLink", poller: "Poller", door: "Door"
    ) -> "DurableLink":
        """The link that an earlier process had over this socket; for pollers with a ledger."""

    def connect(self, host: str, port: int) -> AbstractAsyncContextManager[Link]:
        """Connect to a server; raises OSError if it cannot be reached."""
