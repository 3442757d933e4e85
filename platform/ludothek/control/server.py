"""Serving the organiser's interface and the metrics inside the daemon."""

import socket
from collections.abc import Sequence
from ipaddress import ip_address
from struct import Struct
from typing import NoReturn

import structlog
import trio
from starlette.types import ASGIApp

from ludothek.contract.clock import Clock
from ludothek.control.app import make_app, make_metrics_app
from ludothek.control.http_connection import HttpConnection
from ludothek.control.http_limits import HttpLimits
from ludothek.control.local_names import LocalNames
from ludothek.control.organiser import Organiser
from ludothek.control.sessions import Sessions
from ludothek.control.unix_socket import UnixListener
from ludothek.daemon.handover import Handover
from ludothek.daemon.lifecycle import Lifecycle
from ludothek.observe.lag import LoopLag
from ludothek.runtime.endpoint import Endpoint
from ludothek.runtime.guarded_nursery import Guarded
from transports import unstopped_time
from transports.listening import accept_forever, peer_address

# The process, user and group at the other end of a Unix socket (struct ucred).
CREDENTIALS = Struct("iII")

# On the port where any user of this machine may connect; one or two monitoring programs are usual.
METRICS_CONNECTIONS = 20


async def serve_control(
    endpoints: Sequence[Endpoint],
    listener: UnixListener,
    limits: HttpLimits | None = None,
    keeper: Lifecycle | None = None,
    lag: LoopLag | None = None,
    sessions: Sessions | None = None,
) -> None:
    """Answer organisers until cancelled."""
    organiser = Organiser(endpoints, Clock(unstopped_time), keeper, lag, sessions=sessions)
    app = make_app(organiser)
    try:
        listening = trio.socket.from_stdlib_socket(listener.socket)
        await _serve(app, [trio.SocketListener(listening)], limits or HttpLimits())
    finally:
        listener.close()


async def serve_metrics(
    endpoints: Sequence[Endpoint],
    listeners: Sequence[trio.SocketListener],
    lag: LoopLag,
    limits: HttpLimits | None = None,
    handover: Handover | None = None,
) -> None:
    """Serve the metrics to anybody who can connect, until cancelled."""
    organiser = Organiser(endpoints, Clock(unstopped_time), lag=lag, handover=handover)
    app: ASGIApp = make_metrics_app(organiser)
    hosts = [listener.socket.getsockname()[0] for listener in listeners]
    if all(ip_address(host).is_loopback for host in hosts):
        app = LocalNames(app)  # on other addresses the host has a name, which we do not know
    await _serve(app, listeners, limits or HttpLimits(connections=METRICS_CONNECTIONS))


async def _serve(
    app: ASGIApp, listeners: Sequence[trio.SocketListener], limits: HttpLimits
) -> NoReturn:
    """Serve until cancelled; a connection that fails affects no other."""

    async def meet(stream: trio.SocketStream) -> None:
        if len(connections.child_tasks) > limits.connections:
            return  # which hangs up
        client = None
        if stream.socket.family == socket.AF_UNIX:
            structlog.contextvars.bind_contextvars(uid=_user(stream.socket))
        else:
            address = peer_address(stream)
            client = address.host, address.port
        await HttpConnection(app, stream, limits, client).serve()

    async with trio.open_nursery() as connections:
        await accept_forever(meet, listeners, Guarded(connections))


def _user(peer: trio.socket.SocketType) -> int:
    """The user at the other end, for the log: there may be several organisers."""
    credentials = peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, CREDENTIALS.size)
    _, uid, _ = CREDENTIALS.unpack(credentials)
    return int(uid)
