"""Lines over TCP: cuts, ends, limits and peers that do not read."""

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from tests.support.helpers import socket_link_pair
from transports import LineFramer, Link, Poller, Tcp, Unreadable, open_listeners, open_poller
from transports.socket_link import SocketLink


def line_pair(poller: Poller, max_bytes: int = 1000) -> tuple[SocketLink, trio.SocketStream]:
    return socket_link_pair(poller, LineFramer(max_bytes))


@asynccontextmanager
async def line_server(max_bytes: int = 1000) -> AsyncIterator[tuple[list[Link], int]]:
    """A server that collects the links of its clients."""
    links: list[Link] = []

    async def keep(link: Link) -> None:
        links.append(link)
        try:
            await trio.sleep_forever()
        finally:
            await link.aclose()

    async with open_poller() as poller, trio.open_nursery() as nursery:
        (listener,) = await open_listeners("127.0.0.1", 0)
        transport = Tcp(lambda: LineFramer(max_bytes))
        serve = partial(transport.serve, poller=poller)
        await nursery.start(serve, keep, [listener], nursery)
        yield links, listener.socket.getsockname()[1]
        nursery.cancel_scope.cancel()


async def first(links: list[Link]) -> Link:
    with trio.fail_after(60):
        while not links:
            await trio.lowlevel.checkpoint()
    return links[0]


async def test_lines_in_one_segment_come_one_by_one(poller: Poller) -> None:
    link, peer = line_pair(poller)
    await peer.send_all(b"one\r\ntwo\n\nthree\n")
    assert [await link.receive() for _ in range(3)] == [b"one", b"two", b"three"]


async def test_a_line_in_many_segments_comes_once(poller: Poller, nursery: trio.Nursery) -> None:
    link, peer = line_pair(poller)

    async def trickle() -> None:
        for byte in b"hello\nworld\n":
            await peer.send_all(bytes([byte]))
            await wait_all_tasks_blocked()

    nursery.start_soon(trickle)
    assert [await link.receive(), await link.receive()] == [b"hello", b"world"]


async def test_receiving_is_a_checkpoint_even_if_a_line_is_there(poller: Poller) -> None:
    link, peer = line_pair(poller)
    await peer.send_all(b"one\ntwo\n")
    await link.receive()
    with trio.CancelScope() as scope:
        scope.cancel()
        await link.receive()
    assert scope.cancelled_caught
    assert await link.receive() == b"two"  # and nothing is lost by it


async def test_what_came_before_the_end_is_still_heard(poller: Poller) -> None:
    link, peer = line_pair(poller)
    await peer.send_all(b"one\ntwo\nunfinished")
    await peer.aclose()
    assert [await link.receive(), await link.receive()] == [b"one", b"two"]
    for _ in range(2):
        with pytest.raises(trio.EndOfChannel):
            await link.receive()


async def test_an_over_long_line_is_told_and_the_connection_goes_on(poller: Poller) -> None:
    link, peer = line_pair(poller, max_bytes=100)
    await peer.send_all(b"x" * 5000 + b"\nshort\n")
    assert isinstance(await link.receive(), Unreadable)
    assert await link.receive() == b"short"


async def test_a_peer_that_is_gone_is_noticed_when_writing(poller: Poller) -> None:
    link, peer = line_pair(poller)
    await peer.aclose()
    with pytest.raises(trio.BrokenResourceError):
        await link.send(b"hello")


async def test_random_cuts_over_a_real_socket() -> None:
    rng = random.Random(4)
    lines = [
        rng.randbytes(rng.randrange(1, 900)).replace(b"\n", b"").rstrip(b"\r") for _ in range(300)
    ]
    lines = [line for line in lines if line]
    data = b"".join(line + rng.choice((b"\n", b"\r\n")) for line in lines)
    async with line_server() as (links, port), trio.open_nursery() as nursery:
        peer = await trio.open_tcp_stream("127.0.0.1", port)
        link = await first(links)

        async def speak() -> None:
            start = 0
            while start < len(data):
                length = rng.choice((1, 7, 500, 70_000))
                await peer.send_all(data[start : start + length])
                start += length

        nursery.start_soon(speak)
        assert [await link.receive() for _ in lines] == lines
        await peer.aclose()


async def test_a_reader_that_stops_makes_the_writer_wait() -> None:
    """Nobody buffers what we do not read, and nobody loses it."""
    async with line_server() as (links, port):
        peer = await trio.open_tcp_stream("127.0.0.1", port)
        link = await first(links)
        sent = 0

        async def speak() -> None:
            nonlocal sent
            while True:
                await peer.send_all(b"a line\n" * 10_000)
                sent += 10_000

        async with trio.open_nursery() as nursery:
            nursery.start_soon(speak)
            await wait_all_tasks_blocked(0.05)
            nursery.cancel_scope.cancel()
        assert sent < 10_000_000
        for _ in range(sent):
            assert await link.receive() == b"a line"
        await peer.aclose()


async def test_a_client_and_a_server_understand_each_other() -> None:
    async with line_server() as (links, port):
        async with Tcp(LineFramer).connect("127.0.0.1", port) as client:
            server = await first(links)
            await client.send(b"question")
            assert await server.receive() == b"question"
            await server.send("Größe".encode())
            assert await client.receive() == "Größe".encode()
            assert server.peer.startswith("127.0.0.1:")
        with pytest.raises(trio.EndOfChannel):
            await server.receive()


async def test_a_peer_that_asks_much_reads_nothing_and_vanishes_is_noticed(poller: Poller) -> None:
    """What it said last waits until it has read; when it never will, nobody waits any more."""
    link, peer = line_pair(poller)
    heard = 0

    def answer(_: object) -> None:
        nonlocal heard
        heard += 1
        link.post(b"x" * 500_000)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(peer.send_all, b"?\n" * 12)
        nursery.start_soon(_close_when_congested, link, peer)
        with pytest.raises(trio.BrokenResourceError), trio.fail_after(60):
            await link.converse(answer)
    assert heard == 12


async def _close_when_congested(link: SocketLink, peer: trio.SocketStream) -> None:
    while not link.congested:
        await trio.lowlevel.checkpoint()
    await peer.aclose()
