"""The daemon: what it starts, and in which order it stops."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import partial
from typing import Protocol

import structlog
import trio

from ludothek.daemon.continuity import Continuity
from ludothek.daemon.endpoints import CannotListen, Endpoints
from ludothek.daemon.garbage import collect_garbage
from ludothek.daemon.handover import Handover
from ludothek.daemon.lifecycle import Lifecycle
from ludothek.daemon.signals import open_signals
from ludothek.daemon.systemd import Manager
from ludothek.kit.reports import careful
from ludothek.observe.lag import LoopLag
from ludothek.runtime.connection import GOODBYE
from ludothek.runtime.guarded_nursery import Guarded
from ludothek.settings.config_file import Config
from transports import open_poller

log = structlog.get_logger()


class Service(Protocol):
    """Something that the daemon serves beside its games, such as metrics."""

    async def bind(self, config: Config) -> None:
        """Open its address, if the settings want it to have one; raises CannotListen."""

    async def serve(self, lifecycle: Lifecycle, lag: LoopLag) -> None:
        """Answer until cancelled."""


async def serve(
    endpoints: Endpoints,
    config: Config,
    *,
    ready: Callable[[], object],
    reread: Callable[[], Config] | None = None,
    services: Sequence[Service] = (),
    manager: Manager | None = None,
    handover: Handover | None = None,
    rehearse: Callable[[], Awaitable[None]] | None = None,
    before_restart: Sequence[Callable[[], object]] = (),
    continuity: Continuity | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT; `ready` is called once all addresses are open.

    Nurseries end from the inside out: first nobody new gets in, then clients are sent goodbye,
    then the lobbies end.

    Raises:
      CannotListen: an address is taken, unknown or not permitted, and there are no matches of
        another process, which are worth more than an address.
    """
    manager, handover = manager or Manager(), handover or Handover()
    with open_signals() as signals:
        problems: list[str] | None = None
        if continuity is not None and continuity.is_heir:
            problems = []
        await endpoints.bind(config.hosts, problems)
        await _bind_services(services, config, problems)
        lag = LoopLag()
        async with open_poller() as poller, trio.open_nursery() as lobbies:
            async with trio.open_nursery() as clients:
                async with trio.open_nursery() as listeners:
                    lifecycle = Lifecycle(
                        endpoints, config.daemon, listeners, reread, manager, handover, rehearse
                    )
                    lifecycle.before_restart.extend(before_restart)
                    lifecycle.complain(problems or ())
                    legacy = None
                    if continuity is not None and poller is not None:
                        legacy = continuity.open(poller)
                    await endpoints.open(listeners, Guarded(clients), lobbies, poller, legacy)
                    if continuity is not None and legacy is not None:
                        continuity.begin(handover, endpoints.all)
                        listeners.start_soon(continuity.run)
                    listeners.start_soon(lifecycle.reload_on, signals.hangups)
                    listeners.start_soon(lifecycle.restart_on, signals.restarts)
                    listeners.start_soon(lag.watch)
                    for service in services:
                        listeners.start_soon(service.serve, lifecycle, lag)
                    lobbies.start_soon(manager.messenger.run)
                    if manager.messenger.address:
                        lobbies.start_soon(lifecycle.report_alive)
                    listeners.start_soon(collect_garbage, partial(_is_idle, endpoints))
                    ready()
                    manager.ready(str(endpoints))
                    _tell_handover(handover)
                    if continuity is not None and continuity.drains_until is not None:
                        lifecycle.drain(continuity.drains_until - trio.current_time())
                    await lifecycle.wait_for_end(signals.ends)
                    grace = lifecycle.settings.grace_seconds
                    log.info("shutting down", grace_seconds=grace)
                    manager.stopping(str(endpoints))
                    listeners.cancel_scope.cancel()
                endpoints.close()
                # The final goodbyes, which nothing interrupts, are part of the grace period.
                patience = max(0.0, grace - GOODBYE)
                clients.cancel_scope.deadline = trio.current_time() + patience
                lobbies.start_soon(_hurry, signals.ends, clients.cancel_scope)
            lobbies.cancel_scope.cancel()
        if continuity is not None:
            continuity.end()
    log.info("goodbye")


async def _bind_services(
    services: Sequence[Service], config: Config, problems: list[str] | None
) -> None:
    for service in services:
        try:
            await service.bind(config)
        except CannotListen as problem:
            if problems is None:
                raise
            problems.append(str(problem))


def _tell_handover(handover: Handover) -> None:
    handover.finish()
    if handover.restarts:
        log.info(
            "serving again",
            restarts=handover.restarts,
            pause_seconds=round(handover.pause_seconds, 3),
            matches=str(handover.matches),
            connections=str(handover.connections),
        )


def _is_idle(endpoints: Endpoints) -> bool:
    """Whether no match is running."""
    halls = [endpoint.hall for endpoint in endpoints.all if endpoint.opened]
    with careful("whether nobody plays"):  # a broken table may raise
        return all(lobby.table.summary.idle for hall in halls for lobby in hall.lobbies.values())
    return False


async def _hurry(ends: AsyncIterator[int], scope: trio.CancelScope) -> None:
    """A second request to end cuts all connections."""
    await anext(ends)
    scope.cancel()
