"""Behind a proxy: limits apply to the addresses behind it, and nobody can lie about their own."""

import struct
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import attrs
import pytest
import trio
from structlog.testing import LogCapture
from trio.testing import MockClock

from ludothek.settings.limits import Limits
from tests.attacks.arena import GAMES, WEBSOCKET_GAMES, Arena, Stranger, open_arena
from tests.attacks.test_crowds import TURNED_AWAY, last_words
from tests.support.raw_websocket import HANDSHAKE
from transports.proxy_header import SIGNATURE

PROXY = "127.0.0.2"
BEHIND = {"trusted_proxies": [PROXY], "max_connections_per_address": 3}
OUTSIDE, OTHER = "203.0.113.7", "203.0.113.8"


@asynccontextmanager
async def proxied(arena: Arena, first: bytes = b"") -> AsyncIterator[Stranger]:
    """A connection from the proxy, and what it sends first."""
    stream = await trio.open_tcp_stream("127.0.0.1", arena.server.port, local_address=PROXY)
    async with stream:
        await stream.send_all(first)
        yield Stranger(stream)


def line(host: str) -> bytes:
    return f"PROXY TCP4 {host} 127.0.0.1 40000 4444\r\n".encode()


def block(host: str) -> bytes:
    addresses = bytes(map(int, host.split("."))) + bytes([127, 0, 0, 1])
    payload = addresses + struct.pack("!HH", 40000, 4444) + b"\x04\x00\x02xx"
    return SIGNATURE + struct.pack("!BBH", 0x21, 0x11, len(payload)) + payload


def forwarded(*hosts: str) -> bytes:
    return HANDSHAKE % (b"/", f"X-Forwarded-For: {', '.join(hosts)}\r\n".encode())


def hello(game: str) -> bytes:
    """What makes a connection a client."""
    return HANDSHAKE % (b"/", b"") if game in WEBSOCKET_GAMES else b""


def addresses(arena: Arena) -> list[str]:
    """As `platform ctl clients` shows them."""
    return sorted(client.peer for client in arena.server.endpoint.clients)


WAYS = [
    *((game, way) for game in GAMES for way in ("line", "block")),
    *((game, "forwarded") for game in WEBSOCKET_GAMES),
]


def words(game: str, way: str, host: str) -> bytes:
    if way == "forwarded":
        return forwarded(host)
    return (line(host) if way == "line" else block(host)) + hello(game)


@pytest.mark.parametrize(("game", "way"), WAYS)
async def test_an_address_behind_a_proxy_has_its_limit_and_no_other_pays_for_it(
    game: str, way: str, autojump_clock: MockClock
) -> None:
    limits = {**BEHIND, "proxy_protocol": way != "forwarded"}
    async with open_arena(game, **limits) as arena, AsyncExitStack() as stack:

        async def come(host: str) -> Stranger:
            return await stack.enter_async_context(proxied(arena, words(game, way, host)))

        strangers = [await come(OUTSIDE) for _ in range(8)]
        others = [await come(OTHER) for _ in range(3)]
        refused = [said for each in strangers if (said := await last_words(each))]
        assert len(refused) == 5
        assert all(said.startswith(TURNED_AWAY[game]) for said in refused)
        assert all(b"too many connections from one address" in said for said in refused)
        assert [await last_words(each) for each in others] == [None] * 3
        port = 0 if way == "forwarded" else 40000
        assert addresses(arena) == [f"{OUTSIDE}:{port}"] * 3 + [f"{OTHER}:{port}"] * 3


@pytest.mark.parametrize("game", GAMES)
async def test_a_proxy_waits_for_its_clients_without_a_limit_of_its_own(
    game: str, autojump_clock: MockClock
) -> None:
    limits = {**BEHIND, "proxy_protocol": True}
    async with open_arena(game, **limits) as arena, AsyncExitStack() as stack:
        for _ in range(20):
            await stack.enter_async_context(proxied(arena))
        late = await stack.enter_async_context(proxied(arena, line(OUTSIDE) + hello(game)))
        with trio.move_on_after(2):
            await late.gone()
        assert addresses(arena) == [f"{OUTSIDE}:40000"]


@pytest.mark.parametrize("game", GAMES)
async def test_a_proxy_that_says_nothing_is_closed(game: str, autojump_clock: MockClock) -> None:
    async with open_arena(game, **BEHIND, proxy_protocol=True, handshake_seconds=7.0) as arena:
        for said in (b"", b"PROXY TCP4 ", SIGNATURE + b"\x21"):
            begin = trio.current_time()
            async with proxied(arena, said) as stranger:
                assert await stranger.gone() == b""
            assert 7 <= trio.current_time() - begin < 9
        assert +arena.server.endpoint.traffic.drops == {"slow_handshake": 3}


