"""What every transport offers to the core: a link that carries one message per frame."""

import enum
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

import attrs
import trio

from transports.complaint import Complaint
from transports.reasons import brief

if TYPE_CHECKING:
    from transports.poller import Poller
    from transports.terms import Door


class Farewell(enum.Enum):
    """Why we end a connection; a transport with close codes translates it into one of them."""

    DONE = "done"
    GOING_AWAY = "server is shutting down"
    REFUSED = "too many violations of the protocol"
    KICKED = "removed by the organiser"
    FAULT = "internal server error"


@attrs.frozen
class Unreadable:
    """A frame the transport could not take for a message, and why; the connection goes on."""

    reason: str = attrs.field(converter=brief)


@attrs.frozen
class OutboxLimits:
    """What may wait for a peer that reads slowly, and how long the next bytes may take.

    The largest burst is what happens at once in the thousand lobbies that one peer may watch over,
    two frames each and twice for who watches twice; so a full outbox means: this peer does not
    read. `total` is for all peers together: beyond it, those with most waiting are given up.
    """

    frames: int = 4096
    bytes: int = 4 * 1024 * 1024
    seconds: float = 10.0
    total: int = 256 * 1024 * 1024


OUTBOX_LIMITS = OutboxLimits()

# A frame that has arrived; what cannot be read is told as well.
Frame = bytes | Unreadable


class Link(Protocol):
    """A connection that receives and sends frames, each the bytes of exactly one message."""

    outbox_limits: OutboxLimits
    # Called when the peer goes beyond its terms: to tell it so, and to hang up.
    on_breach: Callable[[Complaint], None] | None

    @property
    def peer(self) -> str:
        """The other end's address, for people."""

    @property
    def gone(self) -> bool:
        """Whether the peer has hung up, also if something it said before is still to be heard."""

    @property
    def complaint(self) -> Complaint | None:
        """Why the peer was given up, if it was."""

    async def receive(self) -> Frame:
        """The next frame; always a checkpoint.

        Raises:
          trio.EndOfChannel: the peer has hung up.
          trio.BrokenResourceError: the connection is lost.
        """

    async def converse(self, hear: Callable[[Frame], None]) -> None:
        """Let `hear` be called with every frame, the moment it arrives, until `hush` is.

        Raises like `receive`.
        """

    def charge(self, copies: int) -> None:
        """What the peer has said was told to so many others."""

    def hush(self) -> None:
        """End the conversation; frames are kept from now on."""

    def end(self) -> None:
        """Hear nothing more; who waits for a frame is told that there will be none."""

    def post(self, frame: bytes) -> None:
        """Write one frame, or keep it until the peer reads; a peer that does not is given up."""

    async def send(self, frame: bytes) -> None:
        """Write one frame, and wait while the peer has much to read already.

        Raises:
          trio.BrokenResourceError: the connection is lost.
        """

    @property
    def waiting_frames(self) -> int:
        """Frames that are kept until the peer reads."""

    @property
    def waiting_bytes(self) -> int: ...

    async def flush(self) -> None:
        """Wait until nothing is kept any more, or the connection is lost."""

    async def aclose(self, farewell: Farewell = Farewell.DONE) -> None:
        """End the connection as politely as the protocol knows how."""


class Spawner(Protocol):
    """The part of a nursery that listeners need."""

    def start_soon(
        self, work: Callable[..., Awaitable[object]], /, *args: Any, name: object = None
    ) -> None: ...


class Transport(Protocol):
    """A way to turn streams into links, on either side."""

    @property
    def scheme(self) -> str:
        """How addresses of this transport begin, e.g. ``ws``."""

    async def serve(
        self,
        handler: Callable[[Link], Awaitable[None]],
        listeners: Sequence[trio.SocketListener],
        clients: Spawner,
        *,
        poller: "Poller | None",
        door: "Door" = ...,
        task_status: trio.TaskStatus[Any] = trio.TASK_STATUS_IGNORED,
    ) -> NoReturn:
        """Run `handler` in `clients` for every peer that connects and may come in.

        Without a poller, as on systems without epoll, each of them has tasks of its own.
        """

    def connect(self, host: str, port: int) -> AbstractAsyncContextManager[Link]:
        """Call a server; raises OSError if it cannot be reached."""
