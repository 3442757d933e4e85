"""Listening sockets: which addresses, how dead peers are noticed, how a stream ends."""

import errno
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, NoReturn, cast
from weakref import WeakKeyDictionary

import attrs
import trio

from transports.address import Address, read_ip
from transports.complaint import Complaint
from transports.durable_link import DurableLink
from transports.guest import Guest, TurnedAway
from transports.ledger import Ledger
from transports.link import Link, Spawner
from transports.peer_link import PeerLink
from transports.poller import Poller
from transports.proxy_header import BadHeader
from transports.recovered_link import RecoveredLink
from transports.resumable_framer import ResumableFramer
from transports.stored_listener import Listener
from transports.stream_link import StreamLink, serve_link
from transports.terms import Door, Stay

# The kernel notices a peer that vanished silently (cable pulled, laptop shut) after about two
# minutes; idle but living peers are never disturbed, since people may think for a long time.
KEEPALIVE = {
    "TCP_KEEPIDLE": 60,
    "TCP_KEEPINTVL": 15,
    "TCP_KEEPCNT": 4,
}

# The addresses of clients who are connected with us through a relay: our sockets do not know them.
RELAYED: WeakKeyDictionary[trio.SocketStream, Address] = WeakKeyDictionary()

# How long a refused peer may take to read the reason.
REFUSAL_SECONDS = 1.0


def notice_dead_peer(stream: trio.SocketStream) -> None:
    # This fails if the peer is gone already; reading from it will tell.
    with suppress(OSError):
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for option, value in KEEPALIVE.items():
            if hasattr(socket, option):
                stream.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)


async def open_listeners(host: str, port: int) -> list[trio.SocketListener]:
    """Listen on every address that `host` stands for; ``*`` means all, of both IP versions.

    Raises:
      OSError: an address is taken, unknown or not permitted.
    """
    name = None if host == "*" else host
    if port:
        return await trio.open_tcp_listeners(port, host=name)
    # With several addresses, a free port must be free on all of them: let the system pick one, try
    # it on the others, and start over if another program uses it there.
    for _ in range(10):
        port = await _free_port(name)
        try:
            return await trio.open_tcp_listeners(port, host=name)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
    raise OSError(errno.EADDRINUSE, "no port is free on all addresses")


async def _free_port(name: str | None) -> int:
    listeners = await trio.open_tcp_listeners(0, host=name)
    port = int(listeners[0].socket.getsockname()[1])
    for listener in listeners:
        await listener.aclose()
    return port


def peer_address(stream: trio.SocketStream) -> Address:
    """The address of the other end; empty if it is gone already."""
    if (relayed := RELAYED.get(stream)) is not None:
        return relayed
    try:
        host, port = stream.socket.getpeername()[:2]
    except OSError:
        return Address("")
    # Dual-stack sockets, as systemd opens them, report IPv4 addresses as mapped into IPv6.
    return Address(str(read_ip(host) or host), int(port))


def has_accepted(listener: trio.socket.SocketType, sock: socket.socket) -> bool:
    """Whether a connection came in at that listening socket, as far as addresses tell."""
    try:
        (at, at_port), (host, port) = listener.getsockname()[:2], sock.getsockname()[:2]
    except OSError:  # it is gone
        return False
    return sock.family == listener.family and port == at_port and at in (host, "0.0.0.0", "::")


async def accept_forever(
    meet: Callable[[trio.SocketStream], Awaitable[None]],
    listeners: Sequence[Listener],
    clients: Spawner,
    ledger: Ledger | None = None,
    *,
    task_status: trio.TaskStatus[Any] = trio.TASK_STATUS_IGNORED,
) -> NoReturn:
    """Run `meet` in `clients` for every peer that connects.

    With a ledger, peers wait for its first checkpoint: one that is accepted before would be lost if
    this process died then.
    """
    if ledger is not None:
        task_status.started()
        task_status = trio.TASK_STATUS_IGNORED
        await ledger.promise.begun.wait()
    # Trio wants a nursery but uses only its `start_soon`, which is what a Spawner has.
    nursery = cast("trio.Nursery", clients)
    await trio.serve_listeners(
        meet, list(listeners), handler_nursery=nursery, task_status=task_status
    )


@attrs.frozen
class Accepted:
    """A connection that an earlier process has accepted, and whose first message it never saw."""

    socket: socket.socket
    number: int


