"""Stands between client and server and delays, splits, merges or loses bytes."""

import random
import socket
from collections.abc import Sequence
from contextlib import suppress

import attrs
import trio

from transports.link import Spawner
from transports.listening import RELAYED, peer_address
from transports.relayed_listener import RelayedListener
from transports.stored_listener import Listener

# Pieces of one portion, at most, and seconds between them.
PIECES, PIECE_SECONDS = 12, 0.002

# Seconds in which everything is collected before it is passed on.
MERGE_SECONDS = 0.08

# Bytes of one portion, at most; a merged one may be twice as long.
READ = 64 * 1024

# Seconds that a client may take to hang up, once the server has.
GOODBYE_SECONDS = 1.0

# Seconds that a client may take to read one portion: the server's limits end only the connection
# that it knows, which is the one with us.
PATIENCE = 30.0

# Connections through one relay at the same time: each takes three descriptors.
MOST = 250

_GONE = (trio.BrokenResourceError, trio.ClosedResourceError, OSError)


@attrs.frozen(kw_only=True)
class Trouble:
    """How probable it is that something happens to a portion: what was written or read at once."""

    delay: float = 0.0  # in either direction
    delay_seconds: float = 0.0  # at most
    cut: float = 0.0  # it arrives in pieces
    merge: float = 0.0  # it arrives together with what follows
    disconnect: float = 0.0  # the connection breaks in the middle of it


@attrs.define(eq=False)
class Relay:
    """Passes on what clients and the server send each other, with trouble.

    Connections are numbered, and the seed decides what happens on each of them. The server has
    sockets as always, with the addresses of the clients; nothing in it knows of the trouble.
    """

    trouble: Trouble
    seed: int
    spawner: Spawner  # runs the connections
    connections: int = 0  # open ones
    _numbers: int = 0

    def stand_before(self, listeners: Sequence[Listener]) -> list[RelayedListener]:
        """Listeners whose clients are connected through the relay."""
        return [RelayedListener(listener, self._between) for listener in listeners]

    def _between(self, client: trio.SocketStream) -> trio.SocketStream | None:
        """Our end of a connection to that client; None if there are too many."""
        if self.connections >= MOST:
            return None
        ours, theirs = socket.socketpair()
        self._numbers += 1
        self.connections += 1
        self.spawner.start_soon(self._connect, client, _stream(ours), self._numbers)
        stream = _stream(theirs)
        RELAYED[stream] = peer_address(client)
        return stream

    async def _connect(
        self, client: trio.SocketStream, server: trio.SocketStream, number: int
    ) -> None:
        try:
            async with client, server:
                with suppress(*_GONE):
                    await _Conversation(client, server, self.trouble, self.seed, number).run()
        finally:
            self.connections -= 1


class _Conversation:
    """One connection through a relay."""

    def __init__(
        self,
        client: trio.SocketStream,
        server: trio.SocketStream,
        trouble: Trouble,
        seed: int,
        number: int,
    ) -> None:
        self._client, self._server, self._trouble = client, server, trouble
        # One for each direction: which of them is faster must not matter.
        self._up, self._down = (random.Random(f"{seed} {number} {way}") for way in ("up", "down"))
        self._all = trio.CancelScope()

    async def run(self) -> None:
        with self._all:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._pass_up)
                nursery.start_soon(self._pass_down)

    async def _pass_up(self) -> None:
        try:
            while data := await self._client.receive_some(READ):
                await self._delay(self._up)
                await self._server.send_all(data)
            await self._server.send_eof()
        except _GONE:
            self._all.cancel()

    async def _pass_down(self) -> None:
        try:
            while data := await self._server.receive_some(READ):
                with trio.move_on_after(PATIENCE) as patience:
                    await self._send(data)
                if patience.cancelled_caught:
                    self._all.cancel()
            await self._client.send_eof()
            self._all.deadline = trio.current_time() + GOODBYE_SECONDS
        except _GONE:
            self._all.cancel()

    async def _send(self, data: bytes | bytearray) -> None:
        """Let the client have one portion, or whatever becomes of it."""
        rng, trouble = self._down, self._trouble
        # Everything is decided at once, so that one decision does not change the others.
        merge, cut, disconnect = (
            rng.random() < chance for chance in (trouble.merge, trouble.cut, trouble.disconnect)
        )
        await self._delay(rng)
        if merge:
            data = data + await self._more()
        if disconnect:
            await self._client.send_all(data[: rng.randrange(len(data))])
            self._all.cancel()
        elif cut:
            await self._send_pieces(data)
        else:
            await self._client.send_all(data)

    async def _delay(self, rng: random.Random) -> None:
        happens, share = rng.random() < self._trouble.delay, rng.random()
        if happens:
            await trio.sleep(share * self._trouble.delay_seconds)

    async def _more(self) -> bytes:
        """What else comes within a short time, up to a limit."""
        data = b""
        with trio.move_on_after(MERGE_SECONDS):
            while len(data) < READ and (part := await self._server.receive_some(READ - len(data))):
                data += part
        return data

    async def _send_pieces(self, data: bytes | bytearray) -> None:
        count = min(PIECES, len(data))
        cuts = sorted(self._down.sample(range(1, len(data)), count - 1)) if count > 1 else []
        for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True):
            await self._client.send_all(data[start:end])
            await trio.sleep(PIECE_SECONDS)


def _stream(sock: socket.socket) -> trio.SocketStream:
    return trio.SocketStream(trio.socket.from_stdlib_socket(sock))
