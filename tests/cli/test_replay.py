"""platform replay as a user calls it."""

import gzip
import os
import subprocess
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import attrs
import orjson
import pytest

from games import quidditch
from games.hexxagon import GAME
from games.hexxagon import rules as hexxagon
from games.hexxagon.table import HexxagonTable
from ludothek.runtime.record import Record
from ludothek.runtime.replay import Replay
from tests.support.program import PLATFORM, invoke
from tests.support.records import record_match

BRIEF = Path(__file__).parents[1] / "data" / "quidditch" / "brief.json"


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A state directory with a record."""
    path = tmp_path_factory.mktemp("state")
    record_match(path)
    return path


@pytest.fixture
def file(state: Path) -> Path:
    (file,) = (state / "matches").iterdir()
    return file


@pytest.fixture
def record(file: Path) -> Record:
    return Record.read(file.read_bytes())


def replay(state: Path, *arguments: object) -> "subprocess.CompletedProcess[str]":
    return invoke("replay", "--state-dir", str(state), *map(str, arguments))


def changed(file: Path, path: Path, **about: object) -> Path:
    """The record with other facts about it."""
    record = Record.read(file.read_bytes())
    path.write_bytes(attrs.evolve(record, about={**record.about, **about}).write())
    return path


def test_a_match_is_repeated(state: Path, file: Path, record: Record) -> None:
    for name in (file, file.name, file.stem, file.name[:8], file.name[:20]):
        done = replay(state, name)
        assert (done.returncode, done.stderr) == (0, "")
        (line,) = done.stdout.splitlines()
        assert line.startswith("hexxagon, Player0 ")
        assert line.endswith(
            f"regular, {len(record.notes)} notes: every byte and the result are the same"
        )


def test_it_needs_nothing_but_the_file(file: Path, tmp_path: Path) -> None:
    done = subprocess.run([*PLATFORM, "replay", file], cwd=tmp_path, check=False)
    assert done.returncode == 0


@pytest.fixture
def in_berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as here:
        here.setenv("TZ", "Europe/Berlin")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("in_berlin")
@pytest.mark.parametrize(
    ("begin", "place"),
    [
        (datetime(2026, 10, 25, 0, 59, 58, tzinfo=UTC), "Europe/Berlin"),  # summer time ends
        (datetime(2026, 10, 24, 12, tzinfo=UTC), "Asia/Tokyo"),
    ],
)
def test_local_times_are_those_of_the_match(begin: datetime, place: str, tmp_path: Path) -> None:
    """Messages of Quidditch have one."""
    looks = count()
    settings = {"match": str(BRIEF), "accounts": "memory"}
    file = record_match(
        tmp_path,
        game=quidditch.GAME,
        settings=settings,
        date=lambda: begin + timedelta(milliseconds=50 * next(looks)),
    )
    done = subprocess.run([*PLATFORM, "replay", file], env={**os.environ, "TZ": place}, check=False)
    assert done.returncode == 0


def test_a_difference_is_told(state: Path, file: Path, tmp_path: Path) -> None:
    done = replay(state, changed(file, tmp_path / "other", moves=3, program="0.1"))
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert "the result: moves is 10, recorded was 3 (recorded by version 0.1, not " in line


def test_what_is_no_record_is_told(state: Path, file: Path, tmp_path: Path) -> None:
    odd = {
        "text": b"hello",
        "cut": file.read_bytes()[:-9],
        "empty": b"",
        "bomb": gzip.compress(bytes(10_000_000)),
    }
    for name, content in odd.items():
        (tmp_path / name).write_bytes(content)
    places: list[object] = [tmp_path, "/dev/zero", "2019x", "", "../state"]
    for place in (*places, *(tmp_path / name for name in odd)):
        done = replay(state, place)
        assert (done.returncode, done.stdout) == (2, ""), place
        assert len(done.stderr.splitlines()) == 1


def test_a_name_that_is_not_clear_is_told(state: Path, file: Path, tmp_path: Path) -> None:
    for folder in ("matches", "crashes"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"2019-{folder}.match").write_bytes(file.read_bytes())
    done = replay(tmp_path, "2019")
    assert done.returncode == 2
    assert "2 records begin with 2019: 2019-crashes.match, 2019-matches.match" in done.stderr
    assert replay(tmp_path, "2019-c").returncode == 0


def test_a_game_that_is_not_here_is_told(state: Path, file: Path, tmp_path: Path) -> None:
    done = replay(state, changed(file, tmp_path / "other", game="chess"))
    assert (done.returncode, "there is no game 'chess' here" in done.stderr) == (2, True)


# Looking into it


def test_a_record_is_printed_as_text(state: Path, file: Path, record: Record) -> None:
    done = replay(state, file, "--text")
    assert (done.returncode, done.stderr) == (0, "")
    about, beginning, *notes = map(orjson.loads, done.stdout.splitlines())
    assert about["game"] == "hexxagon"
    assert beginning["lobby"] == record.beginning.lobby
    assert [note["kind"] for note in notes] == [note.kind.name.lower() for note in record.notes]


def test_text_is_all_or_nothing(state: Path, file: Path) -> None:
    done = replay(state, file, "--text", "--show", 1)
    assert (done.returncode, done.stdout) == (2, "")
    assert "exclude each other" in done.stderr


def test_the_state_after_each_note_is_drawn(state: Path, file: Path, record: Record) -> None:
    count = len(record.notes)
    drawn = {}
    for number in range(-count, count + 1):
        done = replay(state, file, "--show", number)
        assert (done.returncode, done.stderr) == (0, "")
        drawn[number] = done.stdout
    assert all(drawn[-number] == drawn[count + 1 - number] for number in range(1, count + 1))
    assert drawn[0].splitlines()[:2] == [
        f"before the first of {count} notes",
        "Lobby Player0 waits, waiting",
    ]
    first = drawn[2].splitlines()
    assert first[0].startswith(f"note 2 of {count}, 0.000 s: enter client 1 (Player0) ")
    assert first[-1] == "XX Player0"
    assert drawn[-1].splitlines()[0].startswith(f"note {count} of {count}, ")
    assert "Move 10 went from" in drawn[-1]


@pytest.mark.parametrize("number", [1000, -1000])
def test_a_note_that_is_not_there_is_told(state: Path, file: Path, number: int) -> None:
    done = replay(state, file, "--show", number)
    assert (done.returncode, done.stdout) == (2, "")
    assert "notes" in done.stderr


def test_a_client_was_sent_these_frames(state: Path, file: Path, record: Record) -> None:
    sent = [each for step in Replay(GAME, record) for each in step]
    for number, name in ((1, "Player0"), (2, "Player1")):
        frames = [frame for client, frame in sent if client.number == number]
        for who in (number, name):
            done = replay(state, file, "--frames", who)
            assert done.returncode == 0
            assert done.stdout.encode().splitlines() == frames
        assert orjson.loads(frames[0])["messageType"] == "LobbyJoined"


@pytest.mark.parametrize("who", ["Eve", "9" * 5000])
def test_a_client_that_was_not_there_is_told(state: Path, file: Path, who: str) -> None:
    done = replay(state, file, "--frames", who)
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        f"there is no client {who} in this record; known are 1 (Player0), 2 (Player1)"
        in done.stderr
    )


def test_frames_are_printed_as_far_as_they_are_the_same(
    state: Path, file: Path, record: Record, tmp_path: Path
) -> None:
    odd = tmp_path / "odd"
    notes = [*record.notes[:-1], attrs.evolve(record.notes[-1], digest=1)]
    odd.write_bytes(attrs.evolve(record, notes=notes).write())
    done = replay(state, odd, "--frames", "1")
    assert done.returncode == 1
    assert 0 < len(done.stdout.splitlines()) < len(record.notes)
    assert "something else was sent" in done.stderr


def test_one_thing_at_a_time(state: Path, file: Path) -> None:
    assert replay(state, file, "--frames", "1", "--show", "1").returncode == 2


# Crashes


def limited(table: HexxagonTable, rest: hexxagon.State) -> hexxagon.State:
    if rest.turn == 4:
        raise ZeroDivisionError("the fourth turn")
    return rest


@pytest.fixture
def crash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state directory with the report of a crash."""
    monkeypatch.setattr(HexxagonTable, "_limited", limited)
    record_match(tmp_path)
    (report,) = (tmp_path / "crashes").iterdir()
    return report


def test_a_crash_is_repeated_with_one_command(crash: Path) -> None:
    done = replay(crash.parents[1], crash.stem)
    assert (done.returncode, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert lines[-2] == "ZeroDivisionError: the fourth turn"
    assert lines[-1] == "ZeroDivisionError in tests.cli.test_replay.limited: the same crash"


def test_another_crash_is_told_from_the_recorded_one(crash: Path, tmp_path: Path) -> None:
    done = replay(tmp_path, changed(crash, tmp_path / "other", bug="KeyError in x"))
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1].endswith(
        "limited: another crash; recorded was KeyError in x"
    )


def test_a_bug_that_is_gone_is_good_news(crash: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    done = replay(crash.parents[1], crash)
    assert (done.returncode, done.stderr) == (0, "")
    (line,) = done.stdout.splitlines()
    assert line.endswith(": it does not crash any more")


def test_the_state_before_a_crash_can_be_seen(crash: Path) -> None:
    done = replay(crash.parents[1], crash, "--show", "-2")
    assert done.returncode == 1  # it has crashed again in the end
    assert "Move 2 went from" in done.stdout
