"""Web pages that make a visitor's browser attack the server from inside the lab."""

import pytest
import trio
from trio.testing import MockClock

from tests.attacks.arena import WEBSOCKET_GAMES, Arena, open_arena
from tests.support.raw_websocket import HANDSHAKE

TCP_GAMES = ("penguins", "qwirkle", "roborally")
BROWSER = b"User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0\r\n"

# What a page would like the server to obey.
ORDERS = {
    "penguins": b"<protocol><join/>",
    "qwirkle": b'{"uniqueId":100,"clientName":"X","clientType":"PLAYER"}\n{"uniqueId":300}\n',
    "roborally": b'{"messageType":"HelloServer","messageBody":'
    b'{"group":"X","isAI":false,"protocol":"Version 2.0"}}\n',
}
SIGNS = {
    "penguins": b"Software-Challenge",
    "qwirkle": b"Qwirkle (",
    "roborally": b"Robo Rally (",
}


def heads(order: bytes) -> list[bytes]:
    """Requests that a page can make a browser send; whatever it puts into the path is quoted."""
    rest = b"Host: lab:1\r\n%bContent-Length: %d\r\n\r\n" % (BROWSER, len(order))
    return [
        b"POST / HTTP/1.1\r\n" + rest,
        b"POST /" + b"x" * 70_000 + b" HTTP/1.1\r\n" + rest,
        b"PUT /%7B HTTP/1.1\r\n" + rest,
    ]


async def post(arena: Arena, request: bytes, size: int) -> bytes:
    async with arena.connect() as stranger:
        try:
            for n in range(0, len(request), size):
                await stranger.say(request[n : n + size])
                await trio.sleep(0.001)
        except trio.BrokenResourceError:
            pass
        return await stranger.gone(within=4)


@pytest.mark.parametrize("game", TCP_GAMES)
@pytest.mark.parametrize("kind", range(3))
@pytest.mark.parametrize("size", [9, 100_000])
async def test_an_http_request_is_answered_in_http_and_not_obeyed(
    game: str, kind: int, size: int, autojump_clock: MockClock
) -> None:
    order = ORDERS[game]
    request = heads(order)[kind] + order
    async with open_arena(game) as arena:
        if size == 9:
            request = request[:1100] + order  # not all of a long path: that is slow
        heard = await post(arena, request, size)
        greeting, http, answer = heard.partition(b"HTTP/1.1 400 Bad Request\r\n")
        assert http, heard
        assert b"HelloClient" in greeting if game == "roborally" else not greeting
        head, _, body = answer.partition(b"\r\n\r\n")
        assert b"Connection: close" in head
        assert f"Content-Length: {len(body)}".encode() in head
        assert SIGNS[game] in body
        assert b"no web server" in body
        assert arena.server.endpoint.traffic.frames_in == 0
        assert +arena.server.endpoint.traffic.drops == {"http_request": 1}


@pytest.mark.parametrize("game", TCP_GAMES)
@pytest.mark.parametrize(
    "before",
    [
        # A TLS hello, whose session id was chosen by an earlier server of the page's owner.
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"r" * 32 + b"\x20\n",
        # A WebRTC request to a TURN server, with a user name of the page's choice.
        b"\x00\x03\x00\x60\x21\x12\xa4\x42" + b"i" * 12 + b"\x00\x06\x00\x40\n",
    ],
    ids=["TLS", "TURN"],
)
async def test_words_inside_of_a_binary_protocol_are_not_obeyed(
    game: str, before: bytes, autojump_clock: MockClock
) -> None:
    async with open_arena(game) as arena, arena.connect() as stranger:
        await stranger.say(before + ORDERS[game])
        heard = await stranger.gone(within=4)
        assert b"HelloClient" in heard if game == "roborally" else not heard
        assert b"Welcome" not in heard
        assert arena.server.endpoint.traffic.frames_in == 0
        assert +arena.server.endpoint.traffic.drops == {"binary": 1}


def upgrade(origin: bytes, host: bytes = b"lab.example.org:4444", more: bytes = BROWSER) -> bytes:
    request = HANDSHAKE % (b"/", b"Origin: %b\r\n%b" % (origin, more))
    return request.replace(b"Host: localhost", b"Host: " + host)


@pytest.mark.parametrize("game", WEBSOCKET_GAMES)
@pytest.mark.parametrize(
    "request_head",
    [
        upgrade(b"https://evil.example"),
        upgrade(b"https://evil.example", more=b""),
        upgrade(b"null"),
        upgrade(b"http://lab.example.org.evil.example"),
        # The page's host name was redirected to this machine after the page was loaded.
        upgrade(b"http://evil.example:4444", b"evil.example:4444"),
    ],
)
async def test_a_page_from_elsewhere_may_not_connect(
    game: str, request_head: bytes, autojump_clock: MockClock
) -> None:
    async with open_arena(game) as arena, arena.connect() as stranger:
        await stranger.say(request_head)
        heard = await stranger.gone(within=4)
        assert heard.startswith(b"HTTP/1.1 403 Forbidden\r\n")
        assert b"may not connect; allowed_origins names those that may\n" in heard
        assert +arena.server.endpoint.traffic.drops == {"foreign_page": 1}


