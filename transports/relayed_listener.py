"""A listener whose clients are connected with us through a relay."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import trio

if TYPE_CHECKING:
    from transports.stored_listener import Listener


class RelayedListener(trio.abc.Listener[trio.SocketStream]):
    """Accepts clients at another listener's address, and puts a relay between them and us.

    `between` makes our end of the connection, or nothing if there are too many.
    """

    def __init__(
        self,
        listener: "Listener",
        between: Callable[[trio.SocketStream], trio.SocketStream | None],
    ) -> None:
        self.socket: trio.socket.SocketType = listener.socket
        self._listener, self._between = listener, between

    async def accept(self) -> trio.SocketStream:
        while True:
            client = await self._listener.accept()
            stream = None
            try:
                stream = self._between(client)
            finally:
                if stream is None:
                    client.socket.close()
            if stream is not None:
                return stream

    async def aclose(self) -> None:
        await self._listener.aclose()
