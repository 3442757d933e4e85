"""Strangers who mean no good, beside the players of a soak, at every game's ports."""

import random
import socket
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager

import attrs
import trio

from bench.connections import masked_frame
from bench.soak_daemon import Daemon

HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)

WEBSOCKETS = {"hexxagon", "quidditch"}

# Seconds after which an attack is over even if nobody has ended it.
PATIENCE = 75.0

# Seconds between two attacks of a kind on a game. A flood is heard for a burst of 2000 messages,
# and nothing is counted per address on this machine: with shorter pauses, floods alone could keep
# the daemon busy.
PAUSES = {"floods": 30.0, "reconnect storms": 0.2}
PAUSE = 2.0

# A flood that no server needs to hear to its end, and how much of it comes at once.
ENOUGH = 4 * 1024 * 1024
GULP = 32 * 1024

# What a stranger says first where that is needed to be heard at all.
HELLO: Mapping[str, bytes] = {
    "penguins": b"<protocol>",
    "qwirkle": b'{"uniqueId":100,"clientName":"%b","clientType":"SPECTATOR"}\n',
    "roborally": b'{"messageType":"HelloServer","messageBody":'
    b'{"group":"G","isAI":false,"protocol":"Version 2.0"}}\n',
    "quidditch": b'{"timestamp":"","payloadType":"joinRequest","payload":{"lobby":"soak0",'
    b'"userName":"%b","password":"x","isArtificialIntelligence":false,"mods":[]}}',
}

# A message that costs the server something; %b is the user's id.
QUESTION: Mapping[str, bytes] = {
    "hexxagon": b'{"messageType":"GetAvailableLobbies","userId":"%b"}',
    "penguins": b'<joinRoom roomId="nowhere"/>',
    "qwirkle": b'{"uniqueId":300}\n',
    "roborally": b'{"messageType":"SetStatus","messageBody":{"ready":true}}\n',
    "quidditch": b'{"timestamp":"","payloadType":"getReplay","payload":{}}',
}


@attrs.define(eq=False)
class Stranger:
    """A connection that speaks bytes."""

    game: str
    name: bytes
    stream: trio.SocketStream
    question: bytes = b""

    async def arrive(self) -> None:
        """Get as far as being heard."""
        user = b""
        if self.game in WEBSOCKETS:
            await self.stream.send_all(HANDSHAKE)
            heard = await self._hear(b"\r\n\r\n")
            if self.game == "hexxagon":
                heard = await self._hear(b"}", heard)
                user = heard.rpartition(b'"userId":"')[2].partition(b'"')[0]
        if self.game in HELLO:
            hello = HELLO[self.game]
            await self.say(hello % self.name if b"%b" in hello else hello)
        question = QUESTION[self.game]
        self.question = self.wrap(question % user if b"%b" in question else question)

    async def _hear(self, words: bytes, heard: bytes = b"") -> bytes:
        while words not in heard:
            data = await self.stream.receive_some()
            if not data:
                raise trio.BrokenResourceError("hung up")
            heard += data
        return heard

    def wrap(self, message: bytes) -> bytes:
        return masked_frame(message) if self.game in WEBSOCKETS else message

    async def say(self, message: bytes) -> None:
        await self.stream.send_all(self.wrap(message))

    async def gone(self) -> None:
        """Read until the server hangs up."""
        while await self.stream.receive_some(1 << 20):
            pass

    async def pour(self, data: bytes) -> None:
        """Say the same again and again, until there was enough of it."""
        chunk = data * (GULP // len(data) + 1)
        for _ in range(0, ENOUGH, len(chunk)):
            await self.stream.send_all(chunk)


Attack = Callable[[Stranger, random.Random], Awaitable[None]]


async def slow_reader(stranger: Stranger, rng: random.Random) -> None:
    """Asks and asks, and never listens."""
    await stranger.arrive()
    while True:
        await stranger.stream.send_all(stranger.question)
        await trio.sleep(0.1)


async def flood(stranger: Stranger, rng: random.Random) -> None:
    """Good messages, as fast as they go, whose answers nobody waits for."""
    await stranger.arrive()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(stranger.pour, stranger.question)
        await stranger.gone()
        nursery.cancel_scope.cancel()


async def garbage(stranger: Stranger, rng: random.Random) -> None:
    """Bytes without any sense, raw or as messages."""
    if rng.random() < 0.5:
        await stranger.stream.send_all(rng.randbytes(5000))
    else:
        await stranger.arrive()
        for _ in range(20):
            await stranger.say(
                rng.choice((b"{", b"null\n", b"<a></b>", b"\xff\xfe\n", b"[" * 5000))
            )
    await stranger.stream.send_eof()
    await stranger.gone()


async def half_open(stranger: Stranger, rng: random.Random) -> None:
    """Connects, or begins to say something; and that is all."""
    if rng.random() < 0.5:
        await stranger.arrive()
        await stranger.stream.send_all(stranger.question[:-3])
    await stranger.gone()


async def dripping(stranger: Stranger, rng: random.Random) -> None:
    """Speaks one byte at a time, and never comes to the end of a message."""
    await stranger.arrive()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_drip, stranger)
        await stranger.gone()
        nursery.cancel_scope.cancel()


