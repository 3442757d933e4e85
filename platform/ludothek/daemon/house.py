"""All endpoints of one daemon, which come and go while it runs."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import count

import attrs
import structlog
import trio

from ludothek.contract.chance import Chance
from ludothek.contract.clock import Clock
from ludothek.contract.orders import OrderRefused
from ludothek.daemon.naming import names_for, retired_name
from ludothek.daemon.systemd import Inherited
from ludothek.kit.reports import careful
from ludothek.runtime.doorman import Doorman
from ludothek.runtime.endpoint import Endpoint
from ludothek.settings.config_file import Host
from ludothek.storage.state import StateDirectory
from transports import BUGS, Poller, Spawner

log = structlog.get_logger()


class CannotListen(Exception):
    """An address cannot be opened; the text says which and why."""


@attrs.frozen
class Changes:
    """What became of the endpoints when the daemon was told of other hosts."""

    opened: list[str] = attrs.field(factory=list)
    changed: list[str] = attrs.field(factory=list)
    removed: list[str] = attrs.field(factory=list)
    renamed: list[str] = attrs.field(factory=list)
    problems: list[str] = attrs.field(factory=list)


class House:
    """Opens endpoints, gives them new settings, and lets them go when their matches are over."""

    def __init__(
        self,
        chance: Chance,
        state: StateDirectory | None = None,
        inherited: Inherited | None = None,
    ) -> None:
        self.endpoints: list[Endpoint] = []  # in the order of the configuration, old ones last
        self._hosts: dict[Endpoint, Host] = {}  # those that are not being drained
        self.doorman = Doorman()
        self._chance = chance
        self._numbers = count()
        self._state = state
        self._inherited = inherited or Inherited()

    def __str__(self) -> str:
        clients = sum(len(endpoint.clients) for endpoint in self.endpoints)
        lobbies = sum(len(endpoint.hall.lobbies) for endpoint in self.endpoints if endpoint.opened)
        return f"endpoints: {len(self.endpoints)}, clients: {clients}, lobbies: {lobbies}"

    # The beginning

    async def bind(self, hosts: Sequence[Host]) -> list[str]:
        """Take all addresses; returns them as URLs.

        Raises:
          CannotListen: one is taken, unknown or not permitted.
        """
        names = names_for([host.game.name for host in hosts], [None for _ in hosts])
        named = zip(hosts, names, strict=True)
        urls = [(await self._bind(host, name)).url for host, name in named]
        self._warn_of_unclaimed(hosts)
        return urls

    def _warn_of_unclaimed(self, hosts: Sequence[Host]) -> None:
        for address in self._inherited.unclaimed([(host.host, host.port) for host in hosts]):
            log.warning("a socket passed on to this daemon belongs to no host", address=address)

    async def open(
        self,
        listeners: trio.Nursery,
        clients: Spawner,
        lobbies: trio.Nursery,
        poller: Poller | None,
    ) -> None:
        """Listen; what is started runs in these nurseries, and all connections in the poller."""
        self._listeners, self._clients, self._lobbies = listeners, clients, lobbies
        self._poller = poller
        for endpoint in self.endpoints:
            await self._open(endpoint)

    async def _bind(self, host: Host, name: str) -> Endpoint:
        chance = self._chance.child(next(self._numbers))
        endpoint = Endpoint(
            host.game,
            host.settings,
            host.host,
            host.port,
            Clock(),
            chance,
            name,
            self._state,
            host.limits,
            self.doorman,
        )
        try:
            await endpoint.bind(self._inherited.take(host.host, host.port))
        except OSError as error:
            raise CannotListen(f"{endpoint}: {error.strerror or error}") from None
        except UnicodeError:
            raise CannotListen(f"{endpoint}: not a host name") from None
        self.endpoints.append(endpoint)
        self._hosts[endpoint] = host
        return endpoint

    async def _open(self, endpoint: Endpoint) -> None:
        log.info("listening", game=endpoint.name, url=endpoint.url)
        await self._listeners.start(endpoint.listen, self._clients, self._lobbies, self._poller)

    # Changes

    async def change(self, hosts: Sequence[Host]) -> Changes:
        """Serve these hosts from now on, and as far as they stay the same, as before."""
        changes = Changes()
        staying = self._staying(hosts)
        # First the old ones: their addresses may be needed.
        for endpoint in [each for each in self._hosts if each not in staying]:
            changes.removed.append(str(endpoint))
            await endpoint.shut()
            self._let_go(endpoint)
        names = self._rename(hosts, staying, changes)
        for endpoint, host in staying.items():
            self._adopt(endpoint, host, changes)
        for host in _without(hosts, staying.values()):
            await self._add(host, names[id(host)], changes)
        self._warn_of_unclaimed(hosts)
        order = {id(host): place for place, host in enumerate(hosts)}
        self.endpoints.sort(key=lambda each: order.get(id(self._hosts.get(each)), len(hosts)))
        return changes

    def _staying(self, hosts: Iterable[Host]) -> dict[Endpoint, Host]:
        """The endpoints that are still wanted, each with what it shall be now."""
        left = dict(self._hosts)
        staying = {}
        for host in hosts:
            same = (each for each, old in left.items() if old.identity == host.identity)
            if (endpoint := next(same, None)) is not None:
                del left[endpoint]
                staying[endpoint] = host
        return staying

    def _rename(
        self, hosts: Sequence[Host], staying: Mapping[Endpoint, Host], changes: Changes
    ) -> dict[int, str]:
        """Name the endpoints after these hosts; returns all names by the identity of the host."""
        before = {id(host): endpoint.name for endpoint, host in staying.items()}
        names = names_for(
            [host.game.name for host in hosts], [before.get(id(host)) for host in hosts]
        )
        # Endpoints that only finish their matches give up names that the new file needs.
        for endpoint in self.endpoints:
            if endpoint not in staying and endpoint.name in names:
                taken = {*names, *(each.name for each in self.endpoints)}
                _rename(endpoint, retired_name(endpoint.game.name, taken), changes)
        named = {id(host): name for host, name in zip(hosts, names, strict=True)}
        for endpoint, host in staying.items():
            if endpoint.name != named[id(host)]:
                _rename(endpoint, named[id(host)], changes)
        return named

    def _adopt(self, endpoint: Endpoint, host: Host, changes: Changes) -> None:
        before, self._hosts[endpoint] = self._hosts[endpoint], host
        if before.limits != host.limits:
            endpoint.limit(host.limits)
            changes.changed.append(f"limits of {endpoint}")
        if (before.settings, before.files) == (host.settings, host.files):
            return
        try:
            endpoint.adopt(host.settings)
        except OrderRefused as refusal:
            problem = str(refusal)
        except BUGS as bug:
            problem = f"{endpoint}: cannot take its new settings; the log says more"
            with careful("taking new settings crashed"):
                log.error("taking new settings crashed", game=endpoint.name, exc_info=bug)
        else:
            changes.changed.append(str(endpoint))
            return
        # To be tried again when the file is read the next time.
        self._hosts[endpoint] = attrs.evolve(before, limits=host.limits)
        changes.problems.append(problem)

    async def _add(self, host: Host, name: str, changes: Changes) -> None:
        try:
            endpoint = await self._bind(host, name)
        except CannotListen as problem:
            changes.problems.append(str(problem))
            return
        try:
            await self._open(endpoint)
        except BUGS as bug:
            # One that is there but was never opened could not be let go again, either.
            self.endpoints.remove(endpoint)
            del self._hosts[endpoint]
            await endpoint.unbind()
            changes.problems.append(f"{endpoint}: cannot be opened; the log says more")
            with careful("opening an endpoint crashed"):
                log.error("opening an endpoint crashed", game=endpoint.name, exc_info=bug)
            return
        changes.opened.append(f"{endpoint.name} on {endpoint.url}")

    # The end

    def _let_go(self, endpoint: Endpoint) -> None:
        log.info("draining", game=endpoint.name, lobbies=len(endpoint.hall.lobbies))
        del self._hosts[endpoint]
        self._listeners.start_soon(self._drain, endpoint)

    async def _drain(self, endpoint: Endpoint) -> None:
        await endpoint.drain()
        self.endpoints.remove(endpoint)
        log.info("drained", game=endpoint.name)

    async def drain(self) -> None:
        """Let nothing new begin; returns when the last match is over and everybody is gone."""
        async with trio.open_nursery() as nursery:
            for endpoint in self.endpoints:
                nursery.start_soon(endpoint.drain)

    def close(self) -> None:
        """Say goodbye to everybody."""
        for endpoint in self.endpoints:
            if endpoint.opened:  # one that was just being added may not be
                endpoint.close()


def _rename(endpoint: Endpoint, name: str, changes: Changes) -> None:
    changes.renamed.append(f"{endpoint.name} is now {name}")
    endpoint.rename(name)


def _without(hosts: Iterable[Host], others: Iterable[Host]) -> list[Host]:
    known = {id(other) for other in others}
    return [host for host in hosts if id(host) not in known]
