"""The wire log never grows without end, and never disturbs whoever is recorded."""

import errno
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
import structlog
from structlog.testing import LogCapture

from ludothek.storage.lines import NotKept
from ludothek.storage.rotating_file import RotatingFile, RotationPolicy
from ludothek.storage.writer import Writer
from ludothek.wire.wire_file import WireFile

SMALL = RotationPolicy(max_bytes=100, older_files=2)


@pytest.fixture
def logs() -> LogCapture:
    capture = LogCapture()
    structlog.configure(processors=[capture])
    return capture


@pytest.fixture
def writer() -> Iterator[Writer]:
    writer = Writer("lines")
    yield writer
    writer.close(seconds=60)


def line(number: int) -> bytes:
    return f"line {number:014}\n".encode()


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines()


def entries(path: Path) -> list[Any]:
    return [json.loads(text) for text in lines(path)]


def events(logs: LogCapture) -> list[tuple[str, str]]:
    return [(entry["log_level"], entry["event"]) for entry in logs.entries]


def refuse(*_: Any) -> int:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_file_at_its_limit_is_put_aside_and_only_some_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "new" / "log"
    file = RotatingFile(path, SMALL)
    for number in range(23):  # five lines fit
        file.append(line(number))
    file.close()
    assert sorted(os.listdir(path.parent)) == ["log", "log.1", "log.2"]
    assert [len(lines(path.with_name(name))) for name in ("log.2", "log.1", "log")] == [5, 5, 3]
    assert lines(path)[-1].endswith("22")
    assert lines(path.with_name("log.2"))[0].endswith("10")


def test_without_older_files_it_starts_anew(tmp_path: Path) -> None:
    file = RotatingFile(tmp_path / "log", RotationPolicy(max_bytes=100, older_files=0))
    for number in range(7):
        file.append(line(number))
    file.close()
    assert os.listdir(tmp_path) == ["log"]
    assert len(lines(tmp_path / "log")) == 2


def test_only_its_owner_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / "new" / "log"
    file = RotatingFile(path, SMALL)
    file.append(line(1))
    file.close()
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_another_daemon_goes_on_where_the_last_one_was_killed(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"x" * 70 + b"\nhalf a li")
    file = RotatingFile(path, SMALL)
    file.append(line(1))
    assert lines(path)[1:] == ["half a li", line(1).decode().strip()]
    file.append(line(2))
    file.close()
    assert len(lines(path)) == 1


@pytest.mark.parametrize("remove", [os.unlink, lambda path: os.rename(path, f"{path}.old")])
def test_a_file_removed_while_open_is_made_again(
    tmp_path: Path, remove: Callable[[Path], None]
) -> None:
    path = tmp_path / "log"
    file = RotatingFile(path, SMALL)
    file.append(line(1))
    remove(path)
    file.append(line(2))
    file.close()
    assert lines(path) == [line(2).decode().strip()]


def test_a_directory_removed_meanwhile_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "wire" / "log"
    file = RotatingFile(path, SMALL)
    file.append(line(1))
    path.unlink()
    path.parent.rmdir()
    file.append(line(2))
    file.close()
    assert lines(path) == [line(2).decode().strip()]


def test_a_disk_that_fills_up_in_the_middle_of_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log"
    file = RotatingFile(path, RotationPolicy())
    write = os.write
    room = 30

    def short(fd: int, data: bytes) -> int:
        nonlocal room
        if not room:
            refuse()
        written = write(fd, data[:room])
        room -= written
        return written

    monkeypatch.setattr("ludothek.storage.rotating_file.os.write", short)
    with pytest.raises(NotKept, match="No space left") as lost:
        file.append(line(1) + line(2) + line(3))
    assert lost.value.lines == 2  # the first is whole
    room = 1000
    file.append(line(4))
    file.close()
    whole = [line(n).decode().strip() for n in (1, 4)]
    assert lines(path) == [whole[0], line(2).decode()[:10], whole[1]]


