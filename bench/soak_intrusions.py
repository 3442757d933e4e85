"""Attacks on how games handle messages: each of them has worked once."""

import json
import random
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path

import attrs
import trio

from bench.soak_stranger import HANDSHAKE, HELLO, WEBSOCKETS, Attack, Stranger

ALL = frozenset({"hexxagon", "penguins", "quidditch", "qwirkle", "roborally"})
LINES = ALL - WEBSOCKETS

# The length of a message that every game accepts.
LONG = 60_000

# The length of a chat message that every game passes on.
ALLOWED = 500

# Messages that only servers send, with a text where a list is expected.
_SERVERS: Mapping[str, bytes] = {
    "hexxagon": b'{"messageType":"AvailableLobbies","userId":"%b","availableLobbies":"%b"}',
    "quidditch": b'{"timestamp":"","payloadType":"replay","payload":{"log":"%b","x":"%b"}}',
    "qwirkle": b'{"uniqueId":301,"clientName":"%b","games":"%b"}\n',
    "roborally": b'{"messageType":"CurrentCards","messageBody":{"a":"%b","activeCards":"%b"}}\n',
}

# Where deep nesting does the most harm: in the tag that identifies a message.
_TAGGED: Mapping[str, bytes] = {
    "hexxagon": b'{"messageType":%b}',
    "quidditch": b'{"timestamp":"","payloadType":%b,"payload":{}}',
    "qwirkle": b'{"uniqueId":%b}\n',
    "roborally": b'{"messageType":%b,"messageBody":{}}\n',
}

_TEAM = Path(__file__).parents[1] / "games" / "quidditch" / "files" / "team.json"

_numbers = count()


async def explain(stranger: Stranger, rng: random.Random) -> None:
    """Asks for an explanation of what is wrong with a long message."""
    await stranger.arrive()
    for _ in range(10):
        await stranger.say(_SERVERS[stranger.game] % (stranger.user, b"a" * LONG))
        await trio.sleep(0.2)
    await stranger.stream.send_eof()
    await stranger.gone()


async def nest(stranger: Stranger, rng: random.Random) -> None:
    """Nests objects a thousand levels deep."""
    await stranger.arrive()
    depth = rng.choice((900, 1010, 5000))
    for _ in range(5):
        await stranger.say(_TAGGED[stranger.game] % (b'{"a":' * depth + b"1" + b"}" * depth))
    await stranger.stream.send_eof()
    await stranger.gone()


async def invent_names(stranger: Stranger, rng: random.Random) -> None:
    """Uses names that no parser has seen before, and none should remember."""
    await stranger.arrive()
    words = (f'x{rng.getrandbits(48):x}=""' for _ in range(800))
    await stranger.say(b"<a " + " ".join(words).encode() + b"/>")
    await stranger.gone()


async def chat_to_the_deaf(stranger: Stranger, rng: random.Random) -> None:
    """Sends long chat messages to a crowd of its own that does not read."""
    await _watch(stranger)
    async with AsyncExitStack() as stack:
        for n in range(20):
            name = b"%bd%d" % (stranger.name, n)
            deaf = await stack.enter_async_context(stranger.accomplice(name, small=True))
            await _watch(deaf)
        for n in range(30):
            await stranger.say(_chat(stranger.game, LONG if n % 5 == 0 else ALLOWED))
            await trio.sleep(0.1)


async def _watch(stranger: Stranger) -> None:
    """Become a spectator."""
    if stranger.game == "quidditch":
        await stranger.shake_hands()
        await stranger.say((HELLO["quidditch"] % stranger.name).replace(b"[]", b'["chat"]'))
        return
    await stranger.arrive()
    await stranger.say(b'{"uniqueId":300}\n')
    found = json.loads((await stranger.hear(b'"uniqueId":301}\n')).splitlines()[-1])
    if games := [game["gameId"] for game in found["games"]]:
        await stranger.say(b'{"uniqueId":304,"gameId":%d}\n' % games[0])


