"""Files that should outlive the daemon: kept whole or not at all, and no trouble for anybody."""

import errno
import os
import random
from pathlib import Path
from typing import Any

import pytest
import structlog
import trio
from structlog.testing import LogCapture

from ludothek.storage import state as state_module
from ludothek.storage.state import StateDirectory
from tests.support.toy import ToyTable, open_toy, toy_client, toy_hall


@pytest.fixture
def logs() -> LogCapture:
    capture = LogCapture()
    structlog.configure(processors=[capture])
    return capture


def fill_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, content: bytes) -> int:
        path.touch()  # a name still fits, its content does not
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", refuse)


async def test_a_full_disk_is_reported_once_and_leaves_nothing_behind(
    tmp_path: Path, logs: LogCapture, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = StateDirectory(tmp_path)
    with monkeypatch.context() as full:
        fill_disk(full)
        for number in range(5):
            await state.keep("crashes", f"{number}.json", b"{}")
    assert state.failures == 5
    assert os.listdir(tmp_path / "crashes") == []
    (warning,) = logs.entries
    assert (warning["event"], warning["error"], warning["file"]) == (
        "could not keep a file",
        "No space left on device",
        "0.json",
    )
    for number in range(2):
        await state.keep("crashes", f"{number}.json", b"{}")
    assert [entry["event"] for entry in logs.entries[1:]] == ["files are kept again"]
    assert sorted(os.listdir(tmp_path / "crashes")) == ["0.json", "1.json"]


async def test_files_do_not_pile_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_module, "MOST_FILES", 3)
    state = StateDirectory(tmp_path)
    for number in range(5):
        await state.keep("crashes", f"{number}.json", b"{}")
    assert sorted(os.listdir(tmp_path / "crashes")) == ["2.json", "3.json", "4.json"]


async def test_a_crash_that_happens_often_hides_no_other(
    nursery: trio.Nursery, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state_module, "MOST_FILES", 5)
    hall = toy_hall(nursery, state=StateDirectory(tmp_path))

    def crash(key: str, how: Any) -> None:
        lobby = open_toy(hall, key)
        lobby.let(how)

    def rare() -> Any:
        raise LookupError("rare")

    def frequent() -> Any:
        raise ValueError("frequent")

    crash("rare", rare)
    for number in range(10):
        crash(f"frequent{number}", frequent)
        with trio.fail_after(60):
            await hall.wait_empty()
    names = sorted(os.listdir(tmp_path / "crashes"))
    assert len(names) == 5
    assert [name for name in names if name.endswith("-rare.json")]


def test_what_a_killed_daemon_was_writing_is_removed(tmp_path: Path) -> None:
    for folder in ("crashes", "replays"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "kept.json").touch()
        (tmp_path / folder / ".half.json.0123456789abcdef").touch()
    StateDirectory(tmp_path).check()
    assert [os.listdir(folder) for folder in tmp_path.iterdir()] == [["kept.json"]] * 2
    StateDirectory(tmp_path / "nowhere").check()


async def test_another_kind_of_trouble_is_news(
    tmp_path: Path, logs: LogCapture, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = StateDirectory(tmp_path)
    (tmp_path / "crashes").touch()
    await state.keep("crashes", "1.json", b"{}")
    (tmp_path / "crashes").unlink()
    fill_disk(monkeypatch)
    await state.keep("crashes", "2.json", b"{}")
    assert [entry["error"] for entry in logs.entries] == [
        "File exists",
        "No space left on device",
    ]


async def test_games_go_on_when_reports_of_crashes_cannot_be_kept(
    nursery: trio.Nursery, tmp_path: Path, logs: LogCapture, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill_disk(monkeypatch)
    state = StateDirectory(tmp_path)
    hall = toy_hall(nursery, state=state)

    def toy(rng: random.Random) -> Any:
        return ToyTable()

    client = toy_client(hall)
    survivor = open_toy(hall, "survivor")
    for key in ("one", "two", "three"):
        lobby = open_toy(hall, key)
        lobby.let(lobby.table.receive, client, "bug")
    with trio.fail_after(60):
        while state.failures < 3:
            await trio.lowlevel.checkpoint()
    survivor.let(survivor.table.receive, client, "hello")
    assert (survivor.open, hall.crashes, state.failures) == (True, 3, 3)
    events = [entry["event"] for entry in logs.entries]
    assert events.count("could not keep a file") == 1
    assert events.count("lobby crashed") == 3


async def test_names_that_others_choose(tmp_path: Path, logs: LogCapture) -> None:
    state = StateDirectory(tmp_path)
    for name in ("../../outside.json", "ä" * 300 + ".json", "a\0b.json", "x" * 300 + ".json"):
        await state.keep("crashes", name, b"{}")
    assert state.failures == 0
    names = os.listdir(tmp_path / "crashes")
    assert len(names) == 4
    assert all(name.endswith(".json") for name in names)
    assert os.listdir(tmp_path) == ["crashes"]


def test_a_place_where_nothing_can_be_kept_is_named_at_the_start(
    tmp_path: Path, logs: LogCapture
) -> None:
    StateDirectory(tmp_path / "not" / "there" / "yet").check()
    assert not logs.entries
    assert not os.listdir(tmp_path)  # nothing is made before there is something to keep
    (tmp_path / "file").touch()
    StateDirectory(tmp_path / "file" / "state").check()
    (warning,) = logs.entries
    assert warning["problem"] == f"{tmp_path / 'file'} cannot be written to"
