"""What an organiser can do with a running daemon, as plain calls; two of them wait."""

import os
from collections.abc import Mapping, Sequence
from math import inf

import attrs

from ludothek import __version__
from ludothek.contract.clock import Clock
from ludothek.contract.orders import (
    Abort,
    Arrange,
    Expel,
    File,
    Opening,
    Order,
    OrderRefused,
    Pause,
    Resume,
    Start,
    Step,
)
from ludothek.contract.reception import Organised, Seating
from ludothek.control.messages import (
    AbortRequest,
    ArrangeRequest,
    BareRequest,
    ClientRequest,
    ClientView,
    DrainRequest,
    ExpelRequest,
    Health,
    ListRequest,
    LobbyRequest,
    LobbyView,
    OpenRequest,
    Readiness,
    RefusalView,
    ReloadView,
    SeatRequest,
    StatusView,
)
from ludothek.control.sessions import Sessions
from ludothek.control.views import (
    open_lobbies,
    view_client,
    view_endpoint,
    view_handover,
    view_lag,
    view_lobby,
    view_refusals,
)
from ludothek.daemon.handover import Handover
from ludothek.daemon.lifecycle import Lifecycle
from ludothek.kit import reports
from ludothek.observe.lag import LoopLag
from ludothek.runtime.connection import Connection
from ludothek.runtime.endpoint import Endpoint
from ludothek.runtime.foyer import Foyer
from ludothek.runtime.lobby import Lobby
from ludothek.settings.fields import nearest
from transports import Farewell


class Mistaken(Exception):
    """The request is wrong in itself, whatever the state of the game."""


class NotFound(Exception):
    """There is no such game, lobby or client."""


class NotOffered(Exception):
    """The game, or this daemon, does not support this at all."""


class NotReady(Exception):
    """The daemon does not accept new clients at present."""


class Crashed(Exception):
    """A bug in the game ended the lobby while it carried out an order."""