@pytest.mark.parametrize("game", WEBSOCKET_GAMES)
@pytest.mark.parametrize(
    ("request_head", "allowed"),
    [
        (HANDSHAKE % (b"/", b""), None),
        (HANDSHAKE % (b"/", BROWSER), None),
        # A web client under development, on the student's own machine.
        (upgrade(b"http://localhost:3000"), None),
        (upgrade(b"http://127.0.0.1:5173"), None),
        (upgrade(b"file://"), None),
        # A page from another port of this machine, addressed by its IP.
        (upgrade(b"http://192.0.2.7:8080", b"192.0.2.7:4444"), None),
        # Programs whose library names the server itself.
        (upgrade(b"http://lab.example.org:4444", more=b""), None),
        (upgrade(b"lab.example.org:4444", more=b""), None),
        (upgrade(b"origin", more=b""), None),
        (upgrade(b"", more=b""), None),
        (upgrade(b"https://games.example.org"), ["https://games.example.org"]),
        (upgrade(b"https://evil.example"), ["*"]),
        (upgrade(b"null"), ["null"]),
    ],
)
async def test_who_is_no_foreign_page_may(
    game: str, request_head: bytes, allowed: list[str] | None, autojump_clock: MockClock
) -> None:
    limits = {} if allowed is None else {"allowed_origins": allowed}
    async with open_arena(game, **limits) as arena, arena.connect() as stranger:
        await stranger.say(request_head)
        await stranger.hear(b"HTTP/1.1 101 Switching Protocols\r\n")


@pytest.mark.parametrize("game", WEBSOCKET_GAMES)
@pytest.mark.parametrize(
    ("request_head", "status"),
    [
        (HANDSHAKE.replace(b"HTTP/1.1", b"HTTP/1.0") % (b"/", b""), 400),
        (HANDSHAKE.replace(b"dGhlIHNhbXBsZSBub25jZQ==", b"short") % (b"/", b""), 400),
        (HANDSHAKE % (b"/", b"Sec-WebSocket-Key: MTIzNDU2Nzg5MDEyMzQ1Ng==\r\n"), 400),
        (HANDSHAKE % (b"/", b"Upgrade: websocket\r\n"), 400),
        (HANDSHAKE % (b"/", b"Content-Length: 2\r\n") + b"{}", 400),
        (HANDSHAKE % (b"/", b"Transfer-Encoding: chunked\r\n") + b"0\r\n\r\n", 400),
    ],
)
async def test_a_request_that_others_may_understand_otherwise_is_refused(
    game: str, request_head: bytes, status: int, autojump_clock: MockClock
) -> None:
    async with open_arena(game) as arena, arena.connect() as stranger:
        await stranger.say(request_head)
        heard = await stranger.gone(within=4)
        assert heard.startswith(b"HTTP/1.1 %d " % status)
        assert +arena.server.endpoint.traffic.drops == {"bad_handshake": 1}


@pytest.mark.parametrize("game", WEBSOCKET_GAMES)
async def test_a_message_over_plain_tcp_is_told_what_the_port_speaks(
    game: str, autojump_clock: MockClock
) -> None:
    async with open_arena(game) as arena, arena.connect() as stranger:
        await stranger.say(b'{"messageType": "GetAvailableLobbies"}\r\n')
        heard = await stranger.gone(within=4)
        assert heard.startswith(b"HTTP/1.1 400 ")
        assert b"This port speaks WebSocket" in heard
        assert +arena.server.endpoint.traffic.drops == {"bad_handshake": 1}


@pytest.mark.parametrize("game", WEBSOCKET_GAMES)
async def test_who_opens_the_port_in_a_browser_reads_which_game_this_is(
    game: str, autojump_clock: MockClock
) -> None:
    async with open_arena(game) as arena, arena.connect() as stranger:
        await stranger.say(b"GET / HTTP/1.1\r\nHost: lab:4444\r\n" + BROWSER + b"\r\n")
        heard = await stranger.gone(within=4)
        assert heard.startswith(b"HTTP/1.1 426 Upgrade Required\r\n")
        game_of = arena.server.endpoint.game
        assert f"{game_of.title} ({game_of.protocol} {game_of.version})".encode() in heard
        assert b"ws://lab:4444/" in heard
        assert not +arena.server.endpoint.traffic.drops
