"""A listener for connections that outlive the process, since somebody else holds them too."""

import errno
import socket
from collections.abc import Callable
from contextlib import suppress

import trio

from transports.relayed_listener import RelayedListener

# The peer is gone again, or a firewall does not let it in: nothing is wrong with the listener.
NOBODY_CAME = {
    *(errno.ECONNABORTED, errno.ECONNRESET, errno.EPERM, errno.EPROTO, errno.ETIMEDOUT),
    *(errno.ENETDOWN, errno.ENETUNREACH, errno.EHOSTDOWN, errno.EHOSTUNREACH),
    *(errno.ENOPROTOOPT, errno.EOPNOTSUPP),
}


class StoredListener(trio.abc.Listener[trio.SocketStream]):
    """Tells of each connection in the step that accepts it.

    Nothing else runs between the two, so that a process that is killed has told of all but the one
    that it was accepting. (Trio's own listener lets other tasks run first.)

    With `closed`, the listening socket itself is held elsewhere too; it hears that nobody is
    listening any more.
    """

    def __init__(
        self,
        listening: socket.socket,
        accepted: Callable[[socket.socket], None] | None = None,
        closed: Callable[[], None] | None = None,
    ) -> None:
        self.socket = trio.socket.from_stdlib_socket(listening)  # which makes it non-blocking
        self._listening = listening
        self._accepted, self._closed = accepted, closed

    async def accept(self) -> trio.SocketStream:
        await trio.lowlevel.checkpoint()
        while True:
            try:
                peer, _ = self._listening.accept()
            except BlockingIOError:
                await trio.lowlevel.wait_readable(self._listening)
            except OSError as error:
                if error.errno in (errno.EBADF, errno.EINVAL):
                    raise trio.ClosedResourceError from None
                if error.errno not in NOBODY_CAME:
                    raise
            else:
                if self._accepted is not None:
                    self._accepted(peer)
                return trio.SocketStream(trio.socket.from_stdlib_socket(peer))

    async def aclose(self) -> None:
        if self._closed is not None and self._listening.fileno() != -1:
            # For whoever holds the socket too: clients would wait there for ever.
            with suppress(OSError):
                self._listening.shutdown(socket.SHUT_RDWR)
            self._closed()
        self.socket.close()
        await trio.lowlevel.checkpoint()


Listener = trio.SocketListener | StoredListener | RelayedListener
