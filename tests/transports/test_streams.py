"""Servers without epoll: the same games over streams, with a task for each direction."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial

import pytest
import trio
from trio.testing import MockClock

from ludothek.runtime.connection import Connection
from ludothek.runtime.guarded_nursery import Guarded
from tests.attacks.arena import GAMES, WEBSOCKET_GAMES, Arena, open_arena
from tests.attacks.test_floods import in_one_segment, of_questions, of_questions_and_no_ear
from tests.attacks.test_proxies import BEHIND, OUTSIDE, addresses, proxied, words
from tests.attacks.test_slowness import dripping_message, half_a_message, silence
from tests.support.raw_websocket import BINARY, CLOSE, PING, PONG, TEXT, RawPeer, frame
from tests.support.toy import toy_client, toy_hall
from transports import (
    Complaint,
    Farewell,
    Frame,
    LineFramer,
    Link,
    OutboxLimits,
    Tcp,
    Transport,
    Unreadable,
    WebSocket,
    open_listeners,
)
from transports.stream_link import StreamLink
from transports.terms import OpenDoor, Terms

TCP_GAMES = tuple(game for game in GAMES if game not in WEBSOCKET_GAMES)

Serve = Callable[[Link], Awaitable[None]]


@pytest.fixture
def autojump_clock(unhurried_clock: MockClock) -> MockClock:
    return unhurried_clock


@asynccontextmanager
async def serving(
    transport: Transport, serve: Serve, terms: Terms | None = None
) -> AsyncIterator[int]:
    """The port of a server that has no poller."""
    async with trio.open_nursery() as nursery:
        listeners = await open_listeners("127.0.0.1", 0)
        door = OpenDoor(terms or Terms())
        listen = partial(transport.serve, poller=None, door=door)
        await nursery.start(listen, serve, listeners, Guarded(nursery))
        yield listeners[0].socket.getsockname()[1]
        nursery.cancel_scope.cancel()


async def echo(link: Link) -> None:
    def hear(frame: Frame) -> None:
        link.post(b"unreadable" if isinstance(frame, Unreadable) else frame)
        if frame == b"goodbye":
            link.hush()

    try:
        await link.converse(hear)
    except (trio.EndOfChannel, trio.BrokenResourceError):
        pass
    finally:
        with trio.move_on_after(2, shield=True):
            await link.aclose(Farewell.GOING_AWAY)


@asynccontextmanager
async def raw(port: int) -> AsyncIterator[RawPeer]:
    async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
        peer = RawPeer(stream)
        assert (await peer.shake()).startswith(b"HTTP/1.1 101 ")
        yield peer


# Games


@pytest.mark.parametrize("game", GAMES)
async def test_a_match_is_played(game: str, autojump_clock: MockClock) -> None:
    async with open_arena(game, True) as arena:
        await arena.play_match()
        assert not +arena.server.endpoint.traffic.drops


@pytest.mark.parametrize(
    ("game", "attack"),
    [
        *((game, silence) for game in GAMES),
        *((game, attack) for game in TCP_GAMES for attack in (dripping_message, half_a_message)),
    ],
)
async def test_nobody_waits_for_slow_peers(
    game: str, attack: Callable[[Arena], Awaitable[None]], autojump_clock: MockClock
) -> None:
    async with open_arena(game, True) as arena:
        await arena.withstand(attack)


@pytest.mark.parametrize("game", TCP_GAMES)
@pytest.mark.parametrize("flood", [of_questions, of_questions_and_no_ear, in_one_segment])
async def test_a_flood_drowns_only_its_source(
    game: str, flood: Callable[..., Awaitable[None]], autojump_clock: MockClock
) -> None:
    async def attack(arena: Arena) -> None:
        async with arena.arrive() as stranger:
            await flood(stranger)
            await stranger.gone()

    async with open_arena(game, True) as arena:
        await arena.withstand(attack)


@pytest.mark.parametrize("way", ["line", "forwarded"])
async def test_a_proxy_may_name_its_client(way: str, autojump_clock: MockClock) -> None:
    limits = {**BEHIND, "proxy_protocol": way == "line"}
    async with (
        open_arena("hexxagon", True, **limits) as arena,
        proxied(arena, words("hexxagon", way, OUTSIDE)) as stranger,
    ):
        await stranger.hear(b"Welcome")
        assert [address.rpartition(":")[0] for address in addresses(arena)] == [OUTSIDE]


async def test_a_person_is_told_what_is_here(autojump_clock: MockClock) -> None:
    for game, status in (("hexxagon", b"426 Upgrade Required"), ("qwirkle", b"400 Bad Request")):
        async with open_arena(game, True) as arena, arena.connect() as stranger:
            await stranger.say(b"GET / HTTP/1.1\r\nHost: lab.example.org\r\n\r\n")
            heard = await stranger.gone(within=5)
            assert heard.startswith(b"HTTP/1.1 " + status)
            assert arena.server.endpoint.game.title.encode() in heard


# WebSocket


@pytest.mark.parametrize("size", [0, 1, 125, 126, 999])
async def test_a_message_comes_back_as_one_frame(size: int) -> None:
    async with serving(WebSocket(max_bytes=1000), echo) as port, raw(port) as peer:
        await peer.write(frame(TEXT, b"x" * size))
        assert await peer.read_frame() == (TEXT, b"x" * size)


async def test_fragments_pings_and_a_first_message_with_the_handshake() -> None:
    async with serving(WebSocket(), echo) as port, raw(port) as peer:
        await peer.write(frame(TEXT, b"one ", final=False) + frame(PING, b"?"))
        assert await peer.read_frame() == (PONG, b"?")
        await peer.write(frame(0, b"two"))
        assert await peer.read_frame() == (TEXT, b"one two")


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (frame(TEXT, b"x" * 1001), 1009),
        (frame(BINARY, b"\0\1"), 1003),
        (frame(TEXT, b"goodbye"), 1001),
        (frame(CLOSE, b"\x03\xe8bye"), 1000),
    ],
)
async def test_the_close_code_says_why(data: bytes, code: int) -> None:
    async with serving(WebSocket(max_bytes=1000), echo) as port, raw(port) as peer:
        await peer.write(data)
        opcode, payload = await peer.read_frame()
        if payload == b"goodbye":
            opcode, payload = await peer.read_frame()
        assert (opcode, int.from_bytes(payload[:2], "big")) == (CLOSE, code)
        if code == 1001:
            await peer.write(frame(CLOSE, payload))
        with pytest.raises(EOFError):
            await peer.read(1)


async def test_a_game_may_hear_of_binary_frames_instead() -> None:
    async with serving(WebSocket(binary_is_unreadable=True), echo) as port, raw(port) as peer:
        await peer.write(frame(BINARY, b"\0\1"))
        assert await peer.read_frame() == (TEXT, b"unreadable")


# What goes wrong ends one connection


TRANSPORTS: list[Transport] = [WebSocket(), Tcp(LineFramer)]


@pytest.mark.parametrize("transport", TRANSPORTS, ids=["websocket", "lines"])
async def test_a_bug_of_a_listener_is_told_to_its_own_task_only(transport: Transport) -> None:
    bugs: list[BaseException] = []

    def hear(frame: Frame) -> None:
        if frame == b"bug":
            raise ZeroDivisionError

    async def serve(link: Link) -> None:
        try:
            await link.converse(hear)
        except ZeroDivisionError as bug:
            bugs.append(bug)
            await link.aclose(Farewell.FAULT)
        except trio.EndOfChannel:
            pass

    async with serving(transport, serve) as port, transport.connect("127.0.0.1", port) as good:
        async with transport.connect("127.0.0.1", port) as bad:
            await bad.send(b"bug")
            with pytest.raises(trio.EndOfChannel):
                await bad.receive()
            if isinstance(transport, WebSocket):
                assert isinstance(bad, StreamLink)
                assert bad.close_code == 1011
        await good.send(b"hello")
        assert not good.gone
    assert len(bugs) == 1


async def test_a_bug_of_a_framer_ends_one_connection() -> None:
    class BrokenFramer(LineFramer):
        def feed(self, data: bytes) -> list[Frame]:
            raise ZeroDivisionError

    failed: list[BaseException] = []

    async def serve(link: Link) -> None:
        try:
            await link.receive()
        except ZeroDivisionError as bug:
            failed.append(bug)

    async with serving(Tcp(BrokenFramer), serve) as port:
        for _ in range(2):
            async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
                await stream.send_all(b"{}\n")
                assert await stream.receive_some() == b""
    assert len(failed) == 2


@pytest.mark.parametrize(
    ("limits", "complaint"),
    [
        (OutboxLimits(frames=50), Complaint.OUTBOX_FULL),
        (OutboxLimits(seconds=5, bytes=10**9), Complaint.SLOW_WRITE),
        (OutboxLimits(total=5_000_000), Complaint.OUTBOX_FULL),
    ],
    ids=["frames", "seconds", "total"],
)
@pytest.mark.parametrize("transport", TRANSPORTS, ids=["websocket", "lines"])
async def test_clients_that_stop_reading_are_dropped(
    transport: Transport,
    limits: OutboxLimits,
    complaint: Complaint,
    autojump_clock: MockClock,
) -> None:
    dropped: list[Complaint | None] = []
    over = trio.Event()

    async def talk(client: Connection) -> None:
        for _ in range(100):
            client.post(b"x" * 100_000)
            await trio.sleep(0.1)

    async def serve(link: Link) -> None:
        async with trio.open_nursery() as nursery:
            client = toy_client(toy_hall(nursery), 1, link)
            nursery.start_soon(talk, client)
            await client.run()
            nursery.cancel_scope.cancel()
        dropped.append(link.complaint)
        over.set()

    async with (
        serving(transport, serve, Terms(outbox=limits)) as port,
        await trio.open_tcp_stream("127.0.0.1", port) as stream,
    ):
        if isinstance(transport, WebSocket):
            await RawPeer(stream).shake()
        with trio.fail_after(60):
            await over.wait()
    assert dropped == [complaint]
