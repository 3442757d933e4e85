"""The address where clients of an endpoint come in."""

import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import trio

from transports import Listener, open_listeners
from transports.listening import has_accepted


class Premises:
    """First its address is bound, then somebody listens there, until it is shut."""

    def __init__(self, scheme: str, host: str, port: int) -> None:
        self.host = host
        self.port = port  # the real one, once the address is bound
        self.url = ""  # known once the address is bound
        self.listeners: Sequence[Listener] = ()
        self._name = f"{host} port {port}"
        self._scheme = scheme
        self._listening = trio.CancelScope()
        self._shut = trio.Event()

    def __str__(self) -> str:
        """As it is configured."""
        return self._name

    async def bind(self, listeners: Sequence[Listener] = ()) -> None:
        """Bind the address, or use sockets that listen there already.

        Raises:
          OSError: it is taken, unknown or not permitted.
        """
        self.listeners = listeners or await open_listeners(self.host, self.port)
        self.port = int(self.listeners[0].socket.getsockname()[1])
        self.url = f"{self._scheme}://{_url_host(self.host)}:{self.port}"

    async def unbind(self) -> None:
        """Release the address if nobody has listened on it yet."""
        for listener in self.listeners:
            await listener.aclose()

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Clients are let in meanwhile; left when it is shut."""
        try:
            with self._listening:
                yield
        finally:
            self._shut.set()

    def accepted(self, sock: socket.socket) -> bool:
        """Whether a connection came in here."""
        return any(has_accepted(listener.socket, sock) for listener in self.listeners)

    async def shut(self) -> None:
        """Let nobody in any more; connected clients stay."""
        if self.listeners:
            self._listening.cancel()
            await self._shut.wait()


def _url_host(host: str) -> str:
    # A name for all addresses of both IP versions that a program can connect to.
    host = "::" if host == "*" else host
    return f"[{host}]" if ":" in host else host
