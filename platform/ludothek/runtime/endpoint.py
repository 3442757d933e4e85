"""One game served at one address."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

import structlog
import trio

from ludothek import __version__
from ludothek.contract.chance import Chance
from ludothek.contract.clock import Clock
from ludothek.contract.codec import Codec
from ludothek.contract.effects import Save
from ludothek.contract.orders import OrderRefused
from ludothek.kit.reports import careful
from ludothek.observe.traffic import Traffic
from ludothek.runtime.bout import Conclusion
from ludothek.runtime.clientele import Clientele
from ludothek.runtime.companions import BringBots
from ludothek.runtime.connection import Connection
from ludothek.runtime.continuation import Continuation, ContinuedLobby
from ludothek.runtime.current_name import CurrentName
from ludothek.runtime.doorman import Doorman, GuardedDoor
from ludothek.runtime.fault_lab import Embellish, FaultLab
from ludothek.runtime.hall import Hall
from ludothek.runtime.held_clock import HeldClock
from ludothek.runtime.hosted_bots import Briefing, HostedBots, usual
from ludothek.runtime.keeper import Keeper
from ludothek.runtime.legacy import Legacy
from ludothek.runtime.lobby import Lobby
from ludothek.runtime.notary import Notary
from ludothek.runtime.people import People
from ludothek.runtime.premises import Premises
from ludothek.runtime.recovery import PastClient, PastEndpoint
from ludothek.runtime.revival import Revival, Survivors
from ludothek.settings.config_file import Host
from ludothek.settings.limits import Limits
from ludothek.storage.results import Results
from ludothek.storage.state import StateDirectory
from ludothek.wire.wire import Wire
from transports import BUGS, Farewell, Link, Listener, Poller, Spawner, Turns

log = structlog.get_logger()


class Endpoint:
    """A listening address, the clients that connected to it and the hall they meet in."""

    def __init__(
        self,
        host: Host,
        clock: Clock,
        chance: Chance,
        name: str = "",
        state: StateDirectory | None = None,
        doorman: Doorman | None = None,
        results: Results | None = None,
    ) -> None:
        self.game = game = host.game
        self.name = name or game.name  # unique in a daemon that hosts a game several times
        self._settings = host.settings
        self.premises = Premises(game.transport.scheme, host.host, host.port)
        self.continuation: Continuation | None = None  # where all its matches begin
        self._held = HeldClock(clock)
        self._clock, self._chance = self._held.clock, chance
        self.state = state
        self.opened = False  # whether there is a hall
        self.traffic = Traffic()
        self.wire: Wire | None = None  # None without a state directory
        codec = game.codec(self._clock, host.settings)
        sign = f"{game.title} ({game.protocol} {game.version})"
        self.door = GuardedDoor(doorman or Doorman(), host.limits, codec, self.traffic, sign)
        self._results = results or Results(state)
        self.clients = Clientele(game)
        self.lab: FaultLab | None = None  # for clients that ask for trouble
        self.carried = Survivors()  # from the process before this one
        self._closing = False

    def __str__(self) -> str:
        return f"{self.name} on {self.premises}"

    def open(
        self,
        clients: Spawner,
        lobbies: trio.Nursery,
        poller: Poller | None = None,
        legacy: Legacy | None = None,
    ) -> None:
        """Get ready for clients; they and their lobbies will run in those nurseries.

        A legacy makes everything survive this process, and may bring back what has survived.
        """
        self._clients = clients
        if poller is not None:
            self._held.turns = poller.turns
        self.hall = self._make_hall(lobbies, poller)
        self.people = People(self.game, self.hall, self.door, clients, self.welcome, self._bots)
        if self.state is not None:
            self.wire = self._open_wire(self.state)
            self.wire.configure(self._settings)
        begin = None
        self._keeper = Keeper(self.game, self._settings, self._results, self.state, self.turns)
        self._notary = Notary(
            self.hall, self.door, self._keeper, CurrentName(self), records=self.state is not None
        )
        if legacy is not None:
            self.hall.annals = legacy.annals(self.identity, self.hall, self.clients, self.wire)
            self._keeper.annals = self.hall.annals
            if (past := legacy.past(self.identity)) is not None:
                begin = partial(self._revive, legacy, past)
        self.hall.receive_clients(lambda desk: self.game.reception(desk, self._settings), begin)
        self.opened = True

    def _make_hall(self, lobbies: trio.Nursery, poller: Poller | None) -> Hall:
        hall = Hall(
            lobbies,
            self.door.codec,
            self._clock,
            self._chance,
            bring_bots=self._bring_bots(),
            state=self.state,
            traffic=self.traffic,
            limits=self.door.limits,
            keep=self._keep,
            facts={"game": CurrentName(self)},
            settle=poller.settle if poller else None,
            turns=self.turns,
            about={
                "game": self.game.name,
                "protocol": f"{self.game.protocol} {self.game.version}",
                "program": __version__,
            },
            codec_at=self._codec_at(),
        )
        hall.kind = self.game.vocabulary.kind
        if self.continuation is not None:  # before the reception opens its first lobby
            hall.make_lobby = partial(ContinuedLobby, self.continuation)
        return hall

    def at(self, stamp: tuple[float, float]) -> AbstractContextManager[None]:
        """Meanwhile, tables see the clock as it was in a turn with this stamp."""
        return self._held.showing(*stamp)

    @property
    def turns(self) -> Turns:
        """The turns in which everything here happens."""
        return self._held.turns

    @property
    def identity(self) -> str:
        """The same for this endpoint in every process."""
        return f"{self.game.name} {self.premises.host} {self.port}"

    @property
    def port(self) -> int:
        """The one that it listens on, once its address is bound."""
        return self.premises.port

    @property
    def url(self) -> str:
        """Where clients connect, once its address is bound."""
        return self.premises.url

    def _revive(self, legacy: Legacy, past: PastEndpoint) -> None:
        """Continue with what another process has left."""

        def connect(client: PastClient, link: Link | None) -> Connection:
            if link is None:
                link = legacy.link(client, self.game.transport, self.door)
            return self._meet_again(client, link)

        self.clients.met = past.clients_met
        revival = Revival(
            self.game,
            self.hall,
            self._held,
            past,
            connect,
            legacy.suspect,
            self.people,
            self._bots(usual(self._settings)),
        )
        with self.turns.turn():
            self.carried = revival.revive()
            self.hall.catch_up()
            self._keeper.catch_up(past.estates.values())
        for target in past.recordings:
            if self.wire is not None:
                self.wire.start(target)
        for client in revival.clients.values():
            if self.wire is not None:
                self.wire.meet_again(client)
            self._clients.start_soon(partial(self._accompany, client, resumed=True))

    def _meet_again(self, past: PastClient, link: Link) -> Connection:
        client = Connection(
            past.number,
            link,
            self.door.codec,
            self.hall.foyer,
            self.clients.coverage.usage(),
            traffic=self.traffic,
            hosted=past.link is None and past.person is None,
        )
        client.peer = past.peer
        client.resume(past.farewell, past.held, parted=past.parted)
        self.clients.add(client)
        if link.complaint is not None:
            client.refuse(link.complaint)
        return client

    def _keep(self, lobby: Lobby, conclusion: Conclusion | None, files: Sequence[Save]) -> None:
        self._notary.settle(lobby, conclusion, files)

    def _codec_at(self) -> Callable[[Clock], Codec]:
        settings = self._settings
        return lambda clock: self.game.codec(clock, settings)

    def _bring_bots(self) -> BringBots | None:
        return self._bots(usual(self._settings)) if self._settings.bots else None

    def _bots(self, brief: Briefing) -> BringBots:
        bots = HostedBots(
            self.game,
            self.door.codec,
            connect=lambda link: self._clients.start_soon(self._bring_along, link),
            brief=brief,
        )
        return bots.join

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
        self._settings = self._keeper.settings = settings
        self.door.codec = self.game.codec(self._clock, settings)
        self.hall.adopt(self.door.codec, self._bring_bots(), self._codec_at())
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
        self.door.limits = self.hall.quotas.limits = limits

    async def bind(self, listeners: Sequence[Listener] = ()) -> str:
        """Bind the address, or use sockets that listen there already; returns it as a URL.

        Raises:
          OSError: it is taken, unknown or not permitted.
        """
        await self.premises.bind(listeners)
        return self.premises.url

    async def unbind(self) -> None:
        """Release the addresses if nobody has listened there yet."""
        await self.premises.unbind()
        if self.lab is not None:
            await self.lab.premises.unbind()

    async def listen(
        self,
        clients: Spawner,
        lobbies: trio.Nursery,
        poller: Poller | None,
        legacy: Legacy | None = None,
        *,
        task_status: trio.TaskStatus[Any] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Accept clients at the bound address, until cancelled or shut."""
        self.open(clients, lobbies, poller, legacy)
        accepted = () if legacy is None else legacy.newcomers(self.premises.accepted)
        with self.premises.listening():
            await self.game.transport.serve(
                self.welcome,
                self.premises.listeners,
                clients,
                poller=poller,
                door=self.door,
                accepted=accepted,
                task_status=task_status,
            )

    async def shut(self) -> None:
        """Stop listening; connected clients stay."""
        if self.lab is not None:
            await self.lab.premises.shut()
        await self.premises.shut()

    async def _bring_along(self, link: Link) -> None:
        """Serve a bot that this daemon hosts."""
        await self.welcome(link, hosted=True)

    async def welcome(
        self, link: Link, *, hosted: bool = False, embellish: Embellish | None = None
    ) -> None:
        """Serve one peer from its first message to its last, in a task of its own."""
        await self._accompany(self._meet(link, hosted=hosted, embellish=embellish))

    async def _accompany(self, client: Connection, *, resumed: bool = False) -> None:
        structlog.contextvars.bind_contextvars(game=CurrentName(self), client=client.number)
        log.debug("client connected", peer=client.peer)
        try:
            await client.run(resumed=resumed)
        except BUGS:
            self.traffic.crashes += 1
            raise
        finally:
            self.clients.part(client)
            if self.hall.annals is not None:
                with self.hall.turns.turn():
                    self.hall.annals.gone(client)
            with careful("client gone"):
                if self.wire is not None:
                    self.wire.part(client)
                log.debug("client gone")

    def _meet(self, link: Link, *, hosted: bool, embellish: Embellish | None = None) -> Connection:
        codec = self.door.codec
        client = Connection(
            self.clients.next_number(),
            link,
            embellish(codec) if embellish else codec,
            self.hall.foyer,
            self.clients.coverage.usage(),
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
    def playable(self) -> bool:
        """Whether people can play on the page."""
        page = self.game.page
        return self.game.invitations is not None and page is not None and page.move is not None

    @property
    def ready(self) -> bool:
        """Whether it listens and accepts new clients."""
        return self.opened and not (self._closing or self.hall.draining)

    def retire(self) -> None:
        """It is not configured any more, and another one may come to its address."""
        if self.hall.annals is not None:
            with self.turns.turn():
                self.hall.annals.retire()

    async def run_out(self) -> None:
        """Drain it for good."""
        await self.drain()
        if self.hall.annals is not None:
            self.hall.annals.end()

    async def drain(self) -> None:
        """Let every match finish but no other begin, then say goodbye to everybody.

        Returns when the last client is gone.
        """
        self.hall.drain()
        await self.shut()
        await self.hall.wait_empty()
        self.close()
        await self.clients.wait_empty()
        self.hall.foyer.close()
        if self.wire is not None:
            self.wire.end()

    def close(self) -> None:
        """Say goodbye to everybody; what is sent now still arrives."""
        self._closing = True
        for handshake in tuple(self.door.handshakes):
            handshake.cancel()
        self.hall.close()
        for client in self.clients:
            client.close(Farewell.GOING_AWAY)
