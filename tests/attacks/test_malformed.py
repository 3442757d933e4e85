"""What no decoder should have to read: it is answered, or its sender is disconnected."""

import random
from collections.abc import Callable

import pytest
import trio
from structlog.testing import LogCapture
from trio.testing import MockClock

from ludothek.contract.codec import Malformed
from ludothek.contract.registry import load
from tests.attacks.arena import TRANSPORTS, WEBSOCKET_GAMES, Arena, open_arena
from tests.games.quidditch.clients import QuidditchClient, start_match
from tests.support.raw_websocket import TEXT, frame

JSON_GAMES = ("hexxagon", "quidditch", "qwirkle", "roborally")

HUGE = b"9" * 30  # this becomes a floating-point number

# Messages that each JSON game must refuse, with %b for what makes them odd.
FIELDS = {
    "hexxagon": b'{"messageType":"JoinLobby","userId":%b,"lobbyId":%b,"userName":%b}',
    "quidditch": b'{"payloadType":"deltaRequest","payload":{"deltaType":"move","xPosNew":%b}}',
    "qwirkle": b'{"uniqueId":302,"gameId":%b}',
    "roborally": b'{"messageType":"SelectedCard","messageBody":{"card":"MoveI","register":%b}}',
}

ODDITIES = {
    "a number beyond 64 bits": HUGE,
    "a number beyond 32 bits": b"1e300",
    "half a number": b"1.5",
    "not a number": b"NaN",
    "infinity": b"-Infinity",
    "a list": b"[[[]]]",
    "an object": b'{"a":{}}',
    "true": b"true",
    "a lone surrogate": b'"\\ud800"',
    "a depth bomb": b"[" * 20_000 + b"]" * 20_000,
    "a deep object": b'{"a":' * 20_000 + b"1" + b"}" * 20_000,
    "no UTF-8": b'"\xff\xfe"',
    "a zero byte": b'"\x00"',
}


@pytest.mark.parametrize("game", JSON_GAMES)
@pytest.mark.parametrize("oddity", ODDITIES)
def test_odd_json_is_malformed_and_nothing_worse(game: str, oddity: str) -> None:
    codec = load(game).codec(None, load(game).settings())  # type: ignore[arg-type]
    text = FIELDS[game].replace(b"%b", ODDITIES[oddity])
    assert isinstance(codec.decode(text), Malformed)


@pytest.mark.parametrize("game", JSON_GAMES)
def test_of_a_key_that_comes_twice_the_last_one_holds(game: str) -> None:
    """As Gson and all other client libraries read it."""
    keys = {
        "hexxagon": b'{"messageType":"Welcome","messageType":"Nonsense"}',
        "quidditch": b'{"payloadType":"getReplay","payload":{},"payload":1}',
        "qwirkle": b'{"uniqueId":300,"uniqueId":-1}',
        "roborally": b'{"messageType":"Boink","messageBody":{},"messageType":"Nonsense"}',
    }
    codec = load(game).codec(None, load(game).settings())  # type: ignore[arg-type]
    assert isinstance(codec.decode(keys[game]), Malformed)


ENTITIES = b"".join(b'<!ENTITY e%d "%b">' % (n, b"&e%d;" % (n - 1) * 10) for n in range(1, 20))

BOMBS = {
    "entity bomb": b'<!DOCTYPE b [<!ENTITY e0 "ha">' + ENTITIES + b"]><protocol><a>&e19;</a>",
    "external entity": b'<!DOCTYPE p [<!ENTITY x SYSTEM "file:///etc/passwd">]><protocol>&x;',
    "endless attribute": b'<protocol><join gameType="' + b"x" * 2_000_000,
    "endless name": b"<protocol><" + b"x" * 2_000_000,
    "endless text": b"<protocol><join>" + b"x" * 2_000_000,
    "endless comment": b"<protocol><!--" + b"x" * 2_000_000,
    "depth": b"<protocol>" + b"<a>" * 100_000,
    "attributes": b"<protocol><a " + b" ".join(b'a%d=""' % n for n in range(10_000)) + b"/>",
}


def of(bomb: str) -> Callable[[str], bytes]:
    return lambda game: BOMBS[bomb]


def endless_message(game: str) -> bytes:
    if game in WEBSOCKET_GAMES:
        return b"\x81\xff" + (2**40).to_bytes(8, "big") + b"\0" * 100_000
    return b'{"messageType":"' + b"x" * 8_000_000


def depth_bomb(game: str) -> bytes:
    bomb = b'{"messageType":' * 4000
    return frame(TEXT, bomb) * 20 if game in WEBSOCKET_GAMES else (bomb + b"\n") * 200


