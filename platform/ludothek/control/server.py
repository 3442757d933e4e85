"""Serving the organiser's interface inside the daemon."""

import logging
import socket
from collections.abc import Sequence
from ipaddress import ip_address
from struct import Struct
from typing import Any, NoReturn

import attrs
import structlog
import trio
from hypercorn.app_wrappers import ASGIWrapper
from hypercorn.config import Config
from hypercorn.trio.tcp_server import TCPServer
from hypercorn.trio.worker_context import WorkerContext
from starlette.types import ASGIApp

from ludothek.contract.clock import Clock
from ludothek.control.app import Limits, make_app, make_metrics_app
from ludothek.control.local_names import LocalNames
from ludothek.control.organiser import Organiser
from ludothek.control.unix_socket import UnixListener
from ludothek.daemon.lifecycle import Lifecycle
from ludothek.observe.lag import LoopLag
from ludothek.runtime.endpoint import Endpoint, Guarded
from transports import unstopped_time
from transports.listening import accept_forever

# Of a process: its id, its user's and its group's (struct ucred).
CREDENTIALS = Struct("iII")

# At once, on the port where any user of this machine may connect: one or two programs watch us.
METRICS_CONNECTIONS = 20


async def serve_control(
    endpoints: Sequence[Endpoint],
    listener: UnixListener,
    limits: Limits | None = None,
    keeper: Lifecycle | None = None,
    lag: LoopLag | None = None,
) -> None:
    """Answer organisers until cancelled."""
    limits = limits or Limits()
    app = make_app(Organiser(endpoints, Clock(unstopped_time), keeper, lag), limits)
    try:
        listening = trio.socket.from_stdlib_socket(listener.socket)
        await _serve(app, [trio.SocketListener(listening)], limits)
    finally:
        listener.close()


async def serve_metrics(
    endpoints: Sequence[Endpoint],
    listeners: Sequence[trio.SocketListener],
    lag: LoopLag,
    limits: Limits | None = None,
) -> None:
    """Tell numbers to whoever may connect, until cancelled."""
    limits = limits or Limits(connections=METRICS_CONNECTIONS)
    app: ASGIApp = make_metrics_app(Organiser(endpoints, Clock(unstopped_time), lag=lag), limits)
    hosts = [listener.socket.getsockname()[0] for listener in listeners]
    if all(ip_address(host).is_loopback for host in hosts):
        app = LocalNames(app)  # elsewhere it has a name, which we do not know
    await _serve(app, listeners, limits)


async def _serve(
    app: ASGIApp, listeners: Sequence[trio.SocketListener], limits: Limits
) -> NoReturn:
    """Serve until cancelled; a connection that fails harms no other."""
    # Hypercorn's own way to serve ends all connections when one of them fails, and one that is
    # cut off in the middle of a request does fail. So we accept them ourselves.
    # (Any: its types and Starlette's have different names for the same things.)
    wrapped: Any = ASGIWrapper(app)  # type: ignore[arg-type]
    config, context = _config(limits), WorkerContext(None)

    async def meet(stream: trio.SocketStream) -> None:
        if len(connections.child_tasks) > limits.connections:
            return  # which hangs up
        structlog.contextvars.bind_contextvars(**_who_asks(stream.socket))
        patient: Any = PromptStream(stream, limits.seconds)
        with trio.move_on_after(limits.connection_seconds):
            await TCPServer(wrapped, config, context, {}, patient)

    async with trio.open_nursery() as connections:
        await accept_forever(meet, listeners, Guarded(connections))


def _who_asks(peer: trio.socket.SocketType) -> dict[str, int]:
    """The user at the other end, for the log: there may be several organisers."""
    if peer.family != socket.AF_UNIX:
        return {}
    credentials = peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, CREDENTIALS.size)
    _, uid, _ = CREDENTIALS.unpack(credentials)
    return {"uid": uid}


def _config(limits: Limits) -> Config:
    config = Config()
    config.errorlog = logging.getLogger("hypercorn.error")
    config.include_server_header = False
    config.keep_alive_timeout = limits.seconds  # until the first line and headers are there
    config.keep_alive_max_requests = 0  # one request, one connection: nothing to keep track of
    return config


@attrs.define(eq=False)
class PromptStream:
    """A stream to a peer that has to read what it asked for.

    Hypercorn shields its writing from cancellation: without a limit of our own, a peer that
    does not read would keep the whole daemon from ending.
    """

    _stream: trio.SocketStream
    _seconds: float

    @property
    def socket(self) -> trio.socket.SocketType:
        return self._stream.socket

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        return await self._stream.receive_some(max_bytes)

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        with trio.move_on_after(self._seconds) as patience:
            await self._stream.send_all(data)
        if patience.cancelled_caught:
            raise trio.BrokenResourceError("the peer does not read")

    async def send_eof(self) -> None:
        await self._stream.send_eof()

    async def aclose(self) -> None:
        await self._stream.aclose()
