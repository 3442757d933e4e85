"""Results survive: crashes, full disks, a second arena, other people's files."""

import multiprocessing
import os
import resource
import signal
import sqlite3
from pathlib import Path

import pytest

from ludothek.arena.database import (
    BadDatabase,
    CannotWrite,
    Database,
    InUse,
    open_to_read,
    open_to_write,
)
from ludothek.arena.plan import Format, Plan
from tests.support.arena import made_up, plan


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arena.db"


def play(database: Database, planned: Plan, count: int) -> None:
    """Add that many games which are not there yet."""
    there = database.outcomes()
    missing = [f for f in planned.schedule().fixtures({}) if f.number not in there]
    for fixture in missing[:count]:
        database.add(planned, fixture, made_up(planned.task(fixture, "games")))


def test_what_was_written_can_be_read(path: Path) -> None:
    planned = plan()
    with open_to_write(path, planned) as database:
        play(database, planned, 5)
        database.add_failure(6, 1, "out of file descriptors")
        written = database.outcomes()
    with open_to_read(path) as database:
        assert database.plan() == planned
        assert database.outcomes() == written
        assert [*written] == [1, 2, 3, 4, 5]
        first = database.games()[0]
        assert database.failures()[0]["failure"] == "out of file descriptors"
    fixture = next(planned.schedule().fixtures({}))
    assert first["seats"] == [planned.names[entrant] for entrant in fixture.seats]
    assert (first["seed"], first["round"]) == (fixture.seed, 1)
    assert first["pairing"] == " / ".join(sorted(first["seats"]))
    assert first["points"] == [finish.points for finish in written[1].finishes]
    assert first["thinking"][0]["p99"] == 0.02


def test_games_are_found_by_number_and_entrants(path: Path) -> None:
    planned = plan()
    with open_to_write(path, planned) as database:
        play(database, planned, 5)
        games = database.games()
        assert database.count() == 5
        assert [each["number"] for each in database.latest(2)] == [5, 4]
        assert [each["number"] for each in database.latest(9, before=3)] == [2, 1]
        one, two = games[0]["seats"]
        found = database.latest(9, players=(one, two))
        assert [each["number"] for each in found] == [
            each["number"] for each in reversed(games) if {one, two} == {*each["seats"]}
        ]
        assert [each["rotated"] for each in database.latest(9)] == [1, 2, 2, 2, 2]
        found_game = database.game(3)
        assert found_game is not None
        assert {key: found_game[key] for key in games[2]} == games[2]
        assert database.game(6) is None


def test_one_row_per_game_can_be_read_with_sql(path: Path) -> None:
    with open_to_write(path, plan()) as database:
        play(database, plan(), 4)
    connection = sqlite3.connect(path)
    query = "SELECT count(*), sum(json_array_length(reasons)) FROM games"
    assert connection.execute(query).fetchone() == (4, 8)
    connection.close()


def test_a_database_of_another_tournament_is_refused(path: Path) -> None:
    with open_to_write(path, plan()):
        pass
    other = plan(seed=2, entrants=plan().entrants[::-1])
    expected = r"another tournament: its file was different in seed, entrant; use another --db"
    with pytest.raises(BadDatabase, match=expected), open_to_write(path, other):
        pass
    with open_to_write(path, plan(games=8)), open_to_read(path) as database:
        assert database.plan().games == 8  # more games continue it


@pytest.mark.parametrize("content", [b"game = 3\n" * 900, b"SQLite format 3\0" * 300])
def test_other_files_are_refused_and_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises((BadDatabase, CannotWrite)), open_to_write(path, plan()):
        pass
    with pytest.raises(BadDatabase), open_to_read(path) as database:
        database.plan()
    assert path.read_bytes() == content


