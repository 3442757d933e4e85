"""Where listening sockets come from: passed on, taken over from the store, or opened."""

import socket
from collections.abc import Callable, Sequence, Set
from functools import partial

import structlog

from ludothek.daemon.store import Store, listener_name
from ludothek.daemon.systemd import Inherited
from ludothek.settings.config_file import Host
from transports import Listener, StoredListener, open_listeners

log = structlog.get_logger()


class Ports:
    """Opens the addresses of endpoints.

    With a store, sockets outlive the process: clients that connect while there is none wait instead
    of being refused. `accepted` then hears of every connection in the step that accepts it.
    """

    def __init__(
        self,
        inherited: Inherited | None = None,
        store: Store | None = None,
        accepted: Callable[[socket.socket], None] | None = None,
    ) -> None:
        self._inherited = inherited or Inherited()
        self._store = store
        self.accepted = accepted

    async def listen(self, host: Host) -> Sequence[Listener]:
        """Sockets that listen at the address of that host.

        Raises:
          OSError, UnicodeError: it is taken, unknown or not permitted.
        """
        if passed_on := self._inherited.take(host.host, host.port):
            # Their manager holds them without being asked, and goes on when we close our copies.
            return [StoredListener(found, self.accepted) for found in passed_on]
        if self._store is None:
            return await open_listeners(host.host, host.port)
        return await self._listen_durably(self._store, host)

    async def _listen_durably(self, store: Store, host: Host) -> Sequence[Listener]:
        name, listening = store.take_listeners(listener_name(host.game.name, host.host, host.port))
        if not listening:
            opened = await open_listeners(host.host, host.port)
            listening = [socket.socket(fileno=each.socket.detach()) for each in opened]
            for each in listening:
                store.put(name, each.fileno())
        closed = partial(store.remove, name)
        return [StoredListener(each, self.accepted, closed) for each in listening]

    def make_room(self, hosts: Sequence[Host]) -> None:
        """Close what belongs to none of these hosts: they may have the same address."""
        self._close({listener_name(host.game.name, host.host, host.port) for host in hosts})

    def tidy_up(self, hosts: Sequence[Host]) -> None:
        """Close what nobody has taken, or say so: clients would wait there for ever."""
        for address in self._inherited.unclaimed([(host.host, host.port) for host in hosts]):
            log.warning("a socket passed on to this daemon belongs to no host", address=address)
        self._close(set())

    def _close(self, wanted: Set[str]) -> None:
        if self._store is not None:
            for address in self._store.close_listeners(wanted):
                log.info("no longer listening", address=address)
