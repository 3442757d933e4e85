"""Listening sockets: which addresses, how a dead peer is noticed, how a stream ends."""

import errno
import socket
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, NoReturn, cast

import attrs
import trio

from transports.address import Address, read_ip
from transports.complaint import Complaint
from transports.guest import Guest, TurnedAway
from transports.link import Link, Spawner
from transports.peer_link import PeerLink
from transports.proxy_header import BadHeader
from transports.stream_link import StreamLink, serve_link
from transports.terms import Door, Stay

# A peer that vanished without a word (cable pulled, laptop shut) is noticed by the kernel after
# about two minutes; silent but living peers are never disturbed, since people think long.
KEEPALIVE = {
    "TCP_KEEPIDLE": 60,
    "TCP_KEEPINTVL": 15,
    "TCP_KEEPCNT": 4,
}

# How long a peer that is turned away may take to read why.
REFUSAL_SECONDS = 1.0


def notice_dead_peer(stream: trio.SocketStream) -> None:
    # A peer that is gone already makes this fail; reading from it will tell.
    with suppress(OSError):
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for option, value in KEEPALIVE.items():
            if hasattr(socket, option):
                stream.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)


async def open_listeners(host: str, port: int) -> list[trio.SocketListener]:
    """Listen on every address that `host` means; ``*`` means all, of both IP versions.

    Raises:
      OSError: an address is taken, unknown or not permitted.
    """
    name = None if host == "*" else host
    if port:
        return await trio.open_tcp_listeners(port, host=name)
    # With several addresses a free port must be free on all of them: let the system pick for
    # one, try it for the rest, and start over if another program has it there.
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
    """The address of the other end; an empty one if it is gone already."""
    try:
        host, port = stream.socket.getpeername()[:2]
    except OSError:
        return Address("")
    # A socket for both, as systemd opens them, has IPv6 words for IPv4 addresses, people have not.
    return Address(str(read_ip(host) or host), int(port))


async def accept_forever(
    meet: Callable[[trio.SocketStream], Awaitable[None]],
    listeners: Sequence[trio.SocketListener],
    clients: Spawner,
    *,
    task_status: trio.TaskStatus[Any] = trio.TASK_STATUS_IGNORED,
) -> NoReturn:
    """Run `meet` in `clients` for every peer that connects."""
    # Trio asks for a nursery but uses only its `start_soon`, which is what a Spawner is.
    nursery = cast("trio.Nursery", clients)
    await trio.serve_listeners(
        meet, list(listeners), handler_nursery=nursery, task_status=task_status
    )


@attrs.frozen
class Entrance:
    """Meets those who may come in; the others get a last word, and the first one as well."""

    door: Door
    meet: Callable[[Guest], Awaitable[PeerLink | None]]
    turn_away: Callable[[Complaint], bytes]
    serve: Callable[[Link], Awaitable[None]]
    clients: Spawner

    async def answer(self, stream: trio.SocketStream) -> None:
        guest = Guest(stream, self.door, peer_address(stream))
        link = None
        try:
            guest.knock()
            link = await self._receive(guest)
        except TurnedAway as refusal:
            _turn_away(stream, self.turn_away(refusal.complaint))
        finally:
            if link is None:
                guest.leave()
        if link is not None:
            link.stay = Stay(self.door, guest.counted or "")
            # In a task of its own: all that was needed to come so far can be forgotten.
            if isinstance(link, StreamLink):
                self.clients.start_soon(serve_link, self.serve, link)
            else:
                self.clients.start_soon(self.serve, link)

    async def _receive(self, guest: Guest) -> PeerLink | None:
        link = None
        with guest.handshake() as handshake:
            link = await self._greet(guest)
        if link is not None:
            return link
        late = trio.current_time() >= handshake.deadline
        if handshake.cancelled_caught and not late:
            await trio.aclose_forcefully(guest.stream)  # we end, and wait for no strangers
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
    """One short write and no waiting: who may not come in must not cost anything."""
    with plain_socket(stream) as sock, suppress(OSError):
        sock.send(words)
        sock.shutdown(socket.SHUT_WR)
        sock.recv(65536)  # what is unread makes a reset, which may overtake our words


async def _hang_up(stream: trio.SocketStream) -> None:
    """Close so that what was said last can still be read: unread input would make it a reset."""
    with trio.move_on_after(REFUSAL_SECONDS), suppress(trio.BrokenResourceError):
        await stream.send_eof()
        while await stream.receive_some(65536):
            pass
    await trio.aclose_forcefully(stream)


def plain_socket(stream: trio.SocketStream) -> socket.socket:
    """Take the socket out of a stream, which is of no more use then."""
    return socket.socket(fileno=stream.socket.detach())


def own_stream(stream: trio.SocketStream) -> trio.SocketStream:
    """The same connection, which does not end with the task that has accepted it."""
    return trio.SocketStream(trio.socket.from_stdlib_socket(plain_socket(stream)))
