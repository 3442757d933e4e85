"""One game served at one address."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import attrs
import structlog
import trio

from ludothek.contract.chance import Chance
from ludothek.contract.clock import Clock
from ludothek.contract.effects import Ended
from ludothek.contract.game import Game
from ludothek.contract.orders import OrderRefused
from ludothek.kit.reports import careful
from ludothek.observe.traffic import Traffic
from ludothek.runtime.connection import Connection
from ludothek.runtime.doorman import Doorman, GuardedDoor
from ludothek.runtime.hall import Hall
from ludothek.runtime.hosted_bots import HostedBots
from ludothek.runtime.lobby import BringBots, Lobby
from ludothek.settings.limits import LIMITS, Limits
from ludothek.storage.results import Result, Results
from ludothek.storage.state import StateDirectory
from ludothek.wire.wire import Wire
from transports import BUGS, Farewell, Link, Poller, Spawner, open_listeners

log = structlog.get_logger()


@attrs.frozen
class Guarded:
    """A nursery whose tasks may fail without cancelling the others."""

    nursery: trio.Nursery

    def start_soon(
        self, work: Callable[..., Awaitable[object]], /, *args: Any, name: object = None
    ) -> None:
        self.nursery.start_soon(self._run, work, *args, name=name or work)

    async def _run(self, work: Callable[..., Awaitable[object]], *args: Any) -> None:
        try:
            await work(*args)
        except* BUGS as bugs:
            with careful("connection crashed"):
                log.error("connection crashed", exc_info=bugs)


@attrs.frozen(repr=False)
class _NameOf:
    """An endpoint's name in the log, as of the time when the line is written."""

    _endpoint: "Endpoint"

    def __repr__(self) -> str:
        return self._endpoint.name