class Organiser:
    """Watches over the endpoints of one daemon and gives orders to what is in them.

    Every order raises NotFound for what does not exist and OrderRefused for what cannot be.
    """

    def __init__(
        self,
        endpoints: Sequence[Endpoint],
        clock: Clock,
        keeper: Lifecycle | None = None,
        lag: LoopLag | None = None,
        handover: Handover | None = None,
        sessions: Sessions | None = None,
    ) -> None:
        self._all = endpoints  # as they are at any moment: endpoints come and go
        self.lag = lag or LoopLag()
        self.sessions = sessions  # of organisers at the web page
        self._clock = clock
        self._keeper = keeper
        self.handover = handover or (keeper.handover if keeper else Handover())
        self._started = clock.time()

    @property
    def endpoints(self) -> list[Endpoint]:
        """Those that are open at this moment."""
        return [endpoint for endpoint in self._all if endpoint.opened]

    @property
    def takes_clients(self) -> bool:
        """Whether any endpoint does; one that the configuration lacks now only ends its matches."""
        return any(endpoint.ready for endpoint in self.endpoints)

    def uptime(self) -> float:
        """Seconds since the start."""
        return self._clock.time() - self._started

    # Looking

    def health(self, _: BareRequest) -> Health:
        return Health(alive=True)

    def ready(self, _: BareRequest) -> Readiness:
        if not self.takes_clients:
            raise NotReady("no new clients are taken")
        return Readiness(ready=True)

    def status(self, _: BareRequest) -> StatusView:
        views = [view_endpoint(endpoint) for endpoint in self.endpoints]
        keeper = self._keeper
        return StatusView(
            version=__version__,
            pid=os.getpid(),
            durable=self.handover.durable,
            not_durable=self.handover.problem if self.handover.store else None,
            unprotected=self.handover.unprotected,
            restarts=self.handover.restarts,
            restarted=self.handover.time.isoformat() if self.handover.time else None,
            pause_seconds=round(self.handover.pause_seconds, 3),
            carried=view_handover(self.handover),
            uptime_seconds=round(self.uptime(), 3),
            ready=self.takes_clients,
            state="draining" if keeper and keeper.draining else "open",
            seconds_left=round(left, 3) if keeper and (left := keeper.seconds_left) < inf else None,
            problems=keeper.problems if keeper else (),
            lobbies=sum(view.lobbies for view in views),
            clients=sum(view.clients for view in views),
            loop_lag=view_lag(self.lag),
            reports_failed=reports.failed(),
            endpoints=views,
        )

    def lobbies(self, request: ListRequest) -> list[LobbyView]:
        return [
            view_lobby(endpoint, lobby)
            for endpoint in self.chosen(request.game)
            for lobby in open_lobbies(endpoint)
        ]

    def clients(self, request: ListRequest) -> list[ClientView]:
        return [
            view_client(endpoint, client)
            for endpoint in self.chosen(request.game)
            for client in sorted(endpoint.clients, key=lambda client: client.number)
        ]

    def refusals(self, request: ListRequest) -> list[RefusalView]:
        found = [each for chosen in self.chosen(request.game) for each in view_refusals(chosen)]
        return sorted(found, key=lambda each: each.time, reverse=True)

    # Doing

    def open(self, request: OpenRequest) -> LobbyView:
        endpoint = self.endpoint(request.game)
        if endpoint.hall.draining:
            raise OrderRefused(f"{endpoint.name} is being drained and opens no lobbies")
        opening = Opening(
            name=request.name,
            file=_file(request),
            settings=request.settings,
        )
        return view_lobby(endpoint, _organised(endpoint).open_lobby(opening))

    def seat(self, request: SeatRequest) -> LobbyView:
        endpoint, lobby = self.find(request)
        if not request.clients:
            raise Mistaken("clients: at least one is needed")
        clients = [find_client(endpoint, name) for name in dict.fromkeys(request.clients)]
        foyer = _organised(endpoint)
        if not isinstance(foyer.reception, Seating):
            raise OrderRefused(f"{endpoint.game.title} clients join a lobby by themselves")
        foyer.seat(lobby, clients, spectator=request.spectator)
        return view_lobby(endpoint, lobby)

    def arrange(self, request: ArrangeRequest) -> LobbyView:
        endpoint, _ = self.find(request)
        players = [find_client(endpoint, name) for name in request.clients]
        return self._order(request, Arrange(players or None))

    def expel(self, request: ExpelRequest) -> LobbyView:
        endpoint, _ = self.find(request)
        return self._order(request, Expel(find_client(endpoint, request.client)))

    def start(self, request: LobbyRequest) -> LobbyView:
        return self._order(request, Start())

    def pause(self, request: LobbyRequest) -> LobbyView:
        return self._order(request, Pause())

    def resume(self, request: LobbyRequest) -> LobbyView:
        return self._order(request, Resume())

    def step(self, request: LobbyRequest) -> LobbyView:
        return self._order(request, Step())

    def abort(self, request: AbortRequest) -> LobbyView:
        if request.winner is None:
            return self._order(request, Abort())
        endpoint, _ = self.find(request)
        return self._order(request, Abort(winner=find_client(endpoint, request.winner)))

    def kick(self, request: ClientRequest) -> ClientView:
        endpoint = self.endpoint(request.game)
        client = find_client(endpoint, request.client)
        view = view_client(endpoint, client)
        client.close(Farewell.KICKED)
        return view

    # The whole daemon

    def drain(self, request: DrainRequest) -> StatusView:
        seconds = inf if request.seconds is None else request.seconds
        if not seconds >= 0:
            raise Mistaken("seconds: must be at least 0")
        self._daemon.drain(seconds)
        return self.status(BareRequest())

    async def reload(self, _: BareRequest) -> ReloadView:
        changes = await self._daemon.reload()
        return ReloadView(**attrs.asdict(changes))

    async def restart(self, _: BareRequest) -> StatusView:
        await self._daemon.restart()
        return self.status(BareRequest())

    @property
    def _daemon(self) -> Lifecycle:
        if self._keeper is None:
            raise NotOffered("this daemon can be neither drained nor changed nor restarted")
        return self._keeper

    def _order(self, request: LobbyRequest, order: Order) -> LobbyView:
        endpoint, lobby = self.find(request)
        lobby.order(order)
        if lobby.crashed:
            raise Crashed(f"{endpoint.name}/{lobby.key} has crashed; the log says more")
        return view_lobby(endpoint, lobby)

    # Finding

    def chosen(self, game: str | None) -> list[Endpoint]:
        """The endpoint of that name, or all of them."""
        return list(self.endpoints) if game is None else [self.endpoint(game)]

    def endpoint(self, name: str) -> Endpoint:
        """The endpoint of that name."""
        found: Mapping[str, Endpoint] = {endpoint.name: endpoint for endpoint in self.endpoints}
        if endpoint := found.get(name):
            return endpoint
        raise NotFound(f"no game {name!r} is served here{nearest(name, list(found))}")

    def find(self, request: LobbyRequest) -> tuple[Endpoint, Lobby]:
        """The lobby of a request, and where it is."""
        endpoint = self.endpoint(request.game)
        if lobby := endpoint.hall.find(request.lobby):
            return endpoint, lobby
        raise NotFound(f"{endpoint.name} has no lobby {request.lobby!r}")


def find_client(endpoint: Endpoint, name: str) -> Connection:
    """The client known by that key or, if there is none, by that number."""
    there = [client for client in endpoint.clients if not client.closing]
    named = [client for client in there if client.key == name]
    found = named or [client for client in there if str(client.number) == name]
    if not found:
        raise NotFound(f"{endpoint.name} has no client {name!r}")
    if len(found) > 1:
        raise OrderRefused(f"{endpoint.name} has {len(found)} clients {name!r}")
    return found[0]


def _organised(endpoint: Endpoint) -> Foyer:
    if isinstance(endpoint.hall.foyer.reception, Organised):
        return endpoint.hall.foyer
    raise NotOffered(f"{endpoint.name} does not know lobbies that an organiser opens or fills")


def _file(request: OpenRequest) -> File | None:
    if request.content is not None:
        return File(request.file or "content", request.content.encode())
    # A daemon in a sandbox sees other files than the organiser, and may see what he may not.
    if request.file is not None:
        raise Mistaken("file: the daemon reads no files for organisers; send its content, too")
    return None
