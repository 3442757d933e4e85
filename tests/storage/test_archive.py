"""Files that outlive their lobby: written beside the games, whatever the disk does."""

import threading
from pathlib import Path

import pytest
import structlog
import trio
import trio.testing
from structlog.testing import LogCapture

from ludothek.contract.effects import Save
from ludothek.contract.keeping import Room
from ludothek.storage import archive
from ludothek.storage.archive import Archive
from ludothek.storage.state import StateDirectory


@pytest.fixture
def logs() -> LogCapture:
    capture = LogCapture()
    structlog.configure(processors=[capture])
    return capture


def text(name: str, content: bytes = b"x", newest: int = 100) -> Save:
    return Save("replays", name, lambda: content, Room(files=newest))


def names(path: Path) -> set[str]:
    """The files in a folder, but for those that are not finished."""
    files = path.iterdir() if path.is_dir() else ()
    return {file.name for file in files if not file.name.startswith(".")}


async def settle(path: Path, count: int) -> None:
    with trio.fail_after(60):
        while len(names(path)) != count:
            await trio.lowlevel.checkpoint()


async def test_a_file_is_written_whole(nursery: trio.Nursery, tmp_path: Path) -> None:
    files = Archive(StateDirectory(tmp_path))
    nursery.start_soon(files.run)
    files.put(text("a.json", b"one"))
    await settle(tmp_path / "replays", 1)
    assert (tmp_path / "replays" / "a.json").read_bytes() == b"one"


async def test_no_file_takes_the_place_of_another(nursery: trio.Nursery, tmp_path: Path) -> None:
    files = Archive(StateDirectory(tmp_path))
    nursery.start_soon(files.run)
    for content in (b"one", b"two", b"three"):
        files.put(text("a.json", content))
    await settle(tmp_path / "replays", 3)
    assert names(tmp_path / "replays") == {"a.json", "a-2.json", "a-3.json"}
    assert (tmp_path / "replays" / "a.json").read_bytes() == b"one"
    assert (tmp_path / "replays" / "a-3.json").read_bytes() == b"three"


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "..", ".hidden", "a/b\0c"])
async def test_no_name_leads_out_of_the_folder(
    nursery: trio.Nursery, tmp_path: Path, name: str
) -> None:
    files = Archive(StateDirectory(tmp_path / "state"))
    nursery.start_soon(files.run)
    files.put(text(name))
    await settle(tmp_path / "state" / "replays", 1)
    assert names(tmp_path) == {"state"}
    assert names(tmp_path / "state") == {"replays"}


async def test_only_the_newest_files_stay(nursery: trio.Nursery, tmp_path: Path) -> None:
    files = Archive(StateDirectory(tmp_path))
    nursery.start_soon(files.run)
    for number in range(6):
        files.put(text(f"{number}.json", newest=3))
    with trio.fail_after(60):
        while names(tmp_path / "replays") != {"3.json", "4.json", "5.json"}:
            await trio.lowlevel.checkpoint()


async def test_a_disk_that_fails_is_reported_once(
    nursery: trio.Nursery, tmp_path: Path, logs: LogCapture
) -> None:
    (tmp_path / "replays").touch()  # a file where the folder should be
    state = StateDirectory(tmp_path)
    files = Archive(state)
    nursery.start_soon(files.run)
    for number in range(3):
        files.put(text(f"{number}.json"))
    with trio.fail_after(60):
        while len(logs.entries) < 3:
            await trio.lowlevel.checkpoint()
    assert state.failures == 3
    assert [entry["log_level"] for entry in logs.entries] == ["warning", "debug", "debug"]
    assert state.failures == 3
    (tmp_path / "replays").unlink()
    files.put(text("again.json"))
    await settle(tmp_path / "replays", 1)


async def test_a_game_that_cannot_make_its_file_harms_nobody(
    nursery: trio.Nursery, tmp_path: Path, logs: LogCapture
) -> None:
    def fail() -> bytes:
        raise ZeroDivisionError

    state = StateDirectory(tmp_path)
    files = Archive(state)
    nursery.start_soon(files.run)
    files.put(Save("replays", "bad.json", fail, Room(files=10)))
    files.put(text("good.json"))
    await settle(tmp_path / "replays", 1)
    (entry,) = logs.entries
    assert (entry["event"], entry["name"]) == ("making a file crashed", "bad.json")
    assert state.failures == 1


async def test_nobody_waits_for_a_slow_disk(
    nursery: trio.Nursery, tmp_path: Path, logs: LogCapture
) -> None:
    released = threading.Event()

    def slow() -> bytes:
        released.wait(120)
        return b"late"

    files = Archive(StateDirectory(tmp_path))
    nursery.start_soon(files.run)
    for number in range(archive.WAITING + 10):
        files.put(Save("replays", f"{number}.json", slow, Room(files=1000)))
    assert [entry["error"] for entry in logs.entries][:1] == ["the disk is too slow"]
    released.set()
    await settle(tmp_path / "replays", archive.WAITING)


async def test_what_waits_at_the_end_is_still_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "LAST_SECONDS", 60.0)  # however slow this disk is
    files = Archive(StateDirectory(tmp_path))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(files.run)
        for number in range(5):
            files.put(text(f"{number}.json"))
        nursery.cancel_scope.cancel()
    assert len(names(tmp_path / "replays")) == 5


async def test_a_disk_that_hangs_does_not_hold_up_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "LAST_SECONDS", 0.05)
    released = threading.Event()

    def hang() -> bytes:
        released.wait(120)
        return b"late"

    files = Archive(StateDirectory(tmp_path))
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(files.run)
            files.put(Save("replays", "a.json", hang, Room(files=10)))
            await trio.testing.wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
    released.set()