@attrs.frozen
class Entrance:
    """Lets peers in as far as the door allows it; those that are refused are told why."""

    door: Door
    meet: Callable[[Guest], Awaitable[PeerLink | None]]
    turn_away: Callable[[Complaint], bytes]
    serve: Callable[[Link], Awaitable[None]]
    clients: Spawner
    ledger: Ledger | None = None

    async def answer(self, stream: trio.SocketStream, number: int = 0) -> None:
        """Meet a peer; `number` is that of one whom an earlier process has accepted."""
        guest = Guest(stream, self.door, peer_address(stream))
        link = None
        try:
            if self.ledger is not None:
                await self.ledger.promise.begun.wait()
                guest.be_kept(self.ledger, number)
            guest.knock()
            link = await self._receive(guest)
        except TurnedAway as refusal:
            guest.be_forgotten()
            _turn_away(stream, self.turn_away(refusal.complaint))
        finally:
            if link is None:
                guest.leave()
                guest.be_forgotten()
        if link is not None:
            link.stay = Stay(self.door, guest.counted or "")
            # In a task of its own, so that everything needed up to here can be freed.
            if isinstance(link, StreamLink):
                self.clients.start_soon(serve_link, self.serve, link)
            else:
                self.clients.start_soon(self.serve, link)

    def answer_all(self, accepted: Iterable[Accepted]) -> None:
        for each in accepted:
            each.socket.setblocking(False)
            stream = trio.SocketStream(trio.socket.from_stdlib_socket(each.socket))
            self.clients.start_soon(self.answer, stream, each.number)

    async def _receive(self, guest: Guest) -> PeerLink | None:
        link = None
        with guest.handshake() as handshake:
            link = await self._greet(guest)
        if link is not None:
            return link
        guest.be_forgotten()
        late = trio.current_time() >= handshake.deadline
        if handshake.cancelled_caught and not late:
            await trio.aclose_forcefully(guest.stream)  # shutting down: do not wait for strangers
            return None
        if handshake.cancelled_caught:
            self.door.drop(Complaint.SLOW_HANDSHAKE, guest.address.host)
        await _hang_up(guest.stream)
        return None

    async def _greet(self, guest: Guest) -> PeerLink | None:
        notice_dead_peer(guest.stream)
        if guest.has_header:
            try:
                await guest.read_header()
            except BadHeader:
                self.door.drop(Complaint.NOT_INTRODUCED, guest.address.host)
                return None
        return await self.meet(guest)


def _turn_away(stream: trio.SocketStream, words: bytes) -> None:
    """One short write without waiting: refusing a peer must be cheap."""
    with plain_socket(stream) as sock, suppress(OSError):
        sock.send(words)
        sock.shutdown(socket.SHUT_WR)
        sock.recv(65536)  # unread input would cause a reset, which may overtake our words


async def _hang_up(stream: trio.SocketStream) -> None:
    """Close so that the peer can still read our last words: unread input would cause a reset."""
    with trio.move_on_after(REFUSAL_SECONDS), suppress(trio.BrokenResourceError):
        await stream.send_eof()
        while await stream.receive_some(65536):
            pass
    await trio.aclose_forcefully(stream)


def resume_link(
    sock: socket.socket,
    framer: ResumableFramer,
    recovered: RecoveredLink,
    poller: Poller,
    door: Door,
) -> DurableLink:
    """The link that an earlier process had over this socket.

    It is served after the next checkpoint. If it has a complaint, it cannot be continued, and
    whoever serves it tells its peer so.
    """
    assert poller.ledger is not None
    sock.setblocking(False)
    with suppress(OSError):
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, 1)
    link = DurableLink(
        sock,
        framer,
        recovered.peer,
        poller,
        poller.ledger,
        recovered.number,
        host=recovered.host,
        head=recovered.head,
        terms=door.readmit(recovered.host),
    )
    link.stay = Stay(door, recovered.host)
    link.resume(recovered)
    return link


def open_durable(
    guest: Guest, framer: ResumableFramer, poller: Poller, head: int, welcome: bytes = b""
) -> DurableLink:
    """A new link that the next process can resume; `welcome` is the first thing that it sends."""
    assert guest.ledger is not None
    return DurableLink(
        plain_socket(guest.stream),
        framer,
        str(guest.address),
        poller,
        guest.ledger,
        guest.number,
        host=guest.counted or "",
        head=head,
        terms=guest.terms,
        welcome=welcome,
    )


def plain_socket(stream: trio.SocketStream) -> socket.socket:
    """Take the socket out of a stream, which must not be used any more."""
    return socket.socket(fileno=stream.socket.detach())


def own_stream(stream: trio.SocketStream) -> trio.SocketStream:
    """The same connection as a stream that outlives the task that has accepted it."""
    return trio.SocketStream(trio.socket.from_stdlib_socket(plain_socket(stream)))
