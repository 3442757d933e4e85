"""A relay between client and server disturbs how bytes arrive, and never which."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
import trio
from trio.testing import MockClock

from transports import Relay, Trouble, open_listeners, relay
from transports.listening import peer_address

WORDS = bytes(range(200))


@asynccontextmanager
async def relayed(
    trouble: Trouble, seed: int = 1, connections: int = 1
) -> AsyncIterator[tuple[trio.SocketStream, trio.SocketStream]]:
    """The latest of several clients, and the server's end of its connection."""
    async with trio.open_nursery() as nursery:
        between = Relay(trouble, seed, nursery)
        (listener,) = between.stand_before(await open_listeners("127.0.0.1", 0))
        port = listener.socket.getsockname()[1]
        streams: list[trio.SocketStream] = []
        for _ in range(connections):
            client = await trio.open_tcp_stream("127.0.0.1", port)
            server = await listener.accept()
            streams += client, server
        yield client, server
        for stream in streams:
            await stream.aclose()
        await listener.aclose()


async def portions(stream: trio.SocketStream, length: int) -> list[bytes]:
    found: list[bytes] = []
    while sum(map(len, found)) < length:
        found.append(bytes(await stream.receive_some()))
        assert found[-1]
    return found


async def pieces(seed: int, connections: int = 1) -> list[int]:
    async with relayed(Trouble(cut=1.0), seed, connections) as (client, server):
        await server.send_all(WORDS)
        found = await portions(client, len(WORDS))
        assert b"".join(found) == WORDS
        return [len(each) for each in found]


async def test_what_is_cut_arrives_in_pieces_and_is_the_same(autojump_clock: MockClock) -> None:
    assert len(await pieces(1)) == relay.PIECES


async def test_the_seed_and_the_number_of_the_connection_decide(autojump_clock: MockClock) -> None:
    once = await pieces(1)
    assert await pieces(1) == once
    assert await pieces(2) != once
    assert await pieces(1, connections=2) != once


async def test_what_is_merged_arrives_at_once(autojump_clock: MockClock) -> None:
    async with relayed(Trouble(merge=1.0)) as (client, server):
        await server.send_all(b"one")
        await trio.sleep(relay.MERGE_SECONDS / 2)
        await server.send_all(b"two")
        assert await client.receive_some() == b"onetwo"


async def test_delays_have_a_limit_in_either_direction(autojump_clock: MockClock) -> None:
    async with relayed(Trouble(delay=1.0, delay_seconds=2.0)) as (client, server):
        for one, other in ((client, server), (server, client)):
            before = trio.current_time()
            await one.send_all(b"hello")
            assert await other.receive_some() == b"hello"
            assert 0 < trio.current_time() - before <= 2


async def test_a_broken_connection_ends_in_the_middle_for_both(autojump_clock: MockClock) -> None:
    async with relayed(Trouble(disconnect=1.0)) as (client, server):
        await server.send_all(WORDS)
        arrived = b""
        while part := await client.receive_some():
            arrived += part
        assert len(arrived) < len(WORDS)
        assert WORDS.startswith(arrived)
        assert await server.receive_some() == b""


async def test_without_trouble_everything_passes_the_end_included() -> None:
    async with relayed(Trouble()) as (client, server):
        assert peer_address(server).port == client.socket.getsockname()[1]
        await client.send_all(WORDS)
        await client.send_eof()
        assert b"".join(await portions(server, len(WORDS))) == WORDS
        assert await server.receive_some() == b""
        await server.send_all(b"goodbye")
        await server.send_eof()
        assert await client.receive_some() == b"goodbye"
        assert await client.receive_some() == b""


async def test_a_client_that_never_hangs_up_is_let_go(autojump_clock: MockClock) -> None:
    async with relayed(Trouble()) as (client, server):
        await server.aclose()
        assert await client.receive_some() == b""
        await trio.sleep(relay.GOODBYE_SECONDS + 1)
        await client.send_all(b"still here?")  # which is answered with a reset
        with pytest.raises(trio.BrokenResourceError):
            await client.send_all(b"still here?")


async def test_a_client_that_never_reads_is_let_go(autojump_clock: MockClock) -> None:
    async with relayed(Trouble()) as (_, server):
        with suppress(trio.BrokenResourceError):
            while trio.current_time() <= relay.PATIENCE + 1:
                await server.send_all(bytes(relay.READ))
            raise AssertionError("it is still there")
        assert trio.current_time() >= relay.PATIENCE


async def test_beyond_the_limit_clients_are_turned_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relay, "MOST", 1)
    async with trio.open_nursery() as nursery:
        (listener,) = Relay(Trouble(), 1, nursery).stand_before(
            await open_listeners("127.0.0.1", 0)
        )
        port = listener.socket.getsockname()[1]
        first = await trio.open_tcp_stream("127.0.0.1", port)
        server = await listener.accept()
        second = await trio.open_tcp_stream("127.0.0.1", port)
        with trio.move_on_after(0.1):
            await listener.accept()
        assert await second.receive_some() == b""
        await first.send_all(b"hello")
        assert await server.receive_some() == b"hello"
        for stream in (first, second, server, listener):
            await stream.aclose()