def test_other_peoples_databases_are_refused_and_left_alone(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE songs (name)")
    connection.commit()
    connection.close()
    before = path.read_bytes()
    with pytest.raises(BadDatabase, match="not the database of a tournament"):
        open_to_write(path, plan()).__enter__()
    assert path.read_bytes() == before


def test_two_arenas_on_one_database_are_refused(path: Path) -> None:
    with (
        open_to_write(path, plan()),
        pytest.raises(InUse, match=r"arena\.db is in use"),
        open_to_write(path, plan()),
    ):
        pass
    with open_to_write(path, plan()):  # the first one is gone
        pass


def test_a_running_tournament_can_be_read(path: Path) -> None:
    with open_to_write(path, plan()) as database:
        play(database, plan(), 3)
        with open_to_read(path) as other:
            assert len(other.outcomes()) == 3
            play(database, plan(), 1)
            assert len(other.outcomes()) == 4


def test_a_missing_database_is_not_made_by_reading(path: Path) -> None:
    with pytest.raises(BadDatabase, match="there is no"), open_to_read(path):
        pass
    assert not path.exists()


def _write_until_killed(path: Path, pipe: int) -> None:
    with open_to_write(path, plan(4, games=400)) as database:
        for _ in range(1000):
            play(database, plan(4, games=400), 1)
            os.write(pipe, b".")


def test_what_was_written_is_there_after_kill_9(path: Path) -> None:
    before = 0
    for count in (3, 17, 30):
        reader, writer = os.pipe()
        process = multiprocessing.get_context("fork").Process(
            target=_write_until_killed, args=(path, writer)
        )
        process.start()
        os.close(writer)
        promised = 0
        while promised < count:
            promised += len(os.read(reader, count - promised))
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        promised += len(os.read(reader, 10_000))
        os.close(reader)
        before += promised
        with open_to_read(path) as database:
            found = database.outcomes()
        # The last one may have been written and not yet told.
        assert before <= len(found) <= before + 1
        assert [*found] == [*range(1, len(found) + 1)]
        before = len(found)


def test_files_that_were_being_written_at_kill_9_are_removed(path: Path) -> None:
    folder = path.with_name("arena.games")
    folder.mkdir()
    for name in ("000001.match", ".000002.match.0123456789abcdef"):
        (folder / name).touch()
    with open_to_write(path, plan()):
        assert [each.name for each in folder.iterdir()] == ["000001.match"]


def test_a_full_disk_is_told_and_costs_nothing_that_was_written(path: Path) -> None:
    planned = plan(4, games=200)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with open_to_write(path, planned) as database:
        play(database, planned, 5)
        resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 5000, hard))
        try:
            with pytest.raises(CannotWrite, match=r"arena\.db cannot be written"):
                play(database, planned, 500)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
            signal.signal(signal.SIGXFSZ, before)
    with open_to_write(path, planned) as database:
        there = len(database.outcomes())
        assert there >= 5
        play(database, planned, 500)
        assert len(database.outcomes()) == there + 500


def test_formats_that_adapt_cannot_be_given_more_games(path: Path) -> None:
    swiss = plan(format=Format.SWISS, rounds=2)
    with open_to_write(path, swiss):
        pass
    with (
        pytest.raises(BadDatabase, match="another tournament"),
        open_to_write(path, plan(format=Format.SWISS, rounds=2, games=8)),
    ):
        pass


def test_a_row_that_makes_no_sense_is_told(path: Path) -> None:
    planned = plan()
    with open_to_write(path, planned) as database:
        play(database, planned, 2)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE games SET outcome = '{}' WHERE number = 2")
    connection.close()
    with open_to_read(path) as database, pytest.raises(BadDatabase, match="cannot be read"):
        database.outcomes()


def test_databases_of_different_names_have_different_folders(path: Path) -> None:
    planned = plan()
    folders = []
    for name in ("cup.db", "cup.2026", "cup.2027", "cup.games"):
        with open_to_write(path.with_name(name), planned) as database:
            folders.append(database.folder)
            assert database.folder not in database.files
    assert folders[0] == path.with_name("cup.games")
    assert len({*folders}) == len(folders)
