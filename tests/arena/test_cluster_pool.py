"""Games on a Dask cluster."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio

from ludothek.arena import cluster_pool
from ludothek.arena.cluster_pool import ClusterPool
from ludothek.arena.entrant import Entrant, Kind
from ludothek.arena.pool import PoolLost
from tests.arena.games import animal, bot, played, task, within
from tests.arena.test_local_pool import wait_until_running


class Cluster:
    """A scheduler and two workers, in processes of their own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        port = free_port()
        self.address = f"tcp://127.0.0.1:{port}"
        self._scheduler = self._start("scheduler", "--port", str(port))
        words = (self.address, "--no-nanny", "--nthreads", "1")
        self.workers = [self._start("worker", *words) for _ in range(2)]

    def _start(self, what: str, *words: str) -> subprocess.Popen[bytes]:
        common = ("--host", "127.0.0.1", "--no-dashboard")
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *words, *common]
        with (self._folder / "dask.log").open("ab") as log:
            return subprocess.Popen(command, stdout=log, stderr=log, cwd=self._folder)

    def close(self) -> None:
        for process in (*self.workers, self._scheduler):
            process.kill()
            process.wait()


def free_port() -> int:
    """One that nobody used a moment ago."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    found = Cluster(tmp_path)
    yield found
    found.close()


async def test_a_cluster_plays_the_same_games_even_if_a_worker_dies(
    cluster: Cluster, tmp_path: Path
) -> None:
    folder = tmp_path / "games"
    games = [
        task("hexxagon", bot("A"), bot("B"), folder=folder, number=number, seed=number)
        for number in range(1, 21)
    ]
    points: dict[int, list[int | None]] = {}
    async with ClusterPool(cluster.address) as pool, trio.open_nursery() as nursery:

        async def play(number: int) -> None:
            outcome = await pool.play(games[number - 1])
            assert outcome.failure is None
            points[number] = [finish.points for finish in outcome.finishes]
            if len(points) == 3:
                cluster.workers[0].send_signal(signal.SIGKILL)

        for game in games:
            nursery.start_soon(play, game.number)
    assert len([*folder.glob("*.match")]) == len(games)
    for number in (1, 20):
        here = await played(games[number - 1])
        assert [finish.points for finish in here.outcome.finishes] == points[number]


async def test_a_game_that_is_given_up_ends_on_its_worker(cluster: Cluster, tmp_path: Path) -> None:
    mark = f"cluster-{os.getpid()}"
    bounds = within(startup_seconds=300.0)
    game = task("penguins", animal("absent", mark), bot(), folder=tmp_path, bounds=bounds)
    async with ClusterPool(cluster.address) as pool, trio.open_nursery() as nursery:
        nursery.start_soon(pool.play, game)
        await wait_until_running(mark)
        nursery.cancel_scope.cancel()
    await wait_until_running(mark, runs=False)


async def test_without_a_scheduler_there_is_no_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_pool, "CONNECT_SECONDS", 0.5)
    address = f"tcp://127.0.0.1:{free_port()}"
    with pytest.raises(PoolLost, match=address):
        async with ClusterPool(address):
            pass


async def test_an_address_without_a_port_is_told_at_once() -> None:
    with pytest.raises(PoolLost, match=r"foo: .*missing port"):
        async with ClusterPool("foo"):
            pass


async def test_without_certificates_nobody_waits_for_tls() -> None:
    with pytest.raises(PoolLost, match="TLS needs a key and a certificate"):
        async with ClusterPool(f"tls://127.0.0.1:{free_port()}"):
            pass


async def test_clients_from_elsewhere_cannot_find_a_game_on_a_cluster(tmp_path: Path) -> None:
    remote = Entrant(name="Ada", kind=Kind.REMOTE)
    with pytest.raises(PoolLost, match="elsewhere"):
        await ClusterPool("tcp://127.0.0.1:1").play(
            task("hexxagon", remote, bot(), folder=tmp_path)
        )
