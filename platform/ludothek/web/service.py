"""The page inside the daemon: its address, and everything that serves it."""

from collections.abc import Sequence
from ipaddress import ip_address

import structlog
import trio
import trio_parallel
from starlette.requests import Request
from starlette.routing import BaseRoute, Route
from starlette.types import Scope

from ludothek.contract.clock import Clock
from ludothek.control.http_connection import HttpConnection
from ludothek.control.http_limits import HttpLimits
from ludothek.control.organiser import Organiser
from ludothek.control.sessions import Sessions
from ludothek.daemon import descriptors
from ludothek.daemon.endpoints import CannotListen
from ludothek.daemon.lifecycle import Lifecycle
from ludothek.daemon.ports import Ports
from ludothek.kit.reports import careful
from ludothek.observe.lag import LoopLag
from ludothek.runtime.endpoint import Endpoint
from ludothek.runtime.guarded_nursery import Guarded
from ludothek.settings.config_file import LOCAL, Config, Daemon
from ludothek.settings.limits import Limits, origin
from ludothek.storage.state import RESULTS, StateDirectory
from ludothek.web.app import Site, StreamLimits
from ludothek.web.bulletin import Bulletin
from ludothek.web.curves import Curves
from ludothek.web.ended import EndedMatches
from ludothek.web.gallery import Gallery
from ludothek.web.guard import PROTECTION, Guard
from ludothek.web.login import Login
from ludothek.web.organiser_routes import organiser_routes
from ludothek.web.pace import Pace
from ludothek.web.parlour import Parlour
from ludothek.web.repeater import Repeater, open_workers
from ludothek.web.rounds import Rounds
from ludothek.web.tournaments import Tournaments
from ludothek.web.visitors import PATIENCE, Visitors
from transports import BUGS, Listener, Spawner, unstopped_time
from transports.listening import accept_forever, notice_dead_peer, peer_address

log = structlog.get_logger()

# Where the page is if nobody has chosen another port.
USUAL_PORT = 8080
# What its listening sockets are called where they are stored.
PAGE = "page"

# Browsers are further away than programs on this machine, and hold connections open. Anybody may
# send a request, so it must not take much memory; only organisers have something long to say.
LIMITS = HttpLimits(seconds=10.0, idle_seconds=60.0, body_bytes=4096)
ORGANISERS_BYTES = HttpLimits().body_bytes

# Connections other than those on which events are sent.
MORE_CONNECTIONS = 500
MORE_PER_ADDRESS = 50


