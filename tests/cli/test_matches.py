"""platform matches as a user calls it."""

import gzip
import json
import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import orjson

from ludothek.runtime.record import Record
from ludothek.runtime.rerun import Beginning
from ludothek.storage.match_files import match_name
from tests.support.program import invoke
from tests.support.records import record_match

NOON = datetime(2026, 11, 18, 12, 0, tzinfo=UTC)
EVIL = "Eve\x1b[31m"


def add(state: Path, minute: int, game: str = "hexxagon", *names: str, **facts: Any) -> Path:
    """Keep a record without notes."""
    names = names or ("Ann", "Bob")
    date = NOON + timedelta(minutes=minute)
    players = [
        {"name": name, "seat": n, "score": 10 * n, "rank": n} for n, name in enumerate(names, 1)
    ]
    about = {
        "game": game,
        "time": date,
        "endpoint": game,
        "lobby": f"lobby {minute}",
        "players": players,
        "winner": names[0],
        "reason": "regular",
        "moves": 5,
        "seconds": 2.5,
        **facts,
    }
    beginning = Beginning(lobby="", seed=1, time=0.0, date=0.0, recipe=b"null", introduced={})
    path = (
        state / "matches" / match_name(date, game, f"lobby {minute}", ["192.0.2.1"], "k3v7q2xm7p")
    )
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(Record(about=about, beginning=beginning, notes=[], digest=1).write())
    return path


def listed(state: Path, *arguments: str) -> Any:
    done = invoke("matches", "--state-dir", str(state), "--json", *arguments)
    assert done.returncode == 0
    return json.loads(done.stdout)


def test_the_newest_match_comes_first(tmp_path: Path) -> None:
    for minute in (2, 1, 3):
        add(tmp_path, minute)
    done = invoke("matches", "--state-dir", str(tmp_path))
    assert done.returncode == 0
    assert done.stderr == ""
    header, *rows = done.stdout.splitlines()
    assert header.split() == [
        *("TIME", "GAME", "LOBBY", "PLAYERS", "WINNER", "REASON", "MOVES", "SECONDS", "RECORD")
    ]
    assert [row[:19] for row in rows] == [f"2026-11-18 12:0{minute}:00" for minute in (3, 2, 1)]
    assert "Ann 10, Bob 20" in rows[0]
    assert rows[0].endswith("20261118-120300-000000")


def test_the_document_has_everything(tmp_path: Path) -> None:
    file = record_match(tmp_path)
    (match,) = listed(tmp_path)
    assert match["record"] == file.name
    assert (match["game"], match["reason"], match["moves"]) == ("hexxagon", "regular", 10)
    assert [each["name"] for each in match["players"]] == ["Player0", "Player1"]
    assert match["players"][0].keys() == {"name", "seat", "score", "rank"}
    line = orjson.loads((tmp_path / "results.jsonl").read_bytes())
    assert {key: match[key] for key in line} == line


def test_games_players_and_the_last_ones_can_be_chosen(tmp_path: Path) -> None:
    add(tmp_path, 1, "hexxagon", "Ann", "Bob")
    add(tmp_path, 2, "penguins", "ann", "Eve")
    add(tmp_path, 3, "penguins", "Bob", "Eve")

    def lobbies(*arguments: str) -> list[str]:
        return [match["lobby"] for match in listed(tmp_path, *arguments)]

    assert lobbies("--game", "penguins") == ["lobby 3", "lobby 2"]
    assert lobbies("--player", "Ann") == ["lobby 2", "lobby 1"]
    assert lobbies("--player", "An") == []
    assert lobbies("--game", "penguins", "--player", "Ann") == ["lobby 2"]
    assert lobbies("--last", "2") == ["lobby 3", "lobby 2"]
    assert lobbies("--last", "1", "--player", "Ann") == ["lobby 2"]


def test_what_is_no_record_is_skipped_with_one_warning(tmp_path: Path) -> None:
    add(tmp_path, 1)
    cut, odd, wrong = (add(tmp_path, minute) for minute in (2, 3, 4))
    cut.write_bytes(b"\x1f\x8b cut off")
    odd.write_bytes(gzip.compress(b'{"format":"ludothek match 1"}\n'))
    wrong.write_bytes(gzip.compress(b'{"format":"ludothek match 1","time":"x","players":3}\n'))
    add(tmp_path, 5, players=[{"name": "Ann"}])
    add(tmp_path, 6).unlink()
    (tmp_path / "matches" / ".20261118-hidden.match").touch()
    (tmp_path / "matches" / "notes.txt").touch()
    done = invoke("matches", "--state-dir", str(tmp_path))
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 2
    (warning,) = done.stderr.splitlines()
    assert warning.startswith("skipped what is no record: 20261118-120500")
    assert warning.endswith("and 3 more")


def test_a_terminal_obeys_no_name(tmp_path: Path) -> None:
    add(tmp_path, 1, "hexxagon", EVIL, "Bob")
    for form in ((), ("--json",)):
        done = invoke("matches", "--state-dir", str(tmp_path), *form)
        assert "\x1b" not in done.stdout


def test_two_that_ended_at_once_have_their_full_names(tmp_path: Path) -> None:
    files = [add(tmp_path, 1, game) for game in ("hexxagon", "penguins")]
    rows = invoke("matches", "--state-dir", str(tmp_path)).stdout.splitlines()[1:]
    assert {row.split()[-1] for row in rows} == {file.name for file in files}


def test_where_nothing_is_recorded_one_is_told_where_that_would_be(tmp_path: Path) -> None:
    done = invoke("matches", "--state-dir", str(tmp_path))
    assert done.returncode == 0
    assert done.stderr == f"no such matches in {tmp_path / 'matches'}\n"
    assert listed(tmp_path) == []


def test_thousands_are_listed_quickly(tmp_path: Path) -> None:
    """Nothing but the first line of each is read."""
    first = add(tmp_path, 0)
    for minute in range(1, 1000):
        os.link(
            first,
            first.with_name(
                match_name(NOON + timedelta(minutes=minute), "x", "y", "", "k3v7q2xm7p")
            ),
        )
    started = time.process_time()
    assert len(listed(tmp_path)) == 1000
    assert time.process_time() - started < 2