def test_a_full_disk_is_reported_once_and_its_end_too(
    tmp_path: Path, writer: Writer, logs: LogCapture
) -> None:
    path = tmp_path / "log"
    path.symlink_to("/dev/full")
    recording = WireFile(writer, path, RotationPolicy())
    for number in range(100):
        recording.put(line(number))
    writer.close(seconds=60)
    assert recording.lost == 100
    assert events(logs) == [("warning", "the wire log loses lines")]
    assert logs.entries[0]["error"] == "No space left on device"
    path.unlink()
    recording.put(b'{"now":"it works"}\n')
    writer.close(seconds=60)
    note, after = entries(path)
    assert (note["note"], note["lines"], after) == ("lost", 100, {"now": "it works"})
    assert events(logs)[1:] == [("info", "the wire log is complete again")]
    assert logs.entries[1]["lost_so_far"] == 100


@pytest.mark.parametrize("obstacle", ["file", "directory"])
def test_a_place_where_nothing_can_be_written(
    tmp_path: Path, writer: Writer, logs: LogCapture, obstacle: str
) -> None:
    if obstacle == "file":
        (tmp_path / "wire").touch()
    else:
        (tmp_path / "wire" / "log").mkdir(parents=True)
    recording = WireFile(writer, tmp_path / "wire" / "log", RotationPolicy())
    for number in range(50):
        recording.put(line(number))
    writer.close(seconds=60)
    assert recording.lost == 50
    assert len(logs.entries) == 1


class SlowDisk:
    """Lets every write wait until it is told to go on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.busy, self.go_on = Event(), Event()
        self._write = os.write
        monkeypatch.setattr("ludothek.storage.rotating_file.os.write", self.write)

    def write(self, file: int, data: bytes) -> int:
        self.busy.set()
        assert self.go_on.wait(60)
        return self._write(file, data)


@pytest.mark.parametrize("limits", [{"max_items": 10}, {"max_bytes": 10 * len(line(1))}])
def test_what_a_slow_disk_cannot_take_is_lost_and_nobody_waits(
    tmp_path: Path, logs: LogCapture, monkeypatch: pytest.MonkeyPatch, limits: dict[str, int]
) -> None:
    writer, disk = Writer("lines", **limits), SlowDisk(monkeypatch)
    recording = WireFile(writer, tmp_path / "log", RotationPolicy())
    recording.put(line(0))
    assert disk.busy.wait(60)
    for number in range(1, 101):
        recording.put(line(number))
    assert 90 <= recording.lost <= 91
    assert events(logs) == [("warning", "the wire log loses lines")]
    lost = recording.lost
    disk.go_on.set()
    writer.close(seconds=60)
    written = lines(tmp_path / "log")
    assert [text for text in written if "line 0" in text] == [
        line(n).decode().strip() for n in range(101 - lost)
    ]
    (note,) = [json.loads(text) for text in written if "lost" in text]
    assert note["lines"] == lost
    assert events(logs)[1:] == [("info", "the wire log is complete again")]


def test_a_disk_that_hangs_does_not_keep_the_daemon_from_ending(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer, disk = Writer("lines"), SlowDisk(monkeypatch)
    WireFile(writer, tmp_path / "log", RotationPolicy()).put(line(0))
    assert disk.busy.wait(60)
    writer.close(seconds=0.01)
    disk.go_on.set()


def test_what_was_handed_in_is_written_at_the_end(tmp_path: Path, writer: Writer) -> None:
    recordings = [WireFile(writer, tmp_path / str(n), RotationPolicy()) for n in range(5)]
    for number in range(1000):
        recordings[number % 5].put(line(number))
    recordings[0].close()
    writer.close(seconds=60)
    assert [len(lines(tmp_path / str(n))) for n in range(5)] == [200] * 5
    assert [recording.ended for recording in recordings] == [True] * 5
    assert [recording.lost for recording in recordings] == [0] * 5
