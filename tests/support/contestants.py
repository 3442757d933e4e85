"""Computer players that play as far as a test lets them, while the test looks elsewhere."""

import random
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from math import inf
from typing import Any, cast

import trio

from ludothek.contract import registry
from ludothek.contract.clock import Clock
from ludothek.contract.player import PlayerOptions
from ludothek.runtime.playing import play
from tests.support.served import PATIENCE, Served
from transports import Link


class Contestants:
    """Players of one match, in a thread of their own.

    They may send as many messages as they are allowed to. A player who is held wants to send: it
    has heard what followed from everything before.
    """

    def __init__(
        self,
        game: str,
        port: int,
        names: Sequence[str],
        seed: int = 1,
        difficulty: int = -1,
        own: Sequence[Mapping[str, str]] = (),
    ) -> None:
        """They are the weakest, unless told otherwise; `own` are a game's options for each."""
        self._game = registry.load(game)
        self._port = port
        self._names = names
        self._seed = seed
        self._difficulty = difficulty % len(self._game.difficulties)
        self._own = own or [{}] * len(names)
        self._allowed: float = 0
        self._more = trio.Event()
        self._held = threading.Event()
        self._scope = trio.CancelScope()
        self._started = threading.Event()
        self._token: trio.lowlevel.TrioToken | None = None
        self._thread = threading.Thread(target=partial(trio.run, self._run), daemon=True)
        self._thread.start()
        assert self._started.wait(PATIENCE)

    def allow(self, messages: float = inf) -> None:
        """Let them send so many more messages, and wait until one is held or all is over."""
        assert self._token is not None
        with suppress(trio.RunFinishedError):
            trio.from_thread.run_sync(self._allow, messages, trio_token=self._token)
            if messages < inf:
                assert self._held.wait(PATIENCE), "nobody wants to say anything"

    def finish(self) -> None:
        """Let them play to the end."""
        self.allow()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), "the match does not end"

    def stop(self) -> None:
        """They leave."""
        assert self._token is not None
        with suppress(trio.RunFinishedError):
            trio.from_thread.run_sync(self._scope.cancel, trio_token=self._token)
        self._thread.join(PATIENCE)

    async def wait_for_turn(self) -> None:
        while self._allowed < 1:
            self._held.set()
            await self._more.wait()
        self._allowed -= 1

    def _allow(self, messages: float) -> None:
        self._held.clear()  # here, where nobody is held meanwhile
        self._allowed += messages
        self._more.set()
        self._more = trio.Event()

    async def _run(self) -> None:
        self._token = trio.lowlevel.current_trio_token()
        self._started.set()
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    for number, name in enumerate(self._names):
                        nursery.start_soon(self._play, number, name)
        finally:
            self._held.set()

    async def _play(self, number: int, name: str) -> None:
        game = self._game
        options = PlayerOptions(username=name, difficulty=self._difficulty, own=self._own[number])
        player = game.player(options, random.Random(self._seed * 100 + number))
        codec = game.codec(Clock(), game.settings())
        async with game.transport.connect("127.0.0.1", self._port) as link:
            held = cast("Link", HeldLink(link, self))
            with suppress(trio.EndOfChannel, trio.BrokenResourceError):
                await play(held, codec, player, lambda report: None, games=1)


class HeldLink:
    """A link whose player waits until it is allowed to speak."""

    def __init__(self, link: Link, contestants: Contestants) -> None:
        self._link = link
        self._contestants = contestants

    def __getattr__(self, name: str) -> Any:
        return getattr(self._link, name)

    async def send(self, frame: bytes) -> None:
        await self._contestants.wait_for_turn()
        await self._link.send(frame)


@contextmanager
def contestants(
    game: str,
    port: int,
    names: Sequence[str] = ("Ada", "Bob"),
    seed: int = 1,
    **options: Any,
) -> Iterator[Contestants]:
    """Players who leave at the end, if they have not finished."""
    playing = Contestants(game, port, names, seed, **options)
    try:
        yield playing
    finally:
        playing.stop()


@contextmanager
def match(
    served: Served,
    game: str,
    names: Sequence[str] = ("Ada", "Bob"),
    seed: int = 1,
    messages: int = 30,
    **options: Any,
) -> Iterator[tuple[str, Contestants]]:
    """A match that has come so far, its id, and its players."""
    before = served.running(game)
    with contestants(game, served.ports[game], names, seed, **options) as playing:
        playing.allow(messages)
        (match_id,) = served.running(game) - before
        yield match_id, playing
