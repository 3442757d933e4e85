"""What the daemon serves beside its games: the organiser's interface and metrics."""

from collections.abc import Sequence
from pathlib import Path

import attrs
import structlog
import trio

from ludothek.control.group import Group, NoGroup
from ludothek.control.places import SocketPlace
from ludothek.control.server import serve_control, serve_metrics
from ludothek.control.sessions import Sessions
from ludothek.control.unix_socket import UnixListener, listen
from ludothek.daemon.endpoints import CannotListen
from ludothek.daemon.lifecycle import Lifecycle
from ludothek.observe.lag import LoopLag
from ludothek.settings.config_file import Config
from transports import open_listeners

log = structlog.get_logger()


class MetricsService:
    """Metrics for Prometheus on a port of their own, where the settings name one."""

    _listeners: Sequence[trio.SocketListener] = ()

    async def bind(self, config: Config) -> None:
        host, port = config.daemon.metrics_host, config.daemon.metrics_port
        if port is None:
            return
        try:
            self._listeners = await open_listeners(host, port)
        except OSError as error:
            problem = error.strerror or error
            raise CannotListen(f"metrics on {host} port {port}: {problem}") from None
        except UnicodeError:
            raise CannotListen(f"metrics on {host} port {port}: not a host name") from None
        for listener in self._listeners:
            bound_host, bound_port = listener.socket.getsockname()[:2]
            log.info("listening for metrics", host=bound_host, port=bound_port)

    async def serve(self, lifecycle: Lifecycle, lag: LoopLag) -> None:
        if self._listeners:
            endpoints = lifecycle.endpoints.all
            await serve_metrics(endpoints, self._listeners, lag, handover=lifecycle.handover)


class ControlService:
    """The organiser's interface on a Unix socket.

    A socket that somebody has chosen must work; without the usual one, the daemon goes without.
    """

    def __init__(self, place: SocketPlace | None, sessions: Sessions | None = None) -> None:
        self._place = place
        self._sessions = sessions
        self._listener: UnixListener | None = None

    async def bind(self, config: Config) -> None:
        if self._place is None:
            return
        group = config.daemon.control_group
        try:
            self._listener = await listen(attrs.evolve(self._place, group=group))
            if group:
                _warn_of_closed_doors(self._listener.path, group)
        except NoGroup as refusal:
            raise CannotListen(f"control_group: {refusal.strerror}") from None
        except OSError as error:
            problem = f"control socket {self._place.path}: {error.strerror or error}"
            if self._place.chosen:
                raise CannotListen(problem) from None
            log.warning("no organiser's interface; choose a place with --control", problem=problem)
            return
        log.info("listening for organisers", path=str(self._listener.path))

    async def serve(self, lifecycle: Lifecycle, lag: LoopLag) -> None:
        if self._listener:
            endpoints = lifecycle.endpoints.all
            await serve_control(
                endpoints, self._listener, keeper=lifecycle, lag=lag, sessions=self._sessions
            )


def _warn_of_closed_doors(path: Path, group: str) -> None:
    if closed := Group.named(group).stopped_at(path):
        log.warning("organisers cannot reach the socket", group=group, closed=str(closed))
