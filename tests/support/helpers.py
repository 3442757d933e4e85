"""What many tests need: links without sockets, peers that say and hear, endpoints to talk to."""

import socket
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import attrs
import pytest
import trio
from trio.testing import MockClock

from ludothek.contract.clock import Clock
from ludothek.contract.registry import load
from ludothek.daemon import descriptors
from ludothek.runtime.endpoint import Endpoint
from ludothek.runtime.guarded_nursery import Guarded
from ludothek.storage.state import StateDirectory
from ludothek.testing import fair
from ludothek.testing.fair import NOON as NOON
from ludothek.testing.fair import Fair as Fair
from ludothek.testing.fair import Peer as Peer
from ludothek.testing.fair import virtual_clock as virtual_clock
from transports import Link, Poller, Transport, open_poller
from transports.framing import Framer
from transports.memory import MemoryLink as MemoryLink
from transports.memory import memory_link_pair as memory_link_pair
from transports.peer_link import PeerLink
from transports.socket_link import SocketLink
from transports.stream_link import StreamLink


def needs_descriptors(count: int) -> pytest.MarkDecorator:
    """For a test with so many open sockets: some systems allow fewer, and will not allow more."""
    fitting = descriptors.room()
    return pytest.mark.skipif(
        fitting < count, reason=f"{fitting} descriptors are free (ulimit -Hn), {count} are needed"
    )


def unhurried_clock() -> MockClock:
    """A clock for tests over TCP: it jumps only when nothing has arrived for a while.

    Even on one machine TCP takes its time: a busy system delivers what was written some
    milliseconds later, and a clock that jumps at once would take that for an hour's silence.
    """
    return MockClock(autojump_threshold=0.01)


# What tests leave open, closed after each of them.
sockets_to_close: list[socket.socket] = []
peer_sockets: list[socket.socket] = []


def hang_up_all() -> None:
    """Let all peers of socket links hang up; where time stands still, nothing times them out."""
    while peer_sockets:
        peer_sockets.pop().close()


@asynccontextmanager
async def running_poller() -> AsyncIterator[Poller]:
    """For links over sockets; where there is no epoll, there are none."""
    async with open_poller() as poller:
        assert poller is not None
        yield poller


def socket_link_pair(
    poller: Poller, framer: Framer, **options: Any
) -> tuple[SocketLink, trio.SocketStream]:
    """A link over a socket, and the other end of it as a plain stream."""
    ours, theirs = socket.socketpair()
    sockets_to_close.append(ours)
    peer_sockets.append(theirs)
    ours.setblocking(False)
    link = SocketLink(ours, framer, "test", poller, **options)
    return link, trio.SocketStream(trio.socket.from_stdlib_socket(theirs))


def close_code(link: Link) -> int | None:
    """How the server has closed a WebSocket connection."""
    assert isinstance(link, StreamLink)
    return link.close_code


def cut_off(link: Link) -> None:
    """End a connection as if its cable were pulled: without a word."""
    assert isinstance(link, PeerLink)
    link.abort()


def make_endpoint(
    name: str,
    seed: int = 1,
    settings: dict[str, Any] | None = None,
    clock: Clock | None = None,
    limits: dict[str, Any] | None = None,
    state: StateDirectory | None = None,
) -> Endpoint:
    return fair.make_endpoint(load(name), seed, settings, clock, limits, state=state)


def open_fair(
    name: str,
    seed: int = 1,
    settings: dict[str, Any] | None = None,
    state: StateDirectory | None = None,
) -> AbstractAsyncContextManager[Fair]:
    return fair.open_fair(load(name), seed, settings, state=state)


@asynccontextmanager
async def open_server(
    name: str,
    settings: dict[str, Any] | None = None,
    seed: int = 1,
    limits: dict[str, Any] | None = None,
    streams: bool = False,
    state: StateDirectory | None = None,
) -> AsyncIterator["Server"]:
    """A real endpoint on a free port of this machine, perhaps as if it had no epoll."""
    async with open_poller() as poller, trio.open_nursery() as nursery:
        endpoint = make_endpoint(name, seed, settings, limits=limits, state=state)
        url = await endpoint.bind()
        clients, chosen = Guarded(nursery), None if streams else poller
        await nursery.start(endpoint.listen, clients, nursery, chosen)
        yield Server(endpoint, int(url.rpartition(":")[2]))
        nursery.cancel_scope.cancel()


@attrs.frozen
class Server:
    endpoint: Endpoint
    port: int

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[Peer]:
        async with self.transport.connect("127.0.0.1", self.port) as link:
            yield Peer(link)

    @property
    def transport(self) -> Transport:
        return self.endpoint.game.transport
