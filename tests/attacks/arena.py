"""Where attacks take place: a server on a real port, a running match, and a stranger."""

import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import attrs
import orjson
import trio

from ludothek.contract.player import PlayerOptions, Report
from ludothek.runtime.playing import play
from tests.games.quidditch.clients import container, join
from tests.games.quidditch.scene import BRIEF as BRIEF_QUIDDITCH
from tests.support.helpers import Server, open_server
from tests.support.raw_websocket import TEXT, RawPeer, frame

ROOT = Path(__file__).parents[2]

GAMES = ("hexxagon", "penguins", "quidditch", "qwirkle", "roborally")
WEBSOCKET_GAMES = ("hexxagon", "quidditch")

# One game of each transport, for attacks that get no further than the transport.
TRANSPORTS = ("hexxagon", "penguins", "qwirkle", "roborally")

# Bytes of a flood that no server needs to hear.
ENOUGH = 16 * 1024 * 1024

# Settings that bring the matches of players who act at random to an end soon.
BRIEF: dict[str, dict[str, Any]] = {
    "hexxagon": {"max_turns": 20},
    "quidditch": {"match": str(BRIEF_QUIDDITCH)},
    "qwirkle": {"configuration": str(ROOT / "config" / "qwirkle" / "quick.json")},
    "roborally": {"max_rounds": 2},
}


@attrs.define(eq=False)
class Stranger:
    """A connection that sends bytes, possibly malicious ones."""

    stream: trio.SocketStream
    question: bytes = b""  # a good message that the server answers, as sent on the wire
    heard: bytes = b""

    async def say(self, data: bytes) -> None:
        await self.stream.send_all(data)

    async def hear(self, words: bytes) -> None:
        """Read until the server has said so."""
        with trio.fail_after(60):
            while words not in self.heard:
                data = await self.stream.receive_some()
                assert data, f"hung up after {self.heard[-500:]!r}"
                self.heard += data

    async def pour(self, data: bytes) -> None:
        """Repeat the same until the server disconnects us, or should have."""
        try:
            for _ in range(0, ENOUGH, len(data)):
                await self.stream.send_all(data)
        except trio.BrokenResourceError:
            pass

    async def gone(self, within: float = 3600.0) -> bytes:
        """Everything the server says before it hangs up; fails if it does not."""
        with trio.fail_after(within):
            try:
                while data := await self.stream.receive_some():
                    self.heard += data
            except trio.BrokenResourceError:
                pass
        return self.heard

    def reset(self) -> None:
        """Vanish with a reset instead of a goodbye."""
        sock = self.stream.socket
        sock.setsockopt(trio.socket.SOL_SOCKET, trio.socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        sock.close()


@attrs.define(eq=False)
class Arena:
    """A server under attack."""

    server: Server

    @property
    def game(self) -> str:
        return self.server.endpoint.game.name

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[Stranger]:
        """A client that has connected and said nothing."""
        async with await trio.open_tcp_stream("127.0.0.1", self.server.port) as stream:
            yield Stranger(stream)

    @asynccontextmanager
    async def arrive(self) -> AsyncIterator[Stranger]:
        """A client whose messages are heard."""
        async with self.connect() as stranger:
            await ARRIVALS[self.game](stranger)
            yield stranger

    async def withstand(self, attack: Callable[["Arena"], Awaitable[None]]) -> None:
        """Have a match played during an attack; afterwards others are welcome as before."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(attack, self)
            await self.play_match()
        async with self.arrive() as stranger:
            await stranger.say(stranger.question)
            assert await stranger.stream.receive_some()

    async def play_match(self, seed: int = 1) -> None:
        """A whole match between two players, in which nothing goes wrong."""
        reports: list[Report] = []
        game = self.server.endpoint.game
        async with trio.open_nursery() as nursery:
            for n in range(2):
                options = PlayerOptions(
                    lobby="arena" if self.game == "hexxagon" else None,
                    username=f"Player{n}",
                    difficulty=9,
                )
                player = game.player(options, random.Random(seed + n))
                nursery.start_soon(self._play, player, reports.append)
        assert [report.errors for report in reports] == [0, 0]

    async def _play(self, player: Any, tell: Any) -> None:
        endpoint = self.server.endpoint
        codec = endpoint.game.codec(endpoint._clock, endpoint._settings)
        async with endpoint.game.transport.connect("127.0.0.1", self.server.port) as link:
            await play(link, codec, player, tell)


async def _arrive_in_hexxagon(stranger: Stranger) -> None:
    peer = RawPeer(stranger.stream)
    await peer.shake()
    _, welcome = await peer.read_frame()
    user = welcome.split(b'"')[7]
    text = b'{"messageType":"GetAvailableLobbies","userId":"%b"}' % user
    stranger.question = frame(TEXT, text)


async def _arrive_in_penguins(stranger: Stranger) -> None:
    await stranger.say(b"<protocol>")
    stranger.question = b'<joinRoom roomId="nowhere"/>'


async def _arrive_in_quidditch(stranger: Stranger) -> None:
    """As a spectator of the match that is to be disturbed."""
    await RawPeer(stranger.stream).shake()
    # With the same name, the newest login would evict the previous one.
    request = join(f"stranger{next(_numbers)}", mods=["chat"])
    await stranger.say(frame(TEXT, orjson.dumps(request)))
    await stranger.hear(b"loginGreeting")
    chat = container("sendChat", {"information": "X"})
    stranger.question = frame(TEXT, orjson.dumps(chat))


_numbers = count()


async def _arrive_in_qwirkle(stranger: Stranger) -> None:
    await stranger.say(b'{"uniqueId":100,"clientName":"X","clientType":"SPECTATOR"}\n')
    await stranger.hear(b'"uniqueId":101')
    stranger.question = b'{"uniqueId":300}\n'


async def _arrive_in_roborally(stranger: Stranger) -> None:
    await stranger.hear(b"HelloClient")
    stranger.question = b'{"messageType":"SetStatus","messageBody":{"ready":true}}\n'


ARRIVALS = {
    "hexxagon": _arrive_in_hexxagon,
    "penguins": _arrive_in_penguins,
    "quidditch": _arrive_in_quidditch,
    "qwirkle": _arrive_in_qwirkle,
    "roborally": _arrive_in_roborally,
}


@asynccontextmanager
async def open_arena(game: str, streams: bool = False, /, **limits: Any) -> AsyncIterator[Arena]:
    """A server that is as before once everybody is gone, perhaps as if it had no epoll."""
    async with open_server(game, BRIEF.get(game), limits=limits, streams=streams) as server:
        yield Arena(server)
        await trio.sleep(5)  # of virtual time, for the last goodbyes
        assert not server.endpoint.clients
        assert server.endpoint.hall.crashes == 0
        assert server.endpoint.door.doorman.connections == 0
