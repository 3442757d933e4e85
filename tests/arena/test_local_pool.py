"""Games on this machine."""

import errno
import fcntl
import os
import signal
import tempfile
from pathlib import Path

import pytest
import trio

from ludothek.arena import local_pool
from ludothek.arena.cores import Cores, needed, own_cores, shared_cores
from ludothek.arena.local_pool import LocalPool
from ludothek.arena.played import Played
from ludothek.arena.scratch import scratch, sweep
from ludothek.arena.serving import Serving
from ludothek.arena.task import Task
from tests.arena.games import animal, bot, running, task


async def test_games_leave_records_and_logs_in_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    async with LocalPool() as pool:
        crash = await pool.play(task("penguins", animal("broken"), bot(), folder=folder, number=12))
        match = await pool.play(task("hexxagon", bot(), bot(), folder=folder))
    assert crash.finishes[0].log == "000012-1.log"
    assert "no opening book" in (folder / "000012-1.log").read_text()
    assert match.record == "000001.match"
    assert (folder / "000001.match").stat().st_size > 0


@pytest.fixture
def servings(monkeypatch: pytest.MonkeyPatch) -> list[Serving]:
    """All serving processes that pools start."""
    started: list[Serving] = []

    class Noted(Serving):
        def __init__(self) -> None:
            super().__init__()
            started.append(self)

    monkeypatch.setattr(local_pool, "Serving", Noted)
    return started


def marked(tmp_path: Path) -> tuple[Task, str]:
    """A game that does not end by itself, and a word of its program's command line."""
    mark = f"pool-{os.getpid()}"
    absent = animal("absent", mark)
    return task("penguins", absent, bot(), folder=tmp_path), mark


async def wait_until_running(mark: str, *, runs: bool = True) -> None:
    with trio.fail_after(30):
        while bool(running(mark)) is not runs:  # noqa: ASYNC110 (others start and end it)
            await trio.sleep(0.02)


async def test_a_serving_process_that_dies_is_our_failure_and_replaced(
    tmp_path: Path, servings: list[Serving]
) -> None:
    game, mark = marked(tmp_path)
    failures: list[str | None] = []
    async with LocalPool() as pool:

        async def play() -> None:
            failures.append((await pool.play(game)).failure)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(play)
            await wait_until_running(mark)
            os.kill(servings[0].pid, signal.SIGKILL)
        await wait_until_running(mark, runs=False)
        healthy = await pool.play(task("hexxagon", bot(), bot(), folder=tmp_path))
    assert failures == ["the serving process has ended with -9"]
    assert healthy.failure is None
    assert len(servings) == 2


async def test_a_game_that_is_given_up_leaves_nothing_behind(
    tmp_path: Path, servings: list[Serving]
) -> None:
    game, mark = marked(tmp_path)
    async with LocalPool() as pool, trio.open_nursery() as nursery:
        nursery.start_soon(pool.play, game)
        await wait_until_running(mark)
        nursery.cancel_scope.cancel()
    assert running(mark) == []
    assert not servings[0].alive


async def test_a_full_disk_is_our_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def keep(self: Played, folder: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Played, "keep", keep)
    async with LocalPool() as pool:
        outcome = await pool.play(task("hexxagon", bot(), bot(), folder=tmp_path))
    assert outcome.failure == "the files of the game cannot be written: No space left on device"


# Cores


def test_programs_need_a_core_each_and_bots_share_one(tmp_path: Path) -> None:
    mole = animal("absent")
    assert needed(task("hexxagon", bot(), bot(), folder=tmp_path)) == 1
    assert needed(task("hexxagon", mole, bot(), folder=tmp_path)) == 2
    assert needed(task("hexxagon", mole, mole, folder=tmp_path)) == 2
    assert needed(task("qwirkle", mole, mole, bot(), bot(), folder=tmp_path)) == 3


def test_a_game_begins_when_all_its_cores_are_free(tmp_path: Path) -> None:
    """Otherwise it would wait, begin long after Ctrl-C, and pass for one that is running."""
    mole, pool = animal("absent"), LocalPool([0, 1, 2])
    one = task("hexxagon", bot(), bot(), folder=tmp_path)
    two = task("hexxagon", mole, mole, folder=tmp_path)
    five = task("qwirkle", *[mole] * 5, folder=tmp_path)
    assert pool.has_room([], five)
    assert pool.has_room([two], one)
    assert not pool.has_room([two], two)
    assert not pool.has_room([one], five)


async def test_nobody_has_the_same_core_at_the_same_time(
    autojump_clock: trio.testing.MockClock,
) -> None:
    cores = Cores([0, 1, 2])
    busy: set[int] = set()

    async def game(number: int) -> None:
        taken = await cores.take(number)
        assert len(taken) == min(number, 3)
        assert busy.isdisjoint(taken)
        busy.update(taken)
        await trio.sleep(1)
        busy.difference_update(taken)
        cores.give_back(taken)

    async with trio.open_nursery() as nursery:
        for number in (1, 2, 3, 1, 5, 2):
            nursery.start_soon(game, number)
    assert trio.current_time() >= 4


def test_processes_share_the_cores_of_a_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    everything = len(own_cores())
    with shared_cores(1) as one:
        assert len(one) == 1
        if everything > 1:
            with shared_cores(1) as other:
                assert set(one).isdisjoint(other)
    with shared_cores(1000) as all_cores:
        assert len(all_cores) == everything


def test_locks_of_others_are_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anybody can make a folder of that name first, and keep its locks."""
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    folder = tmp_path / f"ludothek-cores-{os.getuid()}"
    folder.mkdir()
    folder.chmod(0o777)
    with open(folder / "line", "w") as line:
        fcntl.flock(line, fcntl.LOCK_EX)
        with shared_cores(1) as cores:
            assert cores == []  # nothing is pinned


async def test_directories_of_killed_processes_are_removed(
    tmp_path: Path, servings: list[Serving], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    game, mark = marked(tmp_path / "games")
    async with LocalPool() as pool, trio.open_nursery() as nursery:
        nursery.start_soon(pool.play, game)
        await wait_until_running(mark)
        assert os.listdir(tmp_path) != []
        os.kill(servings[0].pid, signal.SIGKILL)
    assert os.listdir(tmp_path) == []


def test_directories_within_directories_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with scratch() as directory:
        before = os.open(".", os.O_RDONLY)
        os.chdir(directory)
        for _ in range(3000):
            os.mkdir("d")
            os.chdir("d")
        os.fchdir(before)
        os.close(before)
    assert [*tmp_path.iterdir()] == []


def test_only_abandoned_directories_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "ludothek-play-old" / "seat1").mkdir(parents=True)
    (tmp_path / "ludothek-play-old" / "seat1").chmod(0)
    (tmp_path / "else").mkdir()
    with scratch() as directory:
        sweep()
        assert {*tmp_path.iterdir()} == {directory, tmp_path / "else"}
    assert [*tmp_path.iterdir()] == [tmp_path / "else"]
