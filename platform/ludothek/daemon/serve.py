"""The daemon: what it starts, and in which order it stops."""

from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from pathlib import Path

import attrs
import structlog
import trio

from ludothek.control.group import Group, NoGroup
from ludothek.control.places import Place
from ludothek.control.unix_socket import UnixListener, listen
from ludothek.daemon.house import CannotListen, House
from ludothek.daemon.housekeeping import give_back_memory, keep_house
from ludothek.daemon.keeper import Keeper
from ludothek.daemon.malloc import return_large_blocks
from ludothek.daemon.signals import open_signals
from ludothek.daemon.systemd import Manager
from ludothek.kit.reports import careful
from ludothek.observe.lag import LoopLag
from ludothek.runtime.client import GOODBYE
from ludothek.runtime.endpoint import Guarded
from ludothek.settings.config_file import Config, Daemon
from transports import open_listeners, open_poller

log = structlog.get_logger()


async def serve(
    house: House,
    config: Config,
    *,
    ready: Callable[[Sequence[str]], None],
    reread: Callable[[], Config] | None = None,
    control: Place | None = None,
    manager: Manager | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT; `ready` is told the addresses once all are open.

    Nesting is the order of the end: nobody new, goodbye to everybody, then the lobbies.

    Raises:
      CannotListen: an address is taken, unknown or not permitted.
    """
    # Loaded here, not above: what only a daemon needs takes longer to load than all the rest,
    # and a bot shall not wait for it.
    from ludothek.control.server import serve_control, serve_metrics

    manager = manager or Manager()
    return_large_blocks()
    with open_signals() as signals:
        urls = await house.bind(config.hosts)
        scrapers = await _bind_metrics(config.daemon)
        # Last, because it leaves a file behind if something else goes wrong.
        organisers = await _bind_control(control, config.daemon) if control else None
        _tell_of_watchers(scrapers, organisers)
        lag = LoopLag()
        async with open_poller() as poller, trio.open_nursery() as lobbies:
            lobbies.start_soon(signals.listen)
            async with trio.open_nursery() as clients:
                async with trio.open_nursery() as listeners:
                    keeper = Keeper(house, config.daemon, listeners, reread, manager)
                    await house.open(listeners, Guarded(clients), lobbies, poller)
                    listeners.start_soon(keeper.heed, signals.hangups)
                    listeners.start_soon(lag.watch)
                    if organisers:
                        answer = partial(serve_control, keeper=keeper, lag=lag)
                        listeners.start_soon(answer, house.endpoints, organisers)
                    if scrapers:
                        listeners.start_soon(serve_metrics, house.endpoints, scrapers, lag)
                    if manager.address:
                        lobbies.start_soon(keeper.report)
                    listeners.start_soon(keep_house, partial(_is_idle, house))
                    listeners.start_soon(give_back_memory)
                    ready(urls)
                    manager.ready(str(house))
                    await keeper.stay_open(signals.ends)
                    grace = keeper.settings.grace_seconds
                    log.info("shutting down", grace_seconds=grace)
                    manager.stopping(str(house))
                    listeners.cancel_scope.cancel()
                house.close()
                # The last goodbyes, which nothing interrupts, are part of the grace.
                patience = max(0.0, grace - GOODBYE)
                clients.cancel_scope.deadline = trio.current_time() + patience
                lobbies.start_soon(_hurry, signals.ends, clients.cancel_scope)
            lobbies.cancel_scope.cancel()
    log.info("goodbye")


def _is_idle(house: House) -> bool:
    """Whether nobody plays."""
    halls = [endpoint.hall for endpoint in house.endpoints if endpoint.opened]
    with careful("whether nobody plays"):  # a table that cannot say so may be broken
        return all(lobby.table.summary.idle for hall in halls for lobby in hall.lobbies.values())
    return False


async def _bind_control(place: Place, settings: Daemon) -> UnixListener | None:
    """Listen for organisers; where nobody has chosen a place, a daemon can do without them."""
    try:
        listener = await listen(attrs.evolve(place, group=settings.control_group))
        if settings.control_group:
            _warn_of_closed_doors(listener.path, settings.control_group)
        return listener
    except NoGroup as refusal:
        raise CannotListen(f"control_group: {refusal.strerror}") from None
    except OSError as error:
        problem = f"control socket {place.path}: {error.strerror or error}"
        if place.chosen:
            raise CannotListen(problem) from None
        log.warning("no organiser's interface; choose a place with --control", problem=problem)
        return None


def _warn_of_closed_doors(path: Path, group: str) -> None:
    if closed := Group.named(group).stopped_at(path):
        log.warning("organisers cannot reach the socket", group=group, closed=str(closed))


async def _bind_metrics(settings: Daemon) -> Sequence[trio.SocketListener]:
    host, port = settings.metrics_host, settings.metrics_port
    if port is None:
        return ()
    try:
        return await open_listeners(host, port)
    except OSError as error:
        problem = error.strerror or error
        raise CannotListen(f"metrics on {host} port {port}: {problem}") from None
    except UnicodeError:
        raise CannotListen(f"metrics on {host} port {port}: not a host name") from None


def _tell_of_watchers(
    scrapers: Sequence[trio.SocketListener], organisers: UnixListener | None
) -> None:
    for scraper in scrapers:
        host, port = scraper.socket.getsockname()[:2]
        log.info("listening for metrics", host=host, port=port)
    if organisers:
        log.info("listening for organisers", path=str(organisers.path))


async def _hurry(ends: AsyncIterator[int], scope: trio.CancelScope) -> None:
    """Whoever asks a second time does not want to wait."""
    await anext(ends)
    scope.cancel()
