"""Kills the daemon again and again, and measures how long clients hear nothing."""

import random
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

import attrs
import trio

from bench.chaos_daemon import Daemon, Unanswered
from bench.chaos_wire import Wire

LOOK = 0.1  # seconds between two looks at the status, and at whether somebody is served


@attrs.frozen
class Restart:
    """What the daemon itself says about one of its restarts."""

    pause: float  # seconds
    matches: tuple[int, int]  # carried over, of all
    connections: tuple[int, int]
    clients: int = 0  # that were connected, as they say themselves

    @classmethod
    def of(cls, status: dict[str, Any], clients: int = 0) -> "Restart":
        matches, connections = (
            (int(share["carried"]), int(share["all"]))
            for share in (status["carried"][what] for what in ("matches", "connections"))
        )
        return cls(status["pause_seconds"], matches, connections, clients)

    @property
    def whole(self) -> bool:
        shares = (self.matches, self.connections)
        return all(one == every for one, every in shares) and self.connections[0] >= self.clients


@attrs.define(eq=False)
class Killer:
    """Kills at random moments, seeded."""

    daemon: Daemon
    wires: Callable[[], Iterable[Wire]]
    rng: random.Random
    every: float  # seconds, on average
    served: bool = False  # they count from the moment at which somebody is served again
    kills: int = 0
    early: int = 0  # kills of a process that nobody had heard of yet
    pauses: list[float] = attrs.field(factory=list)  # seconds until somebody hears something
    restarts: list[Restart] = attrs.field(factory=list)
    _since: float | None = None  # the first kill after which nobody has heard anything yet
    _known: int = 0  # restarts
    _connected: int = 0  # clients at the last kill

    async def run(self) -> None:
        """Go on until cancelled."""
        while True:
            while self.served and self._since is not None:  # noqa: ASYNC110 - others set it
                await trio.sleep(LOOK)
            await trio.sleep(self.rng.expovariate(1 / self.every))
            with trio.CancelScope(shield=True):
                await self._kill()

    async def _kill(self) -> None:
        began = trio.current_time()
        if not await self.daemon.kill():
            return
        self.kills += 1
        if self._since is None:
            self._since = began
        else:
            self.early += 1
        self._connected = 0
        for wire in self.wires():
            wire.note_kill()
            self._connected += wire.received > 0

    def on_news(self, wire: Wire) -> None:
        """A client has heard the first byte of a new process."""
        if self._since is not None:
            self.pauses.append(trio.current_time() - self._since)
            self._since = None

    async def watch(self) -> None:
        """Read what the daemon says about its restarts, until cancelled."""
        while True:
            with suppress(Unanswered):
                self._note(await self.daemon.control.ask("GET", "/status"))
            await trio.sleep(LOOK)

    def _note(self, status: dict[str, Any]) -> None:
        if (restarts := status.get("restarts", 0)) > self._known:
            self._known = restarts
            self.restarts.append(Restart.of(status, self._connected))
