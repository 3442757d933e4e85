"""Browsers that make mistakes or mean harm while somebody plays."""

from collections.abc import Mapping

import pytest
import trio
from trio.testing import MockClock, memory_stream_pair

from games.hexxagon import GAME as HEXXAGON
from games.penguins import GAME as PENGUINS
from ludothek.web.guard import Guard
from ludothek.web.play_socket import FIRST_SECONDS
from ludothek.web.slow_stream import SlowStream
from ludothek.web.visitors import PATIENCE
from tests.support.parlour import LOCAL, OpenParlour, open_parlour

WEAKEST = len(PENGUINS.difficulties) - 1


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ("", "a message is JSON"),
        ("[" * 2000, "a message is JSON"),
        ("[]", "a message is a JSON object"),
        ("{}", "the type of a message is one of sit, answer, resign"),
        ('{"type": ["sit"]}', "the type of a message is one of sit, answer, resign"),
        ('{"type": "sit"}', "name is missing"),
        ('{"type": "sit", "name": 7}', "name is text"),
        ('{"type": "sit", "name": " \\u200b "}', "name has 1 to 40 visible characters"),
        ('{"type": "sit", "name": "a\\nb"}', "name has 1 to 40 visible characters"),
        ('{"type": "sit", "name": "%s"}' % ("x" * 41), "name has 1 to 40 visible characters"),
        ('{"type": "sit", "name": "a", "opponent": "god"}', "opponent is bot or client"),
        ('{"type": "sit", "name": "a", "difficulty": true}', "difficulty is a whole number"),
        ('{"type": "sit", "name": "a", "difficulty": 99}', "the strengths of the computer are"),
        ('{"type": "sit", "name": "a", "difficulty": -1}', "the strengths of the computer are"),
        ('{"type": "sit", "name": "a", "begins": 1}', "begins is true or false"),
        ('{"type": "sit", "token": 5}', "token is text or null"),
        ('{"type": "answer", "number": 1, "move": 0}', "the first message is of type sit"),
        (b"{}", "a message is text"),
    ],
)
async def test_whoever_asks_for_nonsense_is_told_so(
    message: str | bytes, why: str, autojump_clock: MockClock
) -> None:
    async with open_parlour(PENGUINS) as parlour, parlour.browse() as browser:
        await browser.say_raw(message)
        assert (await browser.hear("refused"))["why"].startswith(why)
        assert await browser.hear_end() == 1008
        assert not parlour.endpoint.hall.lobbies


async def test_a_game_goes_on_beside_nonsense(autojump_clock: MockClock) -> None:
    async with open_parlour(PENGUINS) as parlour, parlour.browse() as browser:
        await browser.sit(difficulty=WEAKEST)
        number = (await browser.hear("question"))["number"]
        for message, why in [
            ({"type": "answer"}, "number is missing"),
            ({"type": "answer", "number": number, "move": "0"}, "move is a whole number"),
            ({"type": "answer", "number": number, "move": 1000}, f"question {number} has no move"),
            ({"type": "answer", "number": number, "move": -1}, f"question {number} has no move"),
            ({"type": "answer", "number": number + 1, "move": 0}, "question 2 is not open"),
            ({"type": "answer", "number": 2**80, "move": 0}, "number is a whole number"),
            ({"type": "sit", "name": "Ada"}, "you have a seat already"),
        ]:
            if message.get("number") == 2**80:
                await browser.say_raw('{"type": "answer", "number": 1e99, "move": 0}')
            else:
                await browser.say(**message)
            assert (await browser.hear("refused"))["why"].startswith(why)
        await browser.say(type="answer", number=number, move=0)
        await browser.hear("answered")
        await browser.say(type="answer", number=number, move=0)
        assert "not open" in (await browser.hear("refused"))["why"]
        assert (await browser.play())["ending"] == "regular"


