"""What is watched stays watched while endpoints come, change and go."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import attrs
import pytest
import trio

from ludothek.contract.chance import Chance
from ludothek.contract.clock import Clock
from ludothek.control.messages import BareRequest
from ludothek.control.metrics import Metrics
from ludothek.control.organiser import NotReady, Organiser
from ludothek.control.recordings import wire
from ludothek.daemon.endpoints import Endpoints
from ludothek.daemon.lifecycle import Lifecycle
from ludothek.runtime.guarded_nursery import Guarded
from ludothek.settings.config_file import Config, Daemon, Host, make_host
from ludothek.storage.state import StateDirectory
from transports import open_poller

PLAIN = make_host("hexxagon", "test", {}, port=0)
RECORDED = make_host("hexxagon", "test", {"wire_log": True}, port=0)
PENGUINS = make_host("penguins", "test", {}, port=0)


@attrs.frozen
class Watched:
    """A daemon's parts, and the file that it reads again."""

    lifecycle: Lifecycle
    organiser: Organiser
    write: Callable[[Config], None]

    async def reload(self, *hosts: Host, daemon: Daemon | None = None) -> list[str]:
        self.write(Config(daemon=daemon or Daemon(), hosts=hosts))
        return (await self.lifecycle.reload()).problems

    def recorded(self) -> list[str]:
        return [view.id for view in wire(self.organiser, BareRequest())]

    def metrics(self) -> str:
        return Metrics(self.organiser).tell("")[0].decode()


@asynccontextmanager
async def open_watched(directory: Path, *hosts: Host) -> AsyncIterator[Watched]:
    state = StateDirectory(directory)
    endpoints = Endpoints(Chance(1), state)
    files = [Config(daemon=Daemon(), hosts=hosts)]
    await endpoints.bind(hosts)
    async with open_poller() as poller, trio.open_nursery() as nursery:
        await endpoints.open(nursery, Guarded(nursery), nursery, poller)
        lifecycle = Lifecycle(endpoints, Daemon(), nursery, lambda: files[-1])
        organiser = Organiser(endpoints.all, Clock(), lifecycle)
        yield Watched(lifecycle, organiser, files.append)
        nursery.cancel_scope.cancel()
    state.close()


async def test_recording_follows_the_file_and_the_organiser(tmp_path: Path) -> None:
    async with open_watched(tmp_path, PLAIN) as watched:
        assert watched.recorded() == []
        await watched.reload(RECORDED)
        assert watched.recorded() == ["hexxagon"]
        await watched.reload(PLAIN)
        assert watched.recorded() == []
        (endpoint,) = watched.organiser.endpoints
        assert endpoint.wire is not None
        endpoint.wire.start(("endpoint", ""))
        await watched.reload(make_host("hexxagon", "test", {"max_strikes": 3}, port=0))
        assert watched.recorded() == ["hexxagon"]  # the file says nothing new of it


async def test_numbers_are_of_the_endpoints_that_are_there(tmp_path: Path) -> None:
    async with open_watched(tmp_path, PLAIN) as watched:
        assert 'endpoint="penguins"' not in watched.metrics()
        await watched.reload(PLAIN, PENGUINS)
        assert 'endpoint="penguins"' in watched.metrics()
        (problem,) = await watched.reload(PLAIN, daemon=Daemon(metrics_port=0))
        assert problem == "metrics_port: taken over only when the daemon starts"
        assert await watched.reload(PLAIN, daemon=Daemon(metrics_port=0)) == [problem]
        with trio.fail_after(60):
            while 'endpoint="penguins"' in watched.metrics():
                await trio.lowlevel.checkpoint()


async def test_a_host_that_is_removed_does_not_make_the_rest_unready(tmp_path: Path) -> None:
    async with open_watched(tmp_path, PLAIN, PENGUINS) as watched:
        endpoint = watched.organiser.endpoints[0]
        endpoint.hall.drain()
        assert not endpoint.ready
        assert watched.organiser.ready(BareRequest()).ready
        watched.lifecycle.drain(60)
        with trio.fail_after(60):
            while watched.organiser.takes_clients:
                await trio.lowlevel.checkpoint()
        with pytest.raises(NotReady, match="no new clients"):
            watched.organiser.ready(BareRequest())
        assert "ludothek_ready 0.0" in watched.metrics()