def _chat(game: str, length: int) -> bytes:
    if game == "quidditch":
        said = b'{"timestamp":"","payloadType":"sendChat","payload":{"information":"%b"}}'
    else:
        said = b'{"uniqueId":306,"message":"%b"}\n'
    return said % (b"a" * length)


async def log_in_and_vanish(stranger: Stranger, rng: random.Random) -> None:
    """Many clients that want their passwords checked, and do not wait for the result."""
    async with trio.open_nursery() as nursery:
        for _ in range(50):
            nursery.start_soon(_log_in, stranger)


async def _log_in(stranger: Stranger) -> None:
    name = b"gone%d" % next(_numbers)
    async with stranger.accomplice(name) as one:
        await one.arrive()
        one.reset()


async def guess_passwords(stranger: Stranger, rng: random.Random) -> None:
    """Tries one password after the other: the administrators', or those of a user."""
    if stranger.game == "penguins":
        await stranger.arrive()
        for n in range(20):
            await stranger.say(b'<authenticate password="%d"/>' % n)
        with trio.move_on_after(10):  # its guesses wait behind those of others
            await stranger.gone()
        return
    for n in range(8):
        async with stranger.accomplice(b"guessed") as one:
            await one.shake_hands()
            await one.say((HELLO["quidditch"] % one.name).replace(b'"x"', b'"%d"' % n))
            with trio.move_on_after(1):
                await one.gone()


async def fill_lobbies(stranger: Stranger, rng: random.Random) -> None:
    """Opens as many lobbies as it can, and leaves."""
    async with AsyncExitStack() as stack:
        for n in range(20):
            one = await stack.enter_async_context(stranger.accomplice(b"%bl%d" % (b"many", n)))
            await one.arrive()
            create = b'{"messageType":"CreateNewLobby","userId":"%b","lobbyName":"Mine"}'
            for _ in range(20):
                await one.say(create % one.user)
        await trio.sleep(5)


async def fill_rooms(stranger: Stranger, rng: random.Random) -> None:
    """Takes as many seats as it can, against itself."""
    await stranger.arrive()
    await stranger.say(b"<join/>" * 1000)
    with trio.move_on_after(5):
        await stranger.gone()


async def sit_in_silence(stranger: Stranger, rng: random.Random) -> None:
    """Takes every seat of a table, and does nothing more."""
    values = b'{"messageType":"PlayerValues","messageBody":{"name":"%b","figure":%d}}\n'
    async with AsyncExitStack() as stack:
        for n in range(8):
            one = await stack.enter_async_context(stranger.accomplice(b"silent%d" % n))
            await one.arrive()
            await one.say(values % (one.name, n % 7))
        await trio.sleep(30)


async def spam_replays(stranger: Stranger, rng: random.Random) -> None:
    """Two players of a match, one of whom breaks the protocol at once."""
    team = json.loads(_TEAM.read_text())
    async with AsyncExitStack() as stack:
        for n in range(2):
            one = await stack.enter_async_context(stranger.accomplice(b"%bp%d" % (b"spam", n)))
            await one.arrive()
            await one.hear(b"loginGreeting")
            await one.say(json.dumps(team).encode())
        await one.hear(b"matchStart")
        await one.say(b"nonsense")
        with trio.move_on_after(5):
            await one.gone()


async def post(stranger: Stranger, rng: random.Random) -> None:
    """A web page that posts a form to whatever listens there."""
    body = HELLO[stranger.game] + b'{"messageType":"SetStatus","messageBody":{"ready":true}}\n'
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
    head += b"Origin: http://evil.example\r\nContent-Length: %d\r\n\r\n" % len(body)
    await stranger.stream.send_all(head + body)
    await stranger.gone()


async def come_from_elsewhere(stranger: Stranger, rng: random.Random) -> None:
    """A web page that opens a WebSocket to a server of another origin."""
    handshake = HANDSHAKE.removesuffix(b"\r\n") + b"Origin: http://evil.example\r\n\r\n"
    await stranger.stream.send_all(handshake)
    await stranger.gone()


