"""platform arena, as people run it."""

import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.support.program import PLATFORM, invoke

CUP = """\
game = "hexxagon"
games = {games}
seed = 5
concurrency = 2
[settings]
max_turns = 30
[[entrant]]
name = "Ada"
bot = 2
[[entrant]]
name = "Bo"
bot = 3
[[entrant]]
name = "Cy"
bot = 3
"""


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    path = tmp_path / "cup.toml"
    path.write_text(CUP.format(games=2))
    return path


def arena(*words: str | Path) -> "subprocess.CompletedProcess[str]":
    command = [*PLATFORM, "arena", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)


def shown(database: Path) -> dict[str, Any]:
    """The report, without what differs from run to run: times."""
    told: dict[str, Any] = orjson.loads(
        invoke("arena", "show", "--db", str(database), "--json").stdout
    )
    del told["time"]
    for game in told["games"]:
        for key in ("thinking", "seconds", "ended"):
            del game[key]
    return told


def test_a_good_file_is_summed_up(cup: Path) -> None:
    done = invoke("arena", "check", str(cup))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{cup}: ok: round robin of 3 at hexxagon, 6 games\n"


@pytest.mark.parametrize("verb", ["check", "run"])
def test_each_mistake_gets_a_line(cup: Path, verb: str) -> None:
    cup.write_text('game = "hexagon"\nseeed = 4\n')
    done = invoke("arena", verb, str(cup))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines() == [
        f"platform: {cup}:1: there is no game 'hexagon'; did you mean 'hexxagon'?",
        f"platform: {cup}:2: unknown setting 'seeed'; did you mean 'seed'?",
        f"platform: {cup}: expected [[entrant]] tables, each with a name",
    ]


def test_showing_without_a_database_says_how_to_get_one(tmp_path: Path) -> None:
    done = invoke("arena", "show", "--db", str(tmp_path / "arena.db"))
    assert done.returncode == 1
    assert "platform arena run makes one" in done.stderr


def test_a_tournament_of_bots(cup: Path, tmp_path: Path) -> None:
    database = tmp_path / "arena.db"
    done = arena("run", cup, "--db", database)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "0 of 6 games"
    assert sum(line.startswith("game ") for line in lines) == 6
    assert lines[-4].split()[:3] == ["#", "name", "games"]

    found = shown(database)
    assert found["complete"]
    assert [row["games"] for row in found["standings"]] == [4, 4, 4]
    assert found["standings"][0]["name"] == "Ada"
    for game in found["games"]:
        assert (tmp_path / "arena.games" / game["record"]).exists()

    # Two bots of one difficulty do not simply exchange their roles in the second game.
    one, two = [game for game in found["games"] if game["pairing"] == "Bo / Cy"]
    assert one["seed"] == two["seed"]
    assert one["points"] != two["points"]

    text = invoke("arena", "show", "--db", str(database)).stdout
    assert "cup: round robin of 3 at hexxagon, 6 of 6 games" in text
    assert "Encounters:" in text
    assert invoke("arena", "show", "--db", str(database), "--csv").stdout.count("\n") == 4
    page = tmp_path / "cup.html"
    assert invoke("arena", "show", "--db", str(database), "--html", str(page)).returncode == 0
    assert "<svg" in page.read_text()

    again = arena("run", cup, "--db", database)
    assert again.returncode == 0
    assert again.stdout.splitlines()[0] == "6 of 6 games"

    cup.write_text(cup.read_text().replace("seed = 5", "seed = 6"))
    other = arena("run", cup, "--db", database)
    assert other.returncode == 2
    assert "has the results of another tournament" in other.stderr


def start(cup: Path, database: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [*PLATFORM, "arena", "run", str(cup), "--db", str(database)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait_for_games(process: "subprocess.Popen[str]", count: int) -> None:
    assert process.stdout is not None
    while count:
        line = process.stdout.readline()
        assert line, "it ended too early"
        count -= line.startswith("game ")


def test_killed_again_and_again_it_ends_with_the_same_table(cup: Path, tmp_path: Path) -> None:
    cup.write_text(CUP.format(games=8))
    assert arena("run", cup, "--db", tmp_path / "straight.db").returncode == 0
    broken = tmp_path / "broken.db"
    for count in (1, 4):
        with start(cup, broken) as process:
            wait_for_games(process, count)
            os.kill(process.pid, signal.SIGKILL)
            assert process.stderr is not None
            assert process.stderr.read() == ""  # those who serve the games end as well, in silence
    assert 5 <= len(shown(broken)["games"]) < 24
    done = arena("run", cup, "--db", broken)
    assert done.returncode == 0
    assert shown(broken) == shown(tmp_path / "straight.db")


def test_ctrl_c_ends_it_and_says_how_to_go_on(cup: Path, tmp_path: Path) -> None:
    cup.write_text(CUP.format(games=40))
    with start(cup, tmp_path / "arena.db") as process:
        wait_for_games(process, 2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert f"go on with: platform arena run {cup} --db {tmp_path / 'arena.db'}\n" in err
    assert "finishing" in out
    assert not shown(tmp_path / "arena.db")["complete"]


def test_only_one_arena_plays_a_tournament(cup: Path, tmp_path: Path) -> None:
    cup.write_text(CUP.format(games=400))
    with start(cup, tmp_path / "arena.db") as process:
        wait_for_games(process, 1)
        second = arena("run", cup, "--db", tmp_path / "arena.db")
        assert second.returncode == 1
        assert "is in use: another arena plays its games" in second.stderr
        process.send_signal(signal.SIGTERM)  # gives up at once
        process.communicate(timeout=60)
    assert process.returncode == 1


def test_it_plays_on_when_nobody_reads_what_it_prints(cup: Path, tmp_path: Path) -> None:
    database = tmp_path / "arena.db"
    process = start(cup, database)
    wait_for_games(process, 1)
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait(60) == 0
    if process.stderr is not None:
        assert process.stderr.read() == ""
        process.stderr.close()
    assert shown(database)["complete"]
