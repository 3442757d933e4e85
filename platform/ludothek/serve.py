"""The daemon: what it starts, and in which order it stops."""

import signal
from collections.abc import AsyncIterator, Callable, Sequence

import attrs
import structlog
import trio

from ludothek.client import GOODBYE
from ludothek.control.places import Place
from ludothek.control.unix_socket import UnixListener, listen
from ludothek.endpoint import Endpoint, Guarded
from ludothek.lag import LoopLag
from transports import open_listeners

log = structlog.get_logger()


@attrs.frozen
class Address:
    """Where numbers are told to programs that watch."""

    host: str
    port: int


class CannotListen(Exception):
    """An address cannot be opened; the text says which and why."""


async def serve(
    endpoints: Sequence[Endpoint],
    *,
    grace: float,
    ready: Callable[[Sequence[str]], None],
    control: Place | None = None,
    metrics: Address | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT; `ready` is told the addresses once all are open.

    Nesting is the order of the end: nobody new, goodbye to everybody, then the lobbies.

    Raises:
      CannotListen: an address is taken, unknown or not permitted.
    """
    # Loaded here, not above: what only a daemon needs takes longer to load than all the rest,
    # and a bot shall not wait for it.
    from ludothek.control.server import serve_control, serve_metrics

    with trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        urls = [await _bind(endpoint) for endpoint in endpoints]
        organisers = await _bind_control(control) if control else None
        scrapers = await _bind_metrics(metrics) if metrics else None
        lag = LoopLag()
        for endpoint in endpoints:
            log.info("listening", game=endpoint.name, url=endpoint.url)
        async with trio.open_nursery() as lobbies:
            async with trio.open_nursery() as clients:
                async with trio.open_nursery() as listeners:
                    for endpoint in endpoints:
                        await listeners.start(endpoint.listen, Guarded(clients), lobbies)
                    listeners.start_soon(lag.watch)
                    if organisers:
                        listeners.start_soon(serve_control, endpoints, organisers, None, lag)
                    if scrapers:
                        listeners.start_soon(serve_metrics, endpoints, scrapers, lag)
                    ready(urls)
                    await anext(signals)
                    log.info("shutting down", grace_seconds=grace)
                    listeners.cancel_scope.cancel()
                for endpoint in endpoints:
                    endpoint.close()
                # The last goodbyes, which nothing interrupts, are part of the grace.
                patience = max(0.0, grace - GOODBYE)
                clients.cancel_scope.deadline = trio.current_time() + patience
                lobbies.start_soon(_hurry, signals, clients.cancel_scope)
            lobbies.cancel_scope.cancel()
    log.info("goodbye")


async def _bind(endpoint: Endpoint) -> str:
    try:
        return await endpoint.bind()
    except OSError as error:
        raise CannotListen(f"{endpoint}: {error.strerror or error}") from None
    except UnicodeError:
        raise CannotListen(f"{endpoint}: not a host name") from None


async def _bind_control(place: Place) -> UnixListener | None:
    """Listen for organisers; where nobody has chosen a place, a daemon can do without them."""
    try:
        listener = await listen(place)
    except OSError as error:
        problem = f"control socket {place.path}: {error.strerror or error}"
        if place.chosen:
            raise CannotListen(problem) from None
        log.warning("no organiser's interface; choose a place with --control", problem=problem)
        return None
    log.info("listening for organisers", path=str(place.path))
    return listener


async def _bind_metrics(address: Address) -> list[trio.SocketListener]:
    where = f"metrics on {address.host} port {address.port}"
    try:
        listeners = await open_listeners(address.host, address.port)
    except OSError as error:
        raise CannotListen(f"{where}: {error.strerror or error}") from None
    except UnicodeError:
        raise CannotListen(f"{where}: not a host name") from None
    port = listeners[0].socket.getsockname()[1]
    log.info("listening for metrics", host=address.host, port=port)
    return listeners


async def _hurry(signals: AsyncIterator[int], scope: trio.CancelScope) -> None:
    """Whoever asks a second time does not want to wait."""
    await anext(signals)
    scope.cancel()
