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
        self._reserved: list[tuple[str, str, int]] = []

    def reserve(self, what: str, host: str, port: int) -> None:
        """Keep an address for something that listens there later than games do."""
        self._reserved.append((what, host, port))

    async def listen(self, host: Host) -> Sequence[Listener]:
        """Sockets that listen at the address of that host.

        Raises:
          OSError, UnicodeError: it is taken, unknown or not permitted.
        """
        return await self.listen_at(host.game.name, host.host, host.port, self.accepted)

    async def listen_at(
        self,
        what: str,
        host: str,
        port: int,
        accepted: Callable[[socket.socket], None] | None = None,
    ) -> Sequence[Listener]:
        """The same for an address where something else than a game is served."""
        if passed_on := self._inherited.take(host, port):
            # Their manager holds them without being asked, and goes on when we close our copies.
            return [StoredListener(found, accepted) for found in passed_on]
        if self._store is None:
            return await open_listeners(host, port)
        name = listener_name(what, host, port)
        return await self._listen_durably(self._store, name, host, port, accepted)

    async def _listen_durably(
        self,
        store: Store,
        wanted: str,
        host: str,
        port: int,
        accepted: Callable[[socket.socket], None] | None,
    ) -> Sequence[Listener]:
        name, listening = store.take_listeners(wanted)
        if not listening:
            opened = await open_listeners(host, port)
            listening = [socket.socket(fileno=each.socket.detach()) for each in opened]
            for each in listening:
                store.put(name, each.fileno())
        closed = partial(store.remove, name)
        return [StoredListener(each, accepted, closed) for each in listening]

    def make_room(self, hosts: Sequence[Host]) -> None:
        """Close what belongs to none of these hosts: they may have the same address."""
        self._close({listener_name(host.game.name, host.host, host.port) for host in hosts})

    def tidy_up(self, hosts: Sequence[Host]) -> None:
        """Close what nobody has taken, or say so: clients would wait there for ever."""
        claimed = [(host.host, host.port) for host in hosts]
        claimed += [(host, port) for _, host, port in self._reserved]
        for address in self._inherited.unclaimed(claimed):
            log.warning("a socket passed on to this daemon belongs to no host", address=address)
        self._close(set())

    def _close(self, wanted: Set[str]) -> None:
        if self._store is not None:
            reserved = {listener_name(*each) for each in self._reserved}
            for address in self._store.close_listeners(wanted | reserved):
                log.info("no longer listening", address=address)
