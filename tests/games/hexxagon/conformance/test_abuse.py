"""Malicious clients: they are gone in the end, and a game beside them goes on."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
import structlog
import trio
from structlog.testing import LogCapture

from tests.support.helpers import Server, open_server
from tests.support.hexxagon import HexxagonClient, play_moves, start_game
from tests.support.raw_websocket import TEXT, RawPeer, frame

LIST = b'{"messageType":"GetAvailableLobbies","userId":"%b"}'


@pytest.fixture(autouse=True)
def logs() -> LogCapture:
    capture = LogCapture()
    structlog.configure(processors=[capture])
    return capture


@asynccontextmanager
async def attacker(server: Server) -> AsyncIterator[tuple[RawPeer, bytes]]:
    """A connection that has been welcomed, and its user id."""
    async with await trio.open_tcp_stream("127.0.0.1", server.port) as stream:
        peer = RawPeer(stream)
        await peer.shake()
        _, welcome = await peer.read_frame()
        yield peer, welcome.split(b'"')[7]


async def flood_of_requests(peer: RawPeer, user: bytes) -> None:
    """Keeps asking and never reads an answer."""
    while True:
        await peer.write(frame(TEXT, LIST % user) * 100)


async def flood_of_garbage(peer: RawPeer, user: bytes) -> None:
    while True:
        await peer.write(frame(TEXT, b"garbage") * 1000)


async def flood_of_empty_fragments(peer: RawPeer, user: bytes) -> None:
    await peer.write(frame(TEXT, b"", final=False))
    while True:
        await peer.write(frame(0, b"xx", final=False) * 1000)


async def flood_of_pings(peer: RawPeer, user: bytes) -> None:
    for _ in range(20):
        await peer.write(frame(9, b"x" * 125) * 100)
    await peer.write(frame(TEXT, b"\xff"))


@pytest.mark.parametrize(
    "attack", [flood_of_requests, flood_of_garbage, flood_of_empty_fragments, flood_of_pings]
)
async def test_a_flood_drowns_only_its_source(
    attack: Callable[[RawPeer, bytes], Awaitable[None]], logs: LogCapture
) -> None:
    async with (
        open_server("hexxagon", {"max_lobbies_per_client": 0}) as server,
        server.connect() as first,
        server.connect() as second,
        attacker(server) as (peer, user),
    ):
        one, two = [await HexxagonClient.arrive(each) for each in (first, second)]
        for n in range(100):
            await one.create(f"Lobby {n}")  # so that every listing is long
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_until_cut_off, attack, peer, user)
            game = await start_game(one, two)
            statuses = await play_moves(game, one, two, "40-54 61-60 22-38 54-40 38-21 39-22")
            assert statuses[0]["winner"] == two.id
        assert [entry for entry in logs.entries if entry["log_level"] == "error"] == []


async def _until_cut_off(
    attack: Callable[[RawPeer, bytes], Awaitable[None]], peer: RawPeer, user: bytes
) -> None:
    """Attack until the server disconnects us; fails if it never does."""
    with trio.fail_after(60):
        try:
            await attack(peer, user)
            while await peer.stream.receive_some(65536):
                pass
        except trio.BrokenResourceError:
            pass


async def alone(one: HexxagonClient, two: HexxagonClient) -> None:
    await one.create()


async def in_a_lobby(one: HexxagonClient, two: HexxagonClient) -> None:
    await one.join(await one.create())


async def in_a_full_lobby(one: HexxagonClient, two: HexxagonClient) -> None:
    lobby = await one.create()
    await one.join(lobby)
    await two.join(lobby)


async def in_a_game(one: HexxagonClient, two: HexxagonClient) -> None:
    await start_game(one, two)


async def in_the_middle_of_a_move(one: HexxagonClient, two: HexxagonClient) -> None:
    await one.move(await start_game(one, two), 30, 38)


@pytest.mark.parametrize(
    "scene", [alone, in_a_lobby, in_a_full_lobby, in_a_game, in_the_middle_of_a_move]
)
async def test_clients_that_vanish_leave_nobody_behind(
    scene: Callable[[HexxagonClient, HexxagonClient], Awaitable[None]], logs: LogCapture
) -> None:
    async with open_server("hexxagon") as server, server.connect() as witness:
        client = await HexxagonClient.arrive(witness)
        async with server.connect() as first, server.connect() as second:
            await scene(await HexxagonClient.arrive(first), await HexxagonClient.arrive(second))
        with trio.fail_after(60):
            while len(server.endpoint.clients) > 1:
                await trio.lowlevel.checkpoint()
        assert all("playerOne" not in lobby for lobby in await client.lobbies())
        states = [lobby.table.summary.state for lobby in server.endpoint.hall.lobbies.values()]
        assert "running" not in states
    assert [entry for entry in logs.entries if entry["log_level"] == "error"] == []
