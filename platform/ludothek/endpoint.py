"""One game served at one address."""

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import attrs
import structlog
import trio

from ludothek.chance import Chance
from ludothek.client import Client
from ludothek.clock import Clock
from ludothek.companions import Companions
from ludothek.game import Game
from ludothek.hall import Hall
from ludothek.state import StateDirectory
from ludothek.traffic import Traffic
from ludothek.wire.wire import Wire
from transports import Farewell, Link, Spawner, open_listeners

log = structlog.get_logger()


@attrs.frozen
class Guarded:
    """A nursery whose tasks may fail without taking the others along."""

    nursery: trio.Nursery

    def start_soon(
        self, work: Callable[..., Awaitable[object]], /, *args: Any, name: object = None
    ) -> None:
        self.nursery.start_soon(self._run, work, *args, name=name or work)

    async def _run(self, work: Callable[..., Awaitable[object]], *args: Any) -> None:
        try:
            await work(*args)
        except* Exception as bugs:
            log.error("connection crashed", exc_info=bugs)


class Endpoint:
    """A listening address, the clients that came through it and the hall they meet in."""

    def __init__(
        self,
        game: Game,
        settings: Any,
        host: str,
        port: int,
        clock: Clock,
        chance: Chance,
        name: str = "",
        state: StateDirectory | None = None,
    ) -> None:
        self.game = game
        self.name = name or game.name  # unique in a daemon that hosts a game several times
        self._settings = settings
        self._host, self._port = host, port
        self._clock, self._chance = clock, chance
        self.state = state
        self.traffic = Traffic()
        self.wire: Wire | None = None  # where there is a state directory
        self._codec = game.codec(clock, settings)
        self.url = ""  # known once the address is taken
        self.clients: set[Client] = set()
        self._count = 0
        self._closing = False

    def __str__(self) -> str:
        return f"{self.name} on {self._host} port {self._port}"

    def open(self, clients: Spawner, lobbies: trio.Nursery) -> None:
        """Be ready for clients; they and their lobbies will run in those nurseries."""
        companions = Companions(
            self.game,
            self._settings,
            self._codec,
            self._chance,
            connect=lambda link: clients.start_soon(self._bring_along, link),
        )
        company = companions.keep if self._settings.bots else None
        self.hall = Hall(
            lobbies, self._codec, self._clock, self._chance, company, self.state, self.traffic
        )
        self.reception = self.game.reception(self.hall, self._settings)
        if self.state is not None:
            self.wire = self._open_wire(self.state)
            self.wire.configure(self._settings)

    def _open_wire(self, state: StateDirectory) -> Wire:
        return Wire(
            self.name,
            state.path / "wire",
            state.recorder,
            clients=self.clients,
            is_open=lambda key: self.hall.find(key) is not None,
            now=self._clock.date,
        )

    async def bind(self) -> str:
        """Take the address; returns it as a URL.

        Raises:
          OSError: it is taken, unknown or not permitted.
        """
        self._listeners = await open_listeners(self._host, self._port)
        port = self._listeners[0].socket.getsockname()[1]
        self.url = f"{self.game.transport.scheme}://{_url_host(self._host)}:{port}"
        return self.url

    async def listen(
        self,
        clients: Spawner,
        lobbies: trio.Nursery,
        *,
        task_status: trio.TaskStatus[Any] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Accept clients at the address taken, until cancelled."""
        self.open(clients, lobbies)
        await self.game.transport.serve(
            self.welcome, self._listeners, clients, task_status=task_status
        )

    async def welcome(self, link: Link) -> None:
        """Serve one peer from its first message to its last."""
        await self._serve(link, hosted=False)

    async def _bring_along(self, link: Link) -> None:
        """Serve a player that this daemon brings along."""
        await self._serve(link, hosted=True)

    async def _serve(self, link: Link, *, hosted: bool) -> None:
        self._count += 1
        client = Client(self._count, link, self._codec, traffic=self.traffic, hosted=hosted)
        with structlog.contextvars.bound_contextvars(game=self.name, client=client.number):
            log.debug("client connected", peer=client.peer)
            self.clients.add(client)
            self.traffic.connections += 1
            if self.wire is not None:
                self.wire.meet(client)
            if self._closing:
                client.close(Farewell.GOING_AWAY)
            try:
                await client.run(self.reception.visit)
            except Exception:
                self.traffic.crashes += 1
                raise
            finally:
                self.clients.remove(client)
                if self.wire is not None:
                    self.wire.part(client)
                log.debug("client gone")

    @property
    def ready(self) -> bool:
        """Whether it listens and takes new clients."""
        return bool(self.url) and not self._closing

    def close(self) -> None:
        """Say goodbye to everybody; what is said now still arrives."""
        self._closing = True
        self.hall.close()
        for client in self.clients:
            client.close(Farewell.GOING_AWAY)


def unique_names(games: Sequence[Game]) -> list[str]:
    """A name for every endpoint: its game's, and ``-2``, ``-3`` … where a game comes again."""
    seen: Counter[str] = Counter()
    names = []
    for game in games:
        seen[game.name] += 1
        names.append(game.name if seen[game.name] == 1 else f"{game.name}-{seen[game.name]}")
    return names


def _url_host(host: str) -> str:
    # All addresses of both IP versions have one name that a program can connect to.
    host = "::" if host == "*" else host
    return f"[{host}]" if ":" in host else host
