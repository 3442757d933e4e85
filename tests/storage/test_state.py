"""Files that should outlive the daemon: kept whole or not at all, and no trouble for anybody."""

import os
from pathlib import Path
from typing import Any

import pytest
import structlog
import trio
from structlog.testing import LogCapture

from ludothek.storage import crash_reports
from ludothek.storage.state import StateDirectory
from tests.storage.test_archive import fill_disk
from tests.support.toy import open_toy, toy_client, toy_hall


@pytest.fixture
def logs() -> LogCapture:
    capture = LogCapture()
    structlog.configure(processors=[capture])
    return capture


async def test_a_crash_that_happens_often_hides_no_other(
    nursery: trio.Nursery, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crash_reports, "MAX_FILES", 5)
    state = StateDirectory(tmp_path)
    hall = toy_hall(nursery, state=state)

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
    state.close(seconds=60)
    names = sorted(os.listdir(tmp_path / "crashes"))
    assert len(names) == 5
    assert [name for name in names if name.endswith("-rare.match")]


def test_what_a_killed_daemon_was_writing_is_removed(tmp_path: Path) -> None:
    for folder in ("crashes", "replays"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "kept.json").touch()
        (tmp_path / folder / ".half.json.0123456789abcdef").touch()
    StateDirectory(tmp_path).check()
    assert [os.listdir(folder) for folder in tmp_path.iterdir()] == [["kept.json"]] * 2
    StateDirectory(tmp_path / "nowhere").check()


async def test_games_go_on_when_reports_of_crashes_cannot_be_kept(
    nursery: trio.Nursery, tmp_path: Path, logs: LogCapture, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill_disk(monkeypatch)
    state = StateDirectory(tmp_path)
    hall = toy_hall(nursery, state=state)

    client = toy_client(hall)
    survivor = open_toy(hall, "survivor")
    for key in ("one", "two", "three"):
        lobby = open_toy(hall, key)
        lobby.let(lobby.table.receive, client, "bug")
    with trio.fail_after(60):
        while hall.crashes < 3:
            await trio.lowlevel.checkpoint()
    survivor.let(survivor.table.receive, client, "hello")
    state.close(seconds=60)
    assert (survivor.open, hall.crashes, state.failures) == (True, 3, 3)
    events = [entry["event"] for entry in logs.entries]
    assert events.count("could not keep a file") == 1
    assert events.count("lobby crashed") == 3


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
