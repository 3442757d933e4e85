"""Files that outlive their lobby: written beside the games, whatever the disk does."""

import errno
import os
import threading
from math import inf
from pathlib import Path

import pytest
import structlog
from structlog.testing import LogCapture

from ludothek.contract.effects import Save
from ludothek.contract.keeping import Room
from ludothek.storage.archive import MAX_REMOVALS, MAX_WAITING, Archive, make_room


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


def keep(path: Path, *saves: Save) -> Archive:
    """An archive that has written these files."""
    files = Archive(path)
    for save in saves:
        files.put(save)
    files.close(seconds=60)
    return files


def test_a_file_is_written_whole(tmp_path: Path) -> None:
    keep(tmp_path, text("a.json", b"one"))
    assert names(tmp_path / "replays") == {"a.json"}
    assert (tmp_path / "replays" / "a.json").read_bytes() == b"one"


def test_no_file_takes_the_place_of_another(tmp_path: Path) -> None:
    keep(tmp_path, *(text("a.json", content) for content in (b"one", b"two", b"three")))
    assert names(tmp_path / "replays") == {"a.json", "a-2.json", "a-3.json"}
    assert (tmp_path / "replays" / "a.json").read_bytes() == b"one"
    assert (tmp_path / "replays" / "a-3.json").read_bytes() == b"three"


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "..", ".hidden", "a/b\0c"])
def test_no_name_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    keep(tmp_path / "state", text(name))
    assert names(tmp_path) == {"state"}
    assert names(tmp_path / "state") == {"replays"}
    assert len(names(tmp_path / "state" / "replays")) == 1


def test_names_that_others_choose_are_kept_apart(tmp_path: Path) -> None:
    chosen = ("../../outside.json", "ä" * 300 + ".json", "a\0b.json", "x" * 300 + ".json")
    assert keep(tmp_path, *map(text, chosen)).lost == 0
    kept = names(tmp_path / "replays")
    assert len(kept) == 4
    assert all(name.endswith(".json") for name in kept)
    assert names(tmp_path) == {"replays"}


def test_only_the_newest_files_stay(tmp_path: Path) -> None:
    keep(tmp_path, *(text(f"{number}.json", newest=3) for number in range(6)))
    assert names(tmp_path / "replays") == {"3.json", "4.json", "5.json"}


def fill_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, content: bytes) -> int:
        path.touch()  # a name still fits, its content does not
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", refuse)


