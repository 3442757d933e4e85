"""A hostile connection that sends raw bytes, for the attacks of a soak."""

import random
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager

import attrs
import trio

from bench.connections import masked_frame

HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)

WEBSOCKETS = {"hexxagon", "quidditch"}

# The size of a flood, which no server needs to read to its end, and of each piece.
ENOUGH = 4 * 1024 * 1024
GULP = 32 * 1024

# What a stranger must send first to be listened to at all.
HELLO: Mapping[str, bytes] = {
    "penguins": b"<protocol>",
    "qwirkle": b'{"uniqueId":100,"clientName":"%b","clientType":"SPECTATOR"}\n',
    "roborally": b'{"messageType":"HelloServer","messageBody":'
    b'{"group":"G","isAI":false,"protocol":"Version 2.0"}}\n',
    "quidditch": b'{"timestamp":"","payloadType":"joinRequest","payload":{"lobby":"soak0",'
    b'"userName":"%b","password":"x","isArtificialIntelligence":false,"mods":[]}}',
}

# A message that is expensive for the server; %b is the user's id.
QUESTION: Mapping[str, bytes] = {
    "hexxagon": b'{"messageType":"GetAvailableLobbies","userId":"%b"}',
    "penguins": b'<joinRoom roomId="nowhere"/>',
    "qwirkle": b'{"uniqueId":300}\n',
    "roborally": b'{"messageType":"SetStatus","messageBody":{"ready":true}}\n',
    "quidditch": b'{"timestamp":"","payloadType":"getReplay","payload":{}}',
}


@attrs.frozen
class Door:
    """Where a stranger connects to, and the address it comes from."""

    port: int
    address: str

    @asynccontextmanager
    async def knock(self, *, small: bool = False) -> AsyncIterator[trio.SocketStream]:
        """A connection; a small one has a small receive buffer."""
        with trio.socket.socket() as sock:
            if small:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            await sock.bind((self.address, 0))
            await sock.connect(("127.0.0.1", self.port))
            yield trio.SocketStream(sock)


@attrs.define(eq=False)
class Stranger:
    """A connection that sends raw bytes."""

    game: str
    name: bytes
    stream: trio.SocketStream
    door: Door
    user: bytes = b""  # the id that Hexxagon gives
    question: bytes = b""

    @asynccontextmanager
    async def accomplice(self, name: bytes, *, small: bool = False) -> AsyncIterator["Stranger"]:
        """Another one of the same kind."""
        async with self.door.knock(small=small) as stream:
            yield Stranger(self.game, name, stream, self.door)

    async def arrive(self) -> None:
        """Do what it takes to be listened to."""
        if self.game in WEBSOCKETS:
            heard = await self.shake_hands()
            if self.game == "hexxagon":
                heard = await self.hear(b"}", heard)
                self.user = heard.rpartition(b'"userId":"')[2].partition(b'"')[0]
        if self.game in HELLO:
            hello = HELLO[self.game]
            await self.say(hello % self.name if b"%b" in hello else hello)
        question = QUESTION[self.game]
        self.question = self.wrap(question % self.user if b"%b" in question else question)

    async def shake_hands(self) -> bytes:
        """Open a WebSocket; returns what the server has sent so far."""
        await self.stream.send_all(HANDSHAKE)
        return await self.hear(b"\r\n\r\n")

    def reset(self) -> None:
        """Let the connection end with a reset, without a goodbye."""
        linger = b"\1\0\0\0\0\0\0\0"
        self.stream.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)

    async def hear(self, words: bytes, heard: bytes = b"") -> bytes:
        """Read until the server has sent these words."""
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
        """Send the same data repeatedly, up to the size of a flood."""
        chunk = data * (GULP // len(data) + 1)
        for _ in range(0, ENOUGH, len(chunk)):
            await self.stream.send_all(chunk)


Attack = Callable[[Stranger, random.Random], Awaitable[None]]
