"""Only the transport: whatever a peer says, it and its partner are sent a message as long as the
status of a Hexxagon match. With ``durable``, what was said is noted in a ledger as well."""

import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import trio

from transports import Frame, Ledger, Link, Poller, WebSocket, open_listeners, open_poller

STATUS = b'{"messageType":"GameStatus",' + b"x" * 1700 + b"}"


class NoStore:
    """Keeps no descriptors, since the relay is never killed."""

    def put(self, name: str, descriptor: int, /) -> None: ...

    def remove(self, name: str) -> None: ...


class Relay:
    """Pairs peers in the order in which they come."""

    def __init__(self, ledger: Ledger | None) -> None:
        self._ledger = ledger
        self._pair: list[Link] = []

    async def serve(self, link: Link) -> None:
        if len(self._pair) == 2:
            self._pair = []
        self._pair.append(link)
        link.post(b"welcome")
        try:
            await link.converse(partial(self._hear, self._pair))
        except (trio.EndOfChannel, trio.BrokenResourceError):
            pass
        finally:
            await link.aclose()

    def _hear(self, pair: list[Link], frame: Frame) -> None:
        if self._ledger is not None and isinstance(frame, bytes):
            self._ledger.note(frame)
        for link in pair:
            link.post(STATUS)


async def serve(poller: Poller, directory: Path | None) -> None:
    if directory is not None:
        poller.ledger = Ledger(directory, poller.turns, NoStore())
        poller.ledger.checkpoint(())
    listeners = await open_listeners("127.0.0.1", 0)
    async with trio.open_nursery() as nursery:
        relay = Relay(poller.ledger)
        start = partial(WebSocket().serve, relay.serve, listeners, nursery, poller=poller)
        await nursery.start(start)
        port = listeners[0].socket.getsockname()[1]
        sys.stdout.write(f"relay ready on ws://127.0.0.1:{port}\n")
        sys.stdout.flush()


async def main(*, durable: bool) -> None:
    with TemporaryDirectory(dir="/dev/shm") as place:
        async with open_poller() as poller:
            assert poller is not None
            await serve(poller, Path(place) if durable else None)


if __name__ == "__main__":
    trio.run(partial(main, durable="durable" in sys.argv))
