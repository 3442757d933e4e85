"""All endpoints of one daemon, which come and go while it runs."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import count

import attrs
import structlog
import trio

from ludothek.contract.chance import Chance
from ludothek.contract.clock import Clock
from ludothek.contract.orders import OrderRefused
from ludothek.daemon import descriptors
from ludothek.daemon.naming import names_for, retired_name
from ludothek.daemon.ports import Ports
from ludothek.kit.reports import careful
from ludothek.runtime.continuation import Continuation
from ludothek.runtime.doorman import Doorman
from ludothek.runtime.endpoint import Endpoint
from ludothek.runtime.fault_lab import FaultLab
from ludothek.runtime.legacy import Legacy
from ludothek.settings.config_file import Host
from ludothek.settings.faults import NO_FAULTS, Faults
from ludothek.storage.state import StateDirectory
from transports import BUGS, Poller, Spawner

log = structlog.get_logger()


class CannotListen(Exception):
    """An address cannot be opened; the text says which and why."""


@attrs.frozen
class Changes:
    """What a changed configuration has done to the endpoints."""

    opened: list[str] = attrs.field(factory=list)
    changed: list[str] = attrs.field(factory=list)
    removed: list[str] = attrs.field(factory=list)
    renamed: list[str] = attrs.field(factory=list)
    problems: list[str] = attrs.field(factory=list)


class Endpoints:
    """Opens endpoints, gives them new settings, and drains those that are removed."""

    def __init__(
        self,
        chance: Chance,
        state: StateDirectory | None = None,
        ports: Ports | None = None,
        continuation: Continuation | None = None,
    ) -> None:
        self.all: list[Endpoint] = []  # in the order of the configuration, drained ones last
        self.poller: Poller | None = None  # of all their sockets
        self._hosts: dict[Endpoint, Host] = {}  # those that are not being drained
        self.doorman = Doorman(room=descriptors.room())
        self._chance = chance
        self._numbers = count()
        self._state = state
        self._ports = ports or Ports()
        self._continuation = continuation  # where all matches begin

    def __str__(self) -> str:
        clients = sum(len(endpoint.clients) for endpoint in self.all)
        lobbies = sum(len(endpoint.hall.lobbies) for endpoint in self.all if endpoint.opened)
        return f"endpoints: {len(self.all)}, clients: {clients}, lobbies: {lobbies}"

    # Starting

    async def bind(self, hosts: Sequence[Host], problems: list[str] | None = None) -> None:
        """Bind all addresses.

        With a list for problems, hosts whose addresses are taken, unknown or not permitted are told
        there and left out.

        Raises:
          CannotListen: there is no such list.
        """
        self._ports.make_room(hosts)
        names = names_for([host.game.name for host in hosts], [None for _ in hosts])
        for host, name in zip(hosts, names, strict=True):
            try:
                await self._bind(host, name)
            except CannotListen as problem:
                if problems is None:
                    raise
                problems.append(str(problem))
        self._ports.tidy_up(hosts)

    async def open(
        self,
        listeners: trio.Nursery,
        clients: Spawner,
        lobbies: trio.Nursery,
        poller: Poller | None,
        legacy: Legacy | None = None,
    ) -> None:
        """Start listening; listeners, clients and lobbies run in these nurseries."""
        self._listeners, self._clients, self._lobbies = listeners, clients, lobbies
        self.poller, self._legacy = poller, legacy
        for endpoint in self.all:
            await self._open(endpoint)

    async def _bind(self, host: Host, name: str) -> Endpoint:
        chance = self._chance.child(next(self._numbers))
        endpoint = Endpoint(host, Clock(), chance, name, self._state, self.doorman)
        endpoint.continuation = self._continuation
        try:
            await endpoint.bind(await self._ports.listen(host))
        except OSError as error:
            raise CannotListen(f"{endpoint}: {error.strerror or error}") from None
        except UnicodeError:
            raise CannotListen(f"{endpoint}: not a host name") from None
        try:
            await _bind_lab(endpoint, host)
        except CannotListen:
            await endpoint.unbind()
            raise
        self.all.append(endpoint)
        self._hosts[endpoint] = host
        return endpoint

    async def _open(self, endpoint: Endpoint) -> None:
        log.info("listening", game=endpoint.name, url=endpoint.url)
        await self._listeners.start(
            endpoint.listen, self._clients, self._lobbies, self.poller, self._legacy
        )
        await self._open_lab(endpoint)

    async def _open_lab(self, endpoint: Endpoint) -> None:
        if endpoint.lab is not None:
            await self._listeners.start(endpoint.lab.listen, self._clients, self.poller)

    # Changing

    async def change(self, hosts: Sequence[Host]) -> Changes:
        """Serve these hosts from now on, without disturbing those that stay the same."""
        changes = Changes()
        staying = self._staying(hosts)
        # The removed ones first: their addresses may be needed.
        for endpoint in [each for each in self._hosts if each not in staying]:
            changes.removed.append(str(endpoint))
            await endpoint.shut()
            self._let_go(endpoint)
        names = self._rename(hosts, staying, changes)
        for endpoint, host in staying.items():
            faults = await self._change_faults(endpoint, host, changes)
            self._adopt(endpoint, host, changes)
            if self._hosts[endpoint].faults != faults:
                self._hosts[endpoint] = attrs.evolve(self._hosts[endpoint], faults=faults)
        for host in _without(hosts, staying.values()):
            await self._add(host, names[id(host)], changes)
        self._ports.tidy_up(hosts)
        order = {id(host): place for place, host in enumerate(hosts)}
        self.all.sort(key=lambda each: order.get(id(self._hosts.get(each)), len(hosts)))
        return changes

    def _staying(self, hosts: Iterable[Host]) -> dict[Endpoint, Host]:
        """The endpoints that are still configured, each with its new configuration."""
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
        # Drained endpoints give up names that the new configuration needs.
        for endpoint in self.all:
            if endpoint not in staying and endpoint.name in names:
                taken = {*names, *(each.name for each in self.all)}
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
        # So that the next reload tries again.
        self._hosts[endpoint] = attrs.evolve(before, limits=host.limits)
        changes.problems.append(problem)

    async def _change_faults(self, endpoint: Endpoint, host: Host, changes: Changes) -> Faults:
        """Open another fault port, or none; whoever has come to the old one stays.

        Returns the faults that there are now.
        """
        if self._hosts[endpoint].faults == host.faults:
            return host.faults
        if endpoint.lab is not None:
            await endpoint.lab.premises.shut()
            endpoint.lab = None
        try:
            await _bind_lab(endpoint, host)
        except CannotListen as problem:
            changes.problems.append(str(problem))
            return NO_FAULTS
        await self._open_lab(endpoint)
        changes.changed.append(f"faults of {endpoint}")
        return host.faults

    async def _add(self, host: Host, name: str, changes: Changes) -> None:
        try:
            endpoint = await self._bind(host, name)
        except CannotListen as problem:
            changes.problems.append(str(problem))
            return
        try:
            await self._open(endpoint)
        except BUGS as bug:
            # One that was never opened could not be drained later either.
            self.all.remove(endpoint)
            del self._hosts[endpoint]
            await endpoint.unbind()
            changes.problems.append(f"{endpoint}: cannot be opened; the log says more")
            with careful("opening an endpoint crashed"):
                log.error("opening an endpoint crashed", game=endpoint.name, exc_info=bug)
            return
        changes.opened.append(f"{endpoint.name} on {endpoint.url}")

    # Ending

    def _let_go(self, endpoint: Endpoint) -> None:
        log.info("draining", game=endpoint.name, lobbies=len(endpoint.hall.lobbies))
        del self._hosts[endpoint]
        endpoint.retire()
        self._listeners.start_soon(self._drain, endpoint)

    async def _drain(self, endpoint: Endpoint) -> None:
        await endpoint.run_out()
        self.all.remove(endpoint)
        log.info("drained", game=endpoint.name)

    def stop_new_matches(self) -> None:
        """Let no new match begin at the endpoints that are open now."""
        for endpoint in self.all:
            if endpoint.opened:
                endpoint.hall.drain()

    async def drain(self) -> None:
        """Let no new match begin; returns when the last one is over and everybody is gone."""
        async with trio.open_nursery() as nursery:
            for endpoint in self.all:
                nursery.start_soon(endpoint.drain)

    def close(self) -> None:
        """Disconnect everybody with a goodbye."""
        for endpoint in self.all:
            if endpoint.opened:  # one that is just being added may not be
                endpoint.close()


async def _bind_lab(endpoint: Endpoint, host: Host) -> None:
    """Bind the fault port, if there is to be one; raises CannotListen."""
    if host.faults.port is None:
        return
    lab = FaultLab(endpoint, host.faults)
    try:
        await lab.premises.bind()
    except OSError as error:
        problem = f"faults of {endpoint}: port {host.faults.port}: {error.strerror or error}"
        raise CannotListen(problem) from None
    endpoint.lab = lab


def _rename(endpoint: Endpoint, name: str, changes: Changes) -> None:
    changes.renamed.append(f"{endpoint.name} is now {name}")
    endpoint.rename(name)


def _without(hosts: Iterable[Host], others: Iterable[Host]) -> list[Host]:
    known = {id(other) for other in others}
    return [host for host in hosts if id(host) not in known]