def test_a_full_disk_is_reported_once_and_leaves_nothing_behind(
    tmp_path: Path, logs: LogCapture, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as full:
        fill_disk(full)
        files = keep(tmp_path, *(text(f"{number}.json") for number in range(5)))
    assert files.lost == 5
    assert os.listdir(tmp_path / "replays") == []
    (warning,) = logs.entries
    assert (warning["event"], warning["error"], warning["file"]) == (
        "could not keep a file",
        "No space left on device",
        "0.json",
    )
    assert warning["path"] == str(tmp_path / "replays")
    for number in range(2):
        files.put(text(f"{number}.json"))
    files.close(seconds=60)
    assert [entry["event"] for entry in logs.entries[1:]] == ["files are kept again"]
    assert names(tmp_path / "replays") == {"0.json", "1.json"}
    assert files.lost == 5


def test_another_kind_of_trouble_is_news(
    tmp_path: Path, logs: LogCapture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "replays").touch()  # a file where the folder should be
    files = keep(tmp_path, text("1.json"))
    (tmp_path / "replays").unlink()
    fill_disk(monkeypatch)
    files.put(text("2.json"))
    files.close(seconds=60)
    assert [entry["error"] for entry in logs.entries] == [
        "File exists",
        "No space left on device",
    ]


def test_one_problem_of_several_folders_is_reported_once_and_its_end_too(
    tmp_path: Path, logs: LogCapture
) -> None:
    folders = [tmp_path / "crashes", tmp_path / "replays"]
    for folder in folders:
        folder.touch()
    files = Archive(tmp_path)
    for number in range(4):
        for folder in folders:
            files.put(Save(folder.name, f"{number}.json", lambda: b"", Room(files=10)))
        files.close(seconds=60)
        if number in (1, 2):
            folders[number - 1].unlink()  # the first one works again, then the second
    assert [entry["event"] for entry in logs.entries] == [
        "could not keep a file",
        "files are kept again",
    ]
    assert files.lost == 5


def test_a_game_that_cannot_make_its_file_harms_nobody(tmp_path: Path, logs: LogCapture) -> None:
    def fail() -> bytes:
        raise ZeroDivisionError

    bad = Save("replays", "bad.json", fail, Room(files=10))
    files = keep(tmp_path, bad, text("good.json"))
    assert names(tmp_path / "replays") == {"good.json"}
    (entry,) = logs.entries
    assert (entry["event"], entry["file"]) == ("making a file crashed", "bad.json")
    assert files.lost == 1


class SlowGame:
    """Makes its files when it is told to."""

    def __init__(self) -> None:
        self.go_on = threading.Event()

    def save(self, number: int) -> Save:
        return Save("replays", f"{number}.json", self._make, Room(files=1000))

    def _make(self) -> bytes:
        assert self.go_on.wait(120)
        return b"late"


def test_nobody_waits_for_a_slow_disk(tmp_path: Path, logs: LogCapture) -> None:
    files, game = Archive(tmp_path), SlowGame()
    for number in range(MAX_WAITING + 10):
        files.put(game.save(number))
    assert files.lost == 10
    assert [entry["error"] for entry in logs.entries] == ["the disk is too slow"]
    game.go_on.set()
    files.close(seconds=60)
    assert len(names(tmp_path / "replays")) == MAX_WAITING


def test_a_disk_that_hangs_does_not_hold_up_the_end(tmp_path: Path) -> None:
    files, game = Archive(tmp_path), SlowGame()
    files.put(game.save(1))
    files.close(seconds=0.05)
    assert not names(tmp_path / "replays")
    files.put(game.save(2))
    game.go_on.set()
    files.close(seconds=60)
    assert names(tmp_path / "replays") == {"1.json", "2.json"}


def test_a_large_folder_is_not_looked_through_for_every_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = []

    def look(folder: Path, room: Room) -> tuple[int, float]:
        looks.append(folder)
        return make_room(folder, room)

    monkeypatch.setattr("ludothek.storage.archive.make_room", look)
    keep(tmp_path, *(text(f"{number}.json", newest=2000) for number in range(90)))
    assert len(looks) == 1


def test_a_full_folder_gets_room_for_more_than_one_file(tmp_path: Path) -> None:
    folder = tmp_path / "replays"
    folder.mkdir()
    for number in range(500):
        (folder / f"{number:03}.json").touch()
        os.utime(folder / f"{number:03}.json", (number, number))
    assert make_room(folder, Room(files=499)) == (4, inf)
    assert min(names(folder)) == "005.json"


@pytest.mark.parametrize("newest", [1, 10, 250])
def test_there_are_never_more_files_than_fit(tmp_path: Path, newest: int) -> None:
    files = Archive(tmp_path)
    for number in range(newest + 30):
        files.write([text(f"{number}.json", newest=newest)], 0, caught_up=True)
        assert len(names(tmp_path / "replays")) <= newest
    files.write([text("last.json", newest=newest // 2)], 0, caught_up=True)  # a new setting
    assert len(names(tmp_path / "replays")) <= max(newest // 2, newest - MAX_REMOVALS + 1, 1)


def test_only_the_user_of_the_daemon_may_read_what_is_kept(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        keep(tmp_path / "state" / "of_this", text("a.json"))
    finally:
        os.umask(before)
    file = tmp_path / "state" / "of_this" / "replays" / "a.json"
    assert file.stat().st_mode & 0o777 == 0o600
    folders = (file.parent, file.parents[1], file.parents[2])
    assert [folder.stat().st_mode & 0o777 for folder in folders] == [0o700] * 3
