"""A server that is hostile to the player that connects: the player says so and leaves."""

import random
from base64 import b64encode
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from hashlib import sha1
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from ludothek.cli.bot import NoServer, run_bot
from ludothek.contract import registry as games
from ludothek.contract.player import BrokenProtocol, PlayerOptions
from tests.support.program import platform

GAMES = sorted(games.names())

Attack = Callable[[trio.SocketStream], Awaitable[None]]

USER = b"00000000-0000-0000-0000-000000000001"

UPGRADE = (
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Accept: %s\r\n\r\n"
)


@asynccontextmanager
async def hostile_server(attack: Attack) -> AsyncIterator[int]:
    async def serve(stream: trio.SocketStream) -> None:
        with suppress(trio.BrokenResourceError):
            await attack(stream)

    async with trio.open_nursery() as nursery:
        (listener,) = await nursery.start(partial(trio.serve_tcp, serve, 0, host="127.0.0.1"))
        yield listener.socket.getsockname()[1]
        nursery.cancel_scope.cancel()


async def visit(name: str, attack: Attack) -> str:
    """What a player says about that server."""
    game = games.load(name)
    player = game.player(PlayerOptions(username="Player", difficulty=9), random.Random(1))
    async with hostile_server(attack) as port:
        with trio.fail_after(3600), pytest.raises((NoServer, BrokenProtocol)) as end:
            await run_bot(game, "127.0.0.1", port, player, lambda _: None)
    return str(end.value)


async def shake(stream: trio.SocketStream) -> None:
    """The handshake of a WebSocket server, for players that expect one."""
    head = b""
    while b"\r\n\r\n" not in head:
        head += await stream.receive_some()
    if not head.startswith(b"GET "):
        return
    lines = dict(line.split(b": ", 1) for line in head.split(b"\r\n") if b": " in line)
    key = next(value for name, value in lines.items() if name.lower() == b"sec-websocket-key")
    digest = sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest()
    await stream.send_all(UPGRADE % b64encode(digest))


def is_websocket(name: str) -> bool:
    return games.load(name).transport.scheme == "ws"


def saying(name: str, data: bytes) -> Attack:
    """Sends that, as a text message where there are messages, and hangs up."""

    async def attack(stream: trio.SocketStream) -> None:
        if is_websocket(name):
            await shake(stream)
            size = len(data)
            length = bytes([size]) if size < 126 else b"\x7f" + size.to_bytes(8, "big")
            await stream.send_all(b"\x81" + length)
        await stream.send_all(data)
        await stream.send_eof()
        while await stream.receive_some():
            pass

    return attack


@pytest.mark.parametrize("name", GAMES)
async def test_silence_is_not_borne_for_ever(name: str, autojump_clock: MockClock) -> None:
    async def attack(stream: trio.SocketStream) -> None:
        if is_websocket(name):
            await shake(stream)
        await trio.sleep_forever()

    assert await visit(name, attack) == "the server has said nothing for 60 seconds"


async def test_nor_is_silence_instead_of_a_handshake(autojump_clock: MockClock) -> None:
    async def attack(stream: trio.SocketStream) -> None:
        await trio.sleep_forever()

    said = await visit("hexxagon", attack)
    assert "no WebSocket server answers in time" in said


@pytest.mark.parametrize("name", GAMES)
async def test_a_message_without_an_end_is_not_waited_for(
    name: str, autojump_clock: MockClock
) -> None:
    async def attack(stream: trio.SocketStream) -> None:
        if is_websocket(name):
            await shake(stream)
            await stream.send_all(b"\x81\x7f" + (10_000_000).to_bytes(8, "big"))
        await stream.send_all(b"<protocol>" if name == "penguins" else b"")
        while True:  # a byte every ten seconds, and no end
            await stream.send_all(b"<" if name == "penguins" else b"{")
            await trio.sleep(10)

    await visit(name, attack)


GARBAGE = [
    b"",
    b"\n",
    b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n",
    b"SSH-2.0-OpenSSH_9.2p1\r\n",
    b"\x16\x03\x01\x02\x00" + bytes(range(256)),
    b"\xff" * 1000 + b"\n",
    b"{}\n",
    b"[]\n",
    b"null\n",
    b'{"messageType":null,"uniqueId":null,"payloadType":null}\n',
    b'{"messageType":"Welcome","userId":7}\n',
    b'{"messageType":"HelloClient","messageBody":7}\n',
    b'{"uniqueId":101,"clientId":"x"}\n',
    b'{"timestamp":"x","payloadType":"joinResponse","payload":7}\n',
    b"[" * 50_000 + b"\n",
    b'{"a":' * 20_000 + b"\n",
    b'{"messageType":' + b'{"a":' * 2000 + b"1" + b"}" * 2000 + b"}\n",
    b"<protocol>" + b"<a>" * 20_000,
    b"<protocol><data/></protocol>",
    b"<protocol><room roomId=''><data class='memento'/></room>",
    b"<protocol><!DOCTYPE x [<!ENTITY a 'b'>]>&a;",
    b"<!DOCTYPE x [<!ENTITY a 'bbbb'><!ENTITY b '&a;&a;&a;&a;'>]><protocol>&b;",
    b'{"a":"' + b"x" * 3_000_000 + b'"}\n',
]


@pytest.mark.parametrize("data", GARBAGE, ids=[str(n) for n in range(len(GARBAGE))])
@pytest.mark.parametrize("name", GAMES)
async def test_garbage_is_named_or_taken_for_the_end(
    name: str, data: bytes, autojump_clock: MockClock
) -> None:
    said = await visit(name, saying(name, data))
    assert len(said) < 1000
    assert "Error(" not in said  # no unexpected exception in the player


async def test_a_player_that_cannot_follow_ends_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    def fail(*_: Any) -> None:
        raise IndexError("tuple index out of range")

    game = games.load("hexxagon")
    monkeypatch.setattr(type(game.player(PlayerOptions(), random.Random(1))), "hear", fail)
    welcome = b'{"messageType":"Welcome","userId":"%s","welcomeMessage":""}' % USER
    said = await visit("hexxagon", saying("hexxagon", welcome))
    assert said.startswith("the player cannot follow what the server said: IndexError(")


async def test_the_command_says_it_in_one_line() -> None:
    async with hostile_server(saying("roborally", b"\xc2\x9b31m\x1b[2J{]}\n")) as port:
        done = await platform("bot", "--game", "roborally", "-p", str(port))
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("platform: the server")
    assert line.isprintable()
