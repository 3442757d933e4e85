"""What every transport offers to the core: a link that carries one message per frame."""

import enum
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, NoReturn, Protocol

import attrs
import trio


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

    reason: str


class Link(Protocol):
    """A connection that receives and sends frames, each the bytes of exactly one message."""

    @property
    def peer(self) -> str:
        """The other end's address, for people."""

    async def receive(self) -> bytes | Unreadable:
        """The next frame; always a checkpoint.

        Raises:
          trio.EndOfChannel: the peer has hung up.
          trio.BrokenResourceError: the connection is lost.
        """

    async def send(self, frame: bytes) -> None:
        """Write one frame.

        Raises:
          trio.BrokenResourceError: the connection is lost.
        """

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
        task_status: trio.TaskStatus[Any] = trio.TASK_STATUS_IGNORED,
    ) -> NoReturn:
        """Run `handler` in `clients` for every peer that connects."""

    def connect(self, host: str, port: int) -> AbstractAsyncContextManager[Link]:
        """Call a server; raises OSError if it cannot be reached."""