async def shake_hands_badly(stranger: Stranger, rng: random.Random) -> None:
    """Requests that another server might interpret differently."""
    await stranger.stream.send_all(
        rng.choice(
            (
                HANDSHAKE.replace(b"HTTP/1.1", b"HTTP/1.0"),
                HANDSHAKE.replace(b"dGhlIHNhbXBsZSBub25jZQ==", b"c2hvcnQ="),
                HANDSHAKE.replace(b"\r\n\r\n", b"\r\nSec-WebSocket-Key: c2hvcnQ=\r\n\r\n"),
                HANDSHAKE.replace(b"\r\n\r\n", b"\r\nContent-Length: 9\r\n\r\nsomething"),
            )
        )
    )
    await stranger.gone()


async def lie_about_its_address(stranger: Stranger, rng: random.Random) -> None:
    """Pretends to be a proxy, which only trusted hosts may be."""
    await stranger.stream.send_all(
        rng.choice(
            (
                b"PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\n",
                b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c\x7f\0\0\1\x7f\0\0\1\0\1\0\2",
            )
        )
        + b"something else"
    )
    await stranger.gone()


async def break_frames(stranger: Stranger, rng: random.Random) -> None:
    """Frames whose headers are invalid."""
    await stranger.arrive()
    broken = rng.choice(
        (
            b"\x81\xfe\x00\x00",  # a short length in the long form
            b"\x81\xff" + b"\x00" * 8,
            b"\x81\xff\x80" + b"\x00" * 7,  # negative, if it is read as signed
            b"\xf1\x80",  # reserved bits
            b"\x89\xfe\x00\x7e",  # a ping that is too long
            b"\x80\x80",  # the end of a message that has not begun
        )
    )
    await stranger.stream.send_all(broken + rng.randbytes(4) + b"something else")
    await stranger.stream.send_eof()
    await stranger.gone()


@attrs.frozen
class Intrusion:
    """An attack, and where it makes sense."""

    attack: Attack
    games: frozenset[str]
    apart: bool = False  # needs seats of its own, so that no player takes one by chance
    fleeting: bool = False  # leaves by itself


def _intrusions() -> Iterator[tuple[str, Intrusion]]:
    yield "long mistakes", Intrusion(explain, frozenset(_SERVERS))
    yield "nested tags", Intrusion(nest, frozenset(_TAGGED))
    yield "fresh names", Intrusion(invent_names, frozenset({"penguins"}))
    deaf = frozenset({"qwirkle", "quidditch"})
    yield "chat to the deaf", Intrusion(chat_to_the_deaf, deaf, fleeting=True)
    quidditch = frozenset({"quidditch"})
    yield "vanishing log-ins", Intrusion(log_in_and_vanish, quidditch, fleeting=True)
    guessing = frozenset({"penguins", "quidditch"})
    yield "guessed passwords", Intrusion(guess_passwords, guessing, fleeting=True)
    yield "replay spam", Intrusion(spam_replays, quidditch, apart=True, fleeting=True)
    yield "lobby floods", Intrusion(fill_lobbies, frozenset({"hexxagon"}), fleeting=True)
    yield "join floods", Intrusion(fill_rooms, frozenset({"penguins"}), apart=True, fleeting=True)
    roborally = frozenset({"roborally"})
    yield "silent seats", Intrusion(sit_in_silence, roborally, apart=True, fleeting=True)
    yield "HTTP forms", Intrusion(post, frozenset(LINES))
    yield "foreign pages", Intrusion(come_from_elsewhere, frozenset(WEBSOCKETS))
    yield "bad handshakes", Intrusion(shake_hands_badly, frozenset(WEBSOCKETS))
    yield "false proxies", Intrusion(lie_about_its_address, ALL)
    yield "broken frames", Intrusion(break_frames, frozenset(WEBSOCKETS))


INTRUSIONS: Mapping[str, Intrusion] = dict(_intrusions())