def random_bytes(game: str) -> bytes:
    return random.Random(game).randbytes(200_000)


def http(game: str) -> bytes:
    return b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X-Header: x\r\n" * 20_000 + b"\r\n"


def tls(game: str) -> bytes:
    return b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500)


ATTACKS: list[tuple[str, str, Callable[[str], bytes]]] = [
    *(("penguins", bomb, of(bomb)) for bomb in BOMBS),
    *((game, "endless message", endless_message) for game in JSON_GAMES),
    *((game, "depth bomb", depth_bomb) for game in JSON_GAMES),
    *((game, "random bytes", random_bytes) for game in TRANSPORTS),
    *((game, "HTTP", http) for game in TRANSPORTS),
    *((game, "TLS", tls) for game in TRANSPORTS),
]

# The beginning of a connection, which must therefore be sent before anything else.
FIRST = ("entity bomb", "external entity", "HTTP", "TLS", *BOMBS)


@pytest.mark.parametrize(
    ("game", "name", "attack"), [pytest.param(*case, id=" ".join(case[:2])) for case in ATTACKS]
)
async def test_who_talks_nonsense_is_gone_and_a_match_beside_it_goes_on(
    game: str, name: str, attack: Callable[[str], bytes], autojump_clock: MockClock
) -> None:
    async def talk(arena: Arena) -> None:
        meet = arena.connect if name in FIRST else arena.arrive
        async with meet() as stranger, trio.open_nursery() as nursery:
            nursery.start_soon(stranger.gone)
            try:
                await stranger.say(attack(game))
                await stranger.stream.send_eof()
            except trio.BrokenResourceError:
                pass

    async with open_arena(game) as arena:
        await arena.withstand(talk)


TAGS = {
    "hexxagon": (b'{"messageType":%b}', b'"messageType":"Strike"'),
    "quidditch": (b'{"payloadType":%b,"payload":{},"timestamp":""}', b"privateError"),
    "qwirkle": (b'{"uniqueId":%b}\n', b'"uniqueId":910'),
    "roborally": (b'{"messageType":%b,"messageBody":{}}\n', b'"messageType":"Error"'),
}


@pytest.mark.parametrize("game", TAGS)
@pytest.mark.parametrize("depth", [900, 1010, 1023])
async def test_a_nested_tag_is_answered_like_any_other_mistake(
    game: str, depth: int, autojump_clock: MockClock, logs: LogCapture
) -> None:
    said, answer = TAGS[game]
    said %= b'{"a":' * depth + b"1" + b"}" * depth
    async with open_arena(game) as arena, arena.arrive() as stranger:
        await stranger.say(frame(TEXT, said) if game in WEBSOCKET_GAMES else said)
        await stranger.hear(answer)
    assert [entry for entry in logs.entries if entry["log_level"] == "error"] == []


@pytest.mark.parametrize("game", WEBSOCKET_GAMES)
@pytest.mark.parametrize(
    "head",
    [
        b"\x81\xfe\x00\x00",
        b"\x81\xfe\x00\x05",
        b"\x81\xff" + bytes(8),
        b"\x81\xff" + bytes(7) + b"\x05",
    ],
)
async def test_a_length_in_a_longer_form_than_it_needs_ends_the_connection(
    game: str, head: bytes, autojump_clock: MockClock
) -> None:
    """In one piece with what follows, it was once taken for an empty message."""
    async with open_arena(game) as arena, arena.arrive() as stranger:
        before, stranger.heard = arena.server.endpoint.traffic.frames_in, b""
        await stranger.say(head + b"mask" + b"hello")
        heard = await stranger.gone(within=60)
        assert heard.rpartition(b"\x88")[2][1:3] == (1002).to_bytes(2, "big")
        assert arena.server.endpoint.traffic.frames_in == before


async def test_half_a_character_costs_nobody_a_match(autojump_clock: MockClock) -> None:
    """JSON allows it, and libraries that cut a text in the middle of an emoji write it."""
    async with (
        open_arena("quidditch") as arena,
        arena.server.connect() as one,
        arena.server.connect() as two,
    ):
        left = await QuidditchClient.login(one, "harry", mods=["chat"])
        right = await QuidditchClient.login(two, "draco", mods=["chat"])
        await start_match(left, right)
        for kind in (b"sendDebug", b"sendChat"):
            text = rb'{"payloadType":"%b","payload":{"information":"\ud83d"},"timestamp":""}'
            await one.say(text % kind)
        assert (await right.hear_until("globalChat"))["information"] == "\ufffd"