async def test_a_message_that_is_too_long_ends_the_connection(autojump_clock: MockClock) -> None:
    async with open_parlour(PENGUINS) as parlour, parlour.browse() as browser:
        await browser.say_raw("x" * 5000)
        assert await browser.hear_end() == 1009


async def test_a_flood_ends_the_connection_but_not_the_game(autojump_clock: MockClock) -> None:
    async with open_parlour(PENGUINS) as parlour:
        async with parlour.browse() as browser:
            token = (await browser.sit(difficulty=WEAKEST))["token"]
            with trio.move_on_after(500):
                for _ in range(300):
                    await browser.say_raw("!")
            heard = [await browser.hear("refused")]
            while heard[-1]["code"] == "stale":
                heard.append(await browser.hear("refused"))
            assert heard[-1]["code"] == "flood"
        async with parlour.browse() as browser:
            await browser.say(type="sit", token=token)
            assert (await browser.play())["ending"] == "regular"


async def test_a_browser_that_says_nothing_is_sent_away(autojump_clock: MockClock) -> None:
    async with open_parlour(PENGUINS) as parlour, parlour.browse() as browser:
        with trio.fail_after(FIRST_SECONDS + 1):
            assert (await browser.hear("refused"))["code"] == "silent"


async def test_a_seat_waits_its_turn_where_many_ask(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A class behind one address is served later, not turned away."""
    monkeypatch.setattr(Guard, "delay", lambda guard, scope: PATIENCE)
    began = trio.current_time()
    async with open_parlour(PENGUINS) as parlour, parlour.browse() as browser:
        await browser.sit(difficulty=WEAKEST)
        assert trio.current_time() - began >= PATIENCE


async def test_an_address_gets_so_many_seats(autojump_clock: MockClock) -> None:
    limits = {"max_people_per_address": 1, "exempt": []}
    async with open_parlour(PENGUINS, limits=limits) as parlour:
        async with parlour.browse() as one, parlour.browse() as other:
            await one.sit(difficulty=WEAKEST)
            await other.say(type="sit", name="Eve")
            refused = await other.hear("refused")
            assert refused["code"] == "no-seat"
            assert "as many games as your address may have" in refused["why"]
            await one.play()
        async with parlour.browse() as other:
            await other.sit(difficulty=WEAKEST)


async def test_so_many_people_play_at_the_same_time(autojump_clock: MockClock) -> None:
    async with (
        open_parlour(PENGUINS, limits={"max_people": 1}) as parlour,
        parlour.browse() as one,
        parlour.browse() as other,
    ):
        await one.sit(difficulty=WEAKEST)
        await other.say(type="sit", name="Eve")
        assert "as many people as fit" in (await other.hear("refused"))["why"]


async def test_a_person_counts_as_a_connection_of_the_address(autojump_clock: MockClock) -> None:
    limits = {"max_connections_per_address": 1, "exempt": []}
    async with (
        open_parlour(HEXXAGON, limits=limits) as parlour,
        parlour.browse() as one,
        parlour.browse() as other,
    ):
        await one.sit(opponent="client")
        await other.say(type="sit", name="Eve")
        assert (await other.hear("refused"))["code"] == "no-seat"
        assert len(parlour.endpoint.hall.lobbies) == 1
        [client] = parlour.endpoint.clients
        assert client.host == LOCAL
        assert not client.hosted
        await one.say(type="resign")
        await one.hear("over")
        async with parlour.browse() as third:
            await third.sit(opponent="client")


async def test_many_may_play_from_an_exempt_network(autojump_clock: MockClock) -> None:
    async with (
        open_parlour(PENGUINS, limits={"max_people_per_address": 1}) as parlour,
        parlour.browse() as one,
        parlour.browse() as other,
    ):
        await one.sit(difficulty=WEAKEST)
        await other.sit(difficulty=WEAKEST)


async def test_no_new_game_begins_while_the_server_closes(autojump_clock: MockClock) -> None:
    async with open_parlour(PENGUINS) as parlour, parlour.browse() as browser:
        parlour.endpoint.hall.drain()
        await browser.say(type="sit", name="Ada")
        assert (await browser.hear("refused"))["code"] == "closing"


HANDSHAKE = {
    "Host": "HERE",
    "Origin": "http://HERE",
    "Connection": "keep-alive, Upgrade",
    "Upgrade": "WebSocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
}


async def request(
    parlour: OpenParlour, headers: Mapping[str, str], line: str, more: bytes = b""
) -> bytes:
    """Everything that the server says to a request, with the right address in place of HERE."""
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    text = f"{line} HTTP/1.1\r\n{head}\r\n".replace("HERE", f"{LOCAL}:{parlour.port}")
    heard = b""
    async with await trio.open_tcp_stream(LOCAL, parlour.port) as stream:
        await stream.send_all(text.encode() + more)
        with trio.fail_after(60):
            while piece := await stream.receive_some():
                heard += bytes(piece)
    return heard


SOCKET = "GET /play/penguins/socket"


@pytest.mark.parametrize(
    ("line", "headers", "status"),
    [
        (SOCKET, {"Origin": ""}, 403),
        (SOCKET, {"Origin": "http://evil.example"}, 403),
        (SOCKET, {"Origin": "null"}, 403),
        (SOCKET, {"Origin": "http://127.0.0.1:1"}, 403),
        (SOCKET, {"Origin": "http://[::"}, 403),
        (SOCKET, {"Host": "evil.example", "Origin": "http://evil.example"}, 421),
        (SOCKET, {"Sec-WebSocket-Version": "8"}, 426),
        (SOCKET, {"Sec-WebSocket-Key": "short"}, 400),
        (SOCKET, {"Connection": "close"}, 400),
        (SOCKET, {"Host": "[::1"}, 400),
        (SOCKET, {"Content-Length": "0"}, 400),
        (SOCKET, {"Transfer-Encoding": "chunked\r\n\r\n0"}, 400),
        (SOCKET, {"Upgrade": "websocket\r\nUpgrade: websocket"}, 400),
        (SOCKET, {"Origin": "http://HERE\r\nOrigin: http://evil.example"}, 400),
        ("POST /play/penguins/socket", {}, 400),
        ("GET /play/chess/socket", {}, 404),
        ("GET /play/penguins/socket/more", {}, 404),
    ],
)
async def test_only_pages_of_this_server_can_play(
    line: str, headers: dict[str, str], status: int, autojump_clock: MockClock
) -> None:
    async with open_parlour(PENGUINS) as parlour:
        heard = await request(parlour, HANDSHAKE | headers, line)
        assert heard.startswith(f"HTTP/1.1 {status} ".encode())


@pytest.mark.parametrize(
    "garbage",
    [b"\x00" * 100, b"GET / HTTP/1.1\r\n\r\n", b"\x81\x05hello", b"\x88\x80\0\0\0\0"],
    ids=["zeros", "request", "unmasked", "goodbye"],
)
async def test_garbage_after_the_handshake_harms_nobody(
    garbage: bytes, autojump_clock: MockClock
) -> None:
    async with open_parlour(PENGUINS) as parlour, parlour.browse() as browser:
        await browser.sit(difficulty=WEAKEST)
        heard = await request(parlour, HANDSHAKE, SOCKET, garbage)
        assert heard.startswith(b"HTTP/1.1 101")
        assert (await browser.play())["ending"] == "regular"


async def test_a_browser_that_sends_pings_without_end_is_slowed_down(
    autojump_clock: MockClock,
) -> None:
    stream, theirs = memory_stream_pair()
    slow, started = SlowStream(theirs), trio.current_time()
    await stream.send_all(b"x" * 100_000)
    size = 0
    while size < 100_000:
        size += len(await slow.receive_some(100_000))
    assert trio.current_time() - started > 30