@pytest.mark.parametrize("game", GAMES)
async def test_a_server_that_ends_waits_for_no_proxy(game: str, autojump_clock: MockClock) -> None:
    async with (
        open_arena(game, **BEHIND, proxy_protocol=True, handshake_seconds=600.0) as arena,
        proxied(arena, b"PROXY ") as stranger,
    ):
        await trio.sleep(1)
        arena.server.endpoint.close()
        assert await stranger.gone(within=1) == b""


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    "said",
    [
        b"PROXY TCP4 nobody 127.0.0.1 1 2\r\n",
        b"PROXY TCP4 203.0.113.7 127.0.0.1 1 2\n",
        b"PROXY UNKNOWN" + b" " * 200,
        SIGNATURE + b"\x21\x11\xff\xff",
        b"",
    ],
)
async def test_a_proxy_that_does_not_say_for_whom_it_speaks_is_closed(
    game: str, said: bytes, autojump_clock: MockClock
) -> None:
    async with open_arena(game, **BEHIND, proxy_protocol=True) as arena:
        greeting = hello(game) or b"<protocol>{}\n"
        async with proxied(arena, said + greeting) as stranger:
            assert await stranger.gone(within=4) == b""
        assert arena.server.endpoint.traffic.connections == 0
        assert +arena.server.endpoint.traffic.drops == {"not_introduced": 1}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("proxy_protocol", [False, True])
@pytest.mark.parametrize("header", [line("127.0.0.1"), block("127.0.0.1")], ids=["line", "block"])
async def test_nobody_else_may_send_a_header(
    game: str, header: bytes, proxy_protocol: bool, autojump_clock: MockClock
) -> None:
    limits = {**BEHIND, "proxy_protocol": proxy_protocol}
    async with open_arena(game, **limits) as arena, arena.connect() as stranger:
        await stranger.say(header + (hello(game) or b"<protocol>{}\n"))
        heard = await stranger.gone(within=4)
        assert b"101 Switching" not in heard
        assert b"<errorpacket" not in heard
        drops = arena.server.endpoint.traffic.drops
        assert drops["proxy_header"] == (game not in WEBSOCKET_GAMES)


async def test_clients_of_the_same_port_need_no_proxy(autojump_clock: MockClock) -> None:
    async with (
        open_arena("qwirkle", **BEHIND, proxy_protocol=True) as arena,
        arena.arrive(),
        proxied(arena, line(OUTSIDE)) as stranger,
    ):
        await stranger.say(b'{"uniqueId":100,"clientName":"X","clientType":"SPECTATOR"}\n')
        await stranger.hear(b'"uniqueId":101')
        assert f"{OUTSIDE}:40000" in addresses(arena)
        assert len(addresses(arena)) == 2


async def test_a_header_and_a_message_may_come_in_any_pieces(autojump_clock: MockClock) -> None:
    message = b'{"uniqueId":100,"clientName":"X","clientType":"SPECTATOR"}\n'
    async with open_arena("qwirkle", **BEHIND, proxy_protocol=True) as arena:
        for header in (line(OUTSIDE), block(OUTSIDE)):
            data = header + message
            async with proxied(arena, data) as stranger:
                await stranger.hear(b'"uniqueId":101')
            async with proxied(arena) as stranger:
                for n in range(len(data)):
                    await stranger.say(data[n : n + 1])
                    await trio.sleep(0.01)
                await stranger.hear(b'"uniqueId":101')


@pytest.mark.parametrize(
    "header", [b"PROXY UNKNOWN\r\n", SIGNATURE + b"\x20\0\0\0", SIGNATURE + b"\x21\0\0\0"]
)
async def test_a_proxy_that_speaks_for_itself_is_one_address_and_not_exempt(
    header: bytes, autojump_clock: MockClock
) -> None:
    limits = {**BEHIND, "proxy_protocol": True, "exempt": ["127.0.0.0/8"]}
    async with open_arena("qwirkle", **limits) as arena, AsyncExitStack() as stack:
        checks = [await stack.enter_async_context(proxied(arena, header)) for _ in range(5)]
        answers = [await last_words(each) for each in checks]
        assert answers.count(None) == 3