class Endpoint:
    """A listening address, the clients that connected to it and the hall they meet in."""

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
        limits: Limits = LIMITS,
        doorman: Doorman | None = None,
        results: Results | None = None,
    ) -> None:
        self.game = game
        self.name = name or game.name  # unique in a daemon that hosts a game several times
        self._settings = settings
        self._host, self._port = host, port
        self._clock, self._chance = clock, chance
        self.state = state
        self.opened = False  # whether there is a hall
        self.traffic = Traffic()
        self.wire: Wire | None = None  # None without a state directory
        self._codec = game.codec(clock, settings)
        sign = f"{game.title} ({game.protocol} {game.version})"
        self._door = GuardedDoor(doorman or Doorman(), limits, self._codec, self.traffic, sign)
        self._results = results or Results(state)
        self.url = ""  # known once the address is bound
        self.clients: set[Connection] = set()
        self._count = 0
        self._closing = False
        self._listeners: Sequence[trio.SocketListener] = ()
        self._listening = trio.CancelScope()
        self._shut = trio.Event()
        self._deserted = trio.lowlevel.ParkingLot()

    def __str__(self) -> str:
        return f"{self.name} on {self._host} port {self._port}"

    def open(self, clients: Spawner, lobbies: trio.Nursery, poller: Poller | None = None) -> None:
        """Get ready for clients; they and their lobbies will run in those nurseries."""
        self._clients = clients
        self.hall = Hall(
            lobbies,
            self._codec,
            self._clock,
            self._chance,
            self._bring_bots(),
            self.state,
            self.traffic,
            self._door.limits,
            self._tell_result,
            {"game": _NameOf(self)},
            poller.settle if poller else None,
        )
        self.hall.receive_clients(lambda desk: self.game.reception(desk, self._settings))
        if self.state is not None:
            self.wire = self._open_wire(self.state)
            self.wire.configure(self._settings)
        self.opened = True

    def _tell_result(self, lobby: Lobby, ended: Ended, seconds: float) -> None:
        if not self._door.may_tell(lobby.hosts):
            self.traffic.results_left_out += 1
            return
        self._results.add(
            Result(
                time=self._clock.date(),
                game=self.game.name,
                endpoint=self.name,
                lobby=lobby.key,
                players=ended.players,
                winner=ended.winner,
                reason=ended.reason,
                moves=ended.moves,
                seconds=round(seconds, 3),
            )
        )

    def _bring_bots(self) -> BringBots | None:
        bots = HostedBots(
            self.game,
            self._settings,
            self._codec,
            connect=lambda link: self._clients.start_soon(self._bring_along, link),
        )
        return bots.join if self._settings.bots else None

    def _open_wire(self, state: StateDirectory) -> Wire:
        return Wire(
            self.name,
            state.path / "wire",
            state.writer,
            clients=self.clients,
            is_open=lambda key: self.hall.find(key) is not None,
            now=self._clock.date,
        )

    def adopt(self, settings: Any) -> None:
        """Use new settings for the clients that connect and the lobbies that open from now on.

        Raises:
          OrderRefused: the game cannot do that while it is open, or has failed to.
        """
        if not self.hall.foyer.adaptable:
            raise OrderRefused(f"{self.name} takes new settings only when the daemon starts")
        self._settings = settings
        self._codec = self._door.codec = self.game.codec(self._clock, settings)
        self.hall.adopt(self._codec, self._bring_bots())
        try:
            self.hall.foyer.adopt(settings)
        except OrderRefused as refusal:
            raise OrderRefused(f"{self}: {refusal}") from None
        if self.wire is not None:
            self.wire.configure(settings)

    def rename(self, name: str) -> None:
        """Change the name everywhere it is shown."""
        log.info("renamed", game=self.name, now=name)
        self.name = name
        if self.wire is not None:
            self.wire.rename(name)

    def limit(self, limits: Limits) -> None:
        """Use other limits for the clients that connect from now on."""
        self._door.limits = self.hall.limits = limits

    async def bind(self, inherited: Sequence[trio.SocketListener] = ()) -> str:
        """Bind the address, or use sockets that listen there already; returns it as a URL.

        Raises:
          OSError: it is taken, unknown or not permitted.
        """
        self._listeners = inherited or await open_listeners(self._host, self._port)
        port = self._listeners[0].socket.getsockname()[1]
        self.url = f"{self.game.transport.scheme}://{_url_host(self._host)}:{port}"
        return self.url

    async def unbind(self) -> None:
        """Release the address if nobody has listened on it yet."""
        for listener in self._listeners:
            await listener.aclose()

    async def listen(
        self,
        clients: Spawner,
        lobbies: trio.Nursery,
        poller: Poller | None,
        *,
        task_status: trio.TaskStatus[Any] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Accept clients at the bound address, until cancelled or shut."""
        self.open(clients, lobbies, poller)
        try:
            with self._listening:
                await self.game.transport.serve(
                    self.welcome,
                    self._listeners,
                    clients,
                    poller=poller,
                    door=self._door,
                    task_status=task_status,
                )
        finally:
            self._shut.set()

    async def shut(self) -> None:
        """Stop listening; connected clients stay."""
        if self._listeners:
            self._listening.cancel()
            await self._shut.wait()

    async def _bring_along(self, link: Link) -> None:
        """Serve a bot that this daemon hosts."""
        await self.welcome(link, hosted=True)

    async def welcome(self, link: Link, *, hosted: bool = False) -> None:
        """Serve one peer from its first message to its last, in a task of its own."""
        client = self._meet(link, hosted=hosted)
        structlog.contextvars.bind_contextvars(game=_NameOf(self), client=client.number)
        log.debug("client connected", peer=client.peer)
        try:
            await client.run()
        except BUGS:
            self.traffic.crashes += 1
            raise
        finally:
            self.clients.remove(client)
            self._deserted.unpark_all()
            with careful("client gone"):
                if self.wire is not None:
                    self.wire.part(client)
                log.debug("client gone")

    def _meet(self, link: Link, *, hosted: bool) -> Connection:
        self._count += 1
        client = Connection(
            self._count,
            link,
            self._codec,
            self.hall.foyer,
            traffic=self.traffic,
            hosted=hosted,
        )
        self.clients.add(client)
        self.traffic.connections += 1
        if self.wire is not None:
            self.wire.meet(client)
        if self._closing:
            client.close(Farewell.GOING_AWAY)
        return client

    @property
    def ready(self) -> bool:
        """Whether it listens and accepts new clients."""
        return self.opened and not (self._closing or self.hall.draining)

    async def drain(self) -> None:
        """Let every match finish but no other begin, then say goodbye to everybody.

        Returns when the last client is gone.
        """
        self.hall.drain()
        await self.shut()
        await self.hall.wait_empty()
        self.close()
        while self.clients:
            await self._deserted.park()
        self.hall.foyer.close()

    def close(self) -> None:
        """Say goodbye to everybody; what is sent now still arrives."""
        self._closing = True
        for handshake in tuple(self._door.handshakes):
            handshake.cancel()
        self.hall.close()
        for client in self.clients:
            client.close(Farewell.GOING_AWAY)


def _url_host(host: str) -> str:
    # A name for all addresses of both IP versions that a program can connect to.
    host = "::" if host == "*" else host
    return f"[{host}]" if ":" in host else host