class WebService:
    """Serves the page, where the settings want one.

    A port that somebody has chosen must be free; without the usual one, the daemon goes without.
    """

    def __init__(
        self, ports: Ports, state: StateDirectory | None, sessions: Sessions | None = None
    ) -> None:
        self._ports = ports
        self._state = state
        self._sessions = sessions or Sessions()
        self._listeners: Sequence[Listener] = ()
        self._settings = Daemon()
        self._visitors = Visitors(Limits())
        self._connections: dict[str, int] = {}  # by origin
        self._login = Login(self._sessions, port=0)
        self.url = ""  # empty: there is no page
        self.connections = 0  # at most, at the same time

    def reserve(self, settings: Daemon) -> None:
        """Keep the address where the page was before this process, until it is bound."""
        if settings.web:
            port = USUAL_PORT if settings.web_port is None else settings.web_port
            self._ports.reserve(PAGE, settings.web_host, port)

    async def bind(self, config: Config) -> None:
        self._settings = config.daemon
        self._visitors.limits = config.limits
        if not config.daemon.web:
            return
        host, port = config.daemon.web_host, config.daemon.web_port
        found = USUAL_PORT if port is None else port
        try:
            self._listeners = await self._ports.listen_at(PAGE, host, found)
        except (OSError, UnicodeError) as error:
            reason = "not a host name" if isinstance(error, UnicodeError) else error.strerror
            problem = f"page on {host} port {found}: {reason or error}"
            if port is not None or host != LOCAL:
                raise CannotListen(problem) from None
            log.warning("no page; choose a port with --web", problem=problem)
            return
        wanted = config.daemon.web_viewers + MORE_CONNECTIONS
        self.connections = descriptors.room_for_page(wanted)
        if self.connections < wanted:
            hint = "raise the limit of open files (ulimit -n, LimitNOFILE=)"
            log.warning("fewer browsers fit than are allowed", fitting=self.connections, hint=hint)
        shown = LOCAL if host in ("*", "0.0.0.0", "::") else host
        port = self._listeners[0].socket.getsockname()[1]
        self._login = Login(self._sessions, port)
        self.url = f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/"
        self._sessions.page = config.daemon.web_url or self.url
        await trio.to_thread.run_sync(self._sessions.load)
        log.info("serving the page", url=self.url)

    def adopt(self, config: Config) -> None:
        """Apply what can be changed while the page is served, such as a proxy in front of it."""
        self._visitors.limits = config.limits
        if self.url:
            self._sessions.page = config.daemon.web_url or self.url

    async def serve(self, lifecycle: Lifecycle, lag: LoopLag) -> None:
        lifecycle.after_reload.append(self.adopt)
        endpoints = lifecycle.endpoints.all
        lifecycle.endpoints.doorman.reserve(self.connections)
        organiser = Organiser(
            endpoints, Clock(unstopped_time), lifecycle, lag, sessions=self._sessions
        )
        curves = Curves(organiser)
        async with trio.open_nursery() as nursery:
            Guarded(nursery).start_soon(curves.run)
            poller = lifecycle.endpoints.poller
            pace = Pace() if poller is None else Pace(poller.catch_up)
            await self.serve_site(endpoints, self.backstage(organiser, curves), pace)
            nursery.cancel_scope.cancel()

    def backstage(self, organiser: Organiser, curves: Curves) -> Sequence[Route]:
        """What organisers can do there."""
        return organiser_routes(organiser, self._sessions, curves, self._login)

    async def serve_site(
        self,
        endpoints: Sequence[Endpoint],
        more: Sequence[BaseRoute] = (),
        pace: Pace | None = None,
    ) -> None:
        """Show what happens at these endpoints, until cancelled.

        Games go on whatever happens to the page: a task that fails takes down nothing else.
        """
        if not self._listeners:
            return
        try:
            async with open_workers() as workers, trio.open_nursery() as nursery:
                await self._serve(endpoints, workers, nursery, more, pace or Pace())
        except* BUGS as bugs:
            with careful("the page is gone until the next start"):
                log.error("the page is gone until the next start", exc_info=bugs)

    async def _serve(
        self,
        endpoints: Sequence[Endpoint],
        workers: trio_parallel.WorkerContext,
        nursery: trio.Nursery,
        more: Sequence[BaseRoute],
        pace: Pace,
    ) -> None:
        tasks = Guarded(nursery)
        rounds = Rounds(pace)
        tasks.start_soon(rounds.run)
        site = self._site(tasks, rounds, Repeater(tasks, workers), endpoints)
        app = Guard(site.app(more), site.visitors, local=self._is_local())
        await self._accept(app, Parlour(site.endpoints, app), site.visitors, tasks)

    def _site(
        self,
        nursery: Spawner,
        rounds: Rounds,
        repeater: Repeater,
        endpoints: Sequence[Endpoint],
    ) -> Site:
        settings = self._settings
        state = None if self._state is None else self._state.path
        results = None if state is None else state / RESULTS
        ended = EndedMatches(results, rounds.pace)
        tournaments = Tournaments(nursery, rounds, repeater, settings.tournaments)
        return Site(
            endpoints=endpoints,
            tournaments=tournaments,
            gallery=Gallery(nursery, rounds, repeater, endpoints, state, tournaments, ended),
            bulletin=Bulletin(nursery, rounds, endpoints, ended),
            visitors=self._visitors,
            limits=StreamLimits(
                viewers=settings.web_viewers, viewers_per_address=settings.web_viewers_per_address
            ),
        )

    def _is_local(self) -> bool:
        hosts = [listener.socket.getsockname()[0] for listener in self._listeners]
        return all(ip_address(host).is_loopback for host in hosts)

    # Connections

    async def _accept(
        self, app: Guard, parlour: Parlour, visitors: Visitors, nursery: Spawner
    ) -> None:
        async def meet(stream: trio.SocketStream) -> None:
            address = peer_address(stream)
            place = origin(address.host)
            delay = visitors.connection_delay(address.host)
            if delay > PATIENCE or not self._has_room(address.host):
                return  # which hangs up
            self._connections[place] = self._connections.get(place, 0) + 1
            try:
                if delay:
                    await trio.sleep(delay)
                notice_dead_peer(stream)
                client = address.host, address.port
                await HttpConnection(
                    app, stream, LIMITS, client, parlour.upgrade, PROTECTION, self._allow
                ).serve()
            finally:
                self._connections[place] -= 1
                if not self._connections[place]:
                    del self._connections[place]

        await accept_forever(meet, self._listeners, nursery)

    def _allow(self, scope: Scope) -> int:
        """How long a request may be that is longer than those of most people."""
        organiser = self._login.find(Request(scope))
        return LIMITS.body_bytes if organiser is None else ORGANISERS_BYTES

    def _has_room(self, host: str) -> bool:
        settings, limits = self._settings, self._visitors.limits
        if sum(self._connections.values()) >= self.connections:
            return False
        there = self._connections.get(origin(host), 0)
        most = settings.web_viewers_per_address
        if not most or not limits.counts(host) or limits.trusts(host):
            return True
        return there < most + MORE_PER_ADDRESS