# What the header says, and the resulting address of the client.
FORWARDED = [
    (forwarded(OUTSIDE), OUTSIDE),
    (forwarded("127.0.0.1", OUTSIDE), OUTSIDE),
    (forwarded("nonsense", OUTSIDE), OUTSIDE),
    (forwarded(OUTSIDE, PROXY), OUTSIDE),
    (forwarded("2001:db8::7"), "[2001:db8::7]"),
    (HANDSHAKE % (b"/", b"X-Forwarded-For: 1.2.3.4\r\nX-Forwarded-For: 203.0.113.7\r\n"), OUTSIDE),
    (HANDSHAKE % (b"/", b"X-Real-IP: 1.2.3.4\r\nForwarded: for=1.2.3.4\r\n"), PROXY),
]


@pytest.mark.parametrize(("request_head", "host"), FORWARDED)
async def test_of_what_was_forwarded_the_proxy_is_believed_only(
    request_head: bytes, host: str, autojump_clock: MockClock
) -> None:
    async with (
        open_arena("hexxagon", **BEHIND) as arena,
        proxied(arena, request_head) as stranger,
    ):
        await stranger.hear(b"Welcome")
        (address,) = addresses(arena)
        assert address.rpartition(":")[0] == host


async def test_what_a_stranger_says_of_its_address_is_not_believed(
    autojump_clock: MockClock,
) -> None:
    async with open_arena("hexxagon", **BEHIND) as arena, arena.connect() as stranger:
        await stranger.say(forwarded(OUTSIDE))
        await stranger.hear(b"Welcome")
        (address,) = addresses(arena)
        assert address.startswith("127.0.0.1:")


async def test_a_proxy_that_forwards_for_nobody_who_can_be_read_is_told_so(
    autojump_clock: MockClock,
) -> None:
    async with (
        open_arena("hexxagon", **BEHIND) as arena,
        proxied(arena, forwarded("unknown")) as stranger,
    ):
        assert (await stranger.gone()).startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize("game", ["hexxagon", "qwirkle"])
async def test_a_proxy_that_names_nobody_is_one_address_and_not_exempt(
    game: str, autojump_clock: MockClock
) -> None:
    """A wrong setup may lead to limits that are too strict, never too loose."""
    limits = {**BEHIND, "exempt": ["127.0.0.0/8"]}
    async with open_arena(game, **limits) as arena, AsyncExitStack() as stack:
        come = [await stack.enter_async_context(proxied(arena, hello(game))) for _ in range(5)]
        answers = [await last_words(each) for each in come]
        assert answers.count(None) == 3


@pytest.mark.parametrize(("exempt", "served"), [(["203.0.113.0/24"], 6), (["127.0.0.0/8"], 3)])
async def test_exempt_is_who_is_behind_the_proxy(
    exempt: list[str], served: int, autojump_clock: MockClock
) -> None:
    limits = {**BEHIND, "proxy_protocol": True, "exempt": exempt}
    async with open_arena("qwirkle", **limits) as arena, AsyncExitStack() as stack:
        come = [await stack.enter_async_context(proxied(arena, line(OUTSIDE))) for _ in range(6)]
        answers = [await last_words(each) for each in come]
        assert answers.count(None) == served


async def test_the_log_names_who_is_behind_the_proxy(
    autojump_clock: MockClock, logs: LogCapture
) -> None:
    limits = {**BEHIND, "proxy_protocol": True, "max_connections_per_address": 1}
    async with (
        open_arena("qwirkle", **limits) as arena,
        proxied(arena, line(OUTSIDE)),
        proxied(arena, line(OUTSIDE)) as stranger,
    ):
        await stranger.gone()
    (refused,) = [entry for entry in logs.entries if entry["event"] == "connection refused"]
    assert refused["address"] == OUTSIDE


async def test_other_proxies_are_trusted_from_the_next_connection_on(
    autojump_clock: MockClock,
) -> None:
    async with open_arena("hexxagon") as arena, AsyncExitStack() as stack:
        for limits in (Limits(), Limits(trusted_proxies=[PROXY]), Limits(trusted_proxies=["::1"])):
            arena.server.endpoint.limit(attrs.evolve(limits, first_message_seconds=0))
            stranger = await stack.enter_async_context(proxied(arena, forwarded(OUTSIDE)))
            await stranger.hear(b"Welcome")
        hosts = [address.rpartition(":")[0] for address in addresses(arena)]
        assert hosts == [PROXY, PROXY, OUTSIDE]