async def _drip(stranger: Stranger) -> None:
    for byte in stranger.question[:-3]:
        await stranger.stream.send_all(bytes((byte,)))
        await trio.sleep(0.25)


async def storm(stranger: Stranger, rng: random.Random) -> None:
    """Comes and goes, with and without a goodbye; it never stays for long."""
    if rng.random() < 0.3:
        await stranger.arrive()
    if rng.random() < 0.5:
        linger = b"\1\0\0\0\0\0\0\0"
        stranger.stream.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)


ATTACKS: Mapping[str, Attack] = {
    "slow readers": slow_reader,
    "floods": flood,
    "garbage": garbage,
    "half-open connections": half_open,
    "byte by byte": dripping,
    "reconnect storms": storm,
}

# Those who go by themselves.
FLEETING = {"reconnect storms"}


@attrs.define(eq=False)
class Siege:
    """All attackers."""

    daemon: Daemon
    seed: int
    attacks: Counter[str] = attrs.field(factory=Counter)
    sent_away: Counter[str] = attrs.field(factory=Counter)  # by the server
    endured: Counter[str] = attrs.field(factory=Counter)  # gave up by themselves

    async def lay(self, games: Sequence[str]) -> None:
        """Attack until cancelled."""
        async with trio.open_nursery() as nursery:
            for game in games:
                for kind in ATTACKS:
                    nursery.start_soon(self._keep_on, game, kind)

    async def _keep_on(self, game: str, kind: str) -> None:
        rng = random.Random(f"{self.seed}/{game}/{kind}")
        ports = self.daemon.ports[game][:5]
        name = f"x{len(game)}{kind.replace(' ', '').replace('-', '')[:8]}".encode()
        while True:
            await trio.sleep(rng.uniform(0.5, 1.5) * PAUSES.get(kind, PAUSE))
            await self._attack(game, kind, name, rng.choice(ports), rng)

    async def _attack(
        self, game: str, kind: str, name: bytes, port: int, rng: random.Random
    ) -> None:
        self.attacks[kind] += 1
        with trio.move_on_after(PATIENCE) as scope:
            try:
                async with _connected(port, small=kind == "slow readers") as stream:
                    await ATTACKS[kind](Stranger(game, name, stream), rng)
            except* (trio.BrokenResourceError, OSError):
                pass
        if scope.cancelled_caught:
            self.endured[f"{kind} ({game})"] += 1
        elif kind not in FLEETING:
            self.sent_away[kind] += 1


@asynccontextmanager
async def _connected(port: int, *, small: bool) -> AsyncIterator[trio.SocketStream]:
    """A connection; a small one can keep little that is not read."""
    with trio.socket.socket() as sock:
        if small:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        await sock.connect(("127.0.0.1", port))
        yield trio.SocketStream(sock)
