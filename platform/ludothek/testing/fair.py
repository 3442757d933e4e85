"""An endpoint without sockets, and clients that talk to it."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import attrs
import orjson
import trio

from ludothek.contract.chance import Chance
from ludothek.contract.clock import Clock
from ludothek.contract.game import Game
from ludothek.runtime.continuation import Continuation
from ludothek.runtime.endpoint import Endpoint
from ludothek.settings.config_file import Host
from ludothek.settings.fields import build
from ludothek.settings.limits import Limits
from ludothek.storage.results import Results
from ludothek.storage.state import StateDirectory
from transports import Link, Poller, open_poller
from transports.memory import MemoryLink, memory_link_pair

NOON = datetime(2019, 7, 15, 12, 0, 0, tzinfo=UTC)


def virtual_clock() -> Clock:
    """A clock whose dates follow Trio's time, which tests make virtual."""
    start = trio.current_time()
    return Clock(date=lambda: NOON + timedelta(seconds=trio.current_time() - start))


def make_endpoint(
    game: Game,
    seed: int = 1,
    settings: Mapping[str, Any] | None = None,
    clock: Clock | None = None,
    limits: Mapping[str, Any] | None = None,
    results: Results | None = None,
    state: StateDirectory | None = None,
    continuation: Continuation | None = None,
) -> Endpoint:
    """An endpoint with these settings and limits in place of the game's own, or of a record."""
    own = continuation.settings if continuation else build(game.settings, settings or {}, "test")
    bounds = build(Limits, {**game.limits, **(limits or {})}, "test limits")
    host = Host(game=game, settings=own, host="127.0.0.1", port=0, limits=bounds)
    endpoint = Endpoint(host, clock or Clock(), Chance(seed), results=results, state=state)
    endpoint.continuation = continuation
    return endpoint


@attrs.define(eq=False)
class Fair:
    """An endpoint without sockets; clients talk to it over memory links."""

    nursery: trio.Nursery
    endpoint: Endpoint
    poller: Poller | None  # for links over sockets; None without epoll

    def connect(self) -> MemoryLink:
        ours, theirs = memory_link_pair()
        # Not guarded: a bug in the reception must fail the test.
        self.nursery.start_soon(self.endpoint.welcome, theirs)
        return ours


@asynccontextmanager
async def open_fair(
    game: Game,
    seed: int = 1,
    settings: Mapping[str, Any] | None = None,
    *,
    clock: Clock | None = None,
    limits: Mapping[str, Any] | None = None,
    results: Results | None = None,
    state: StateDirectory | None = None,
    continuation: Continuation | None = None,
) -> AsyncIterator[Fair]:
    async with open_poller() as poller, trio.open_nursery() as nursery:
        clock = clock or virtual_clock()
        endpoint = make_endpoint(game, seed, settings, clock, limits, results, state, continuation)
        endpoint.open(nursery, nursery, poller)
        yield Fair(nursery, endpoint, poller)
        nursery.cancel_scope.cancel()


@attrs.define(eq=False)
class Peer:
    """A JSON client for tests: sends what the test says, receives one message at a time."""

    link: Link
    limit: float = 60.0
    frames: list[bytes] = attrs.field(factory=list)

    async def say(self, message: Any) -> None:
        frame = message if isinstance(message, bytes) else orjson.dumps(message)
        await self.link.send(frame)

    async def hear(self) -> Any:
        with trio.fail_after(self.limit):
            frame = await self.link.receive()
        assert isinstance(frame, bytes)
        self.frames.append(frame)
        return orjson.loads(frame)

    async def hear_end(self) -> None:
        """Fail unless the server hangs up now, without another word."""
        try:
            message = await self.hear()
        except (trio.EndOfChannel, trio.BrokenResourceError):
            return
        raise AssertionError(f"still heard {message}")
