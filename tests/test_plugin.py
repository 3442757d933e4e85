"""A game in a package of its own, installed beside the platform as a stranger would do it."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import orjson
import pytest
import trio

from tests.support.program import PLATFORM, running

ROOT = Path(__file__).parents[1]
PLUGIN = ROOT / "tests" / "plugin"


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package, far away from this repository."""
    folder = tmp_path_factory.mktemp("elsewhere") / "tictactoe"
    shutil.copytree(PLUGIN, folder, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    return folder


@pytest.fixture(scope="module")
def environment(source: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a process that finds the installed package."""
    site = tmp_path_factory.mktemp("site")
    options = ("--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--target", str(site))
    run(["-m", "pip", "install", "--disable-pip-version-check", *options, str(source)])
    assert (site / "tictactoe" / "py.typed").exists()
    path = os.pathsep.join(filter(None, (str(site), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path, "COLUMNS": "200"}


def run(arguments: Sequence[str], **options: object) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        **options,  # type: ignore[call-overload]
    )
    assert done.returncode == 0, done.stdout
    return str(done.stdout)


def test_the_platform_lists_an_installed_game(environment: dict[str, str]) -> None:
    said = run(["-m", "ludothek", "games"], env=environment)
    (line,) = [line.split() for line in said.splitlines() if line.startswith("tictactoe")]
    assert line[-3:] == ["1.0", "tcp", "4499"]
    assert "tictactoe" not in run(["-m", "ludothek", "games"])


async def test_bots_play_it_over_the_wire(environment: dict[str, str], tmp_path: Path) -> None:
    arguments = ("--game", "tictactoe", "--port", "0", "--move-seconds", "60")
    files = ("--control", str(tmp_path / "control"), "--state-dir", str(tmp_path))
    async with running(*arguments, *files, env=environment) as daemon:
        reports: list[dict[str, object]] = []

        async def play(*options: str) -> None:
            command = [*PLATFORM, "bot", "--game", "tictactoe", "--port", str(daemon.port)]
            call = partial(trio.run_process, capture_stdout=True, env=environment)
            reports.append(orjson.loads((await call([*command, *options])).stdout))

        with trio.fail_after(60):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(play, "--username", "Ann", "--opening", "4", "--seed", "1")
                nursery.start_soon(play, "--username", "Bob", "--difficulty", "1", "--seed", "2")
        assert await daemon.stop() == 0
    one, other = reports
    assert one["winner"] == other["winner"] != "Bob"  # the perfect player never loses
    assert [one["errors"], other["errors"]] == [0, 0]
    (line,) = (tmp_path / "results.jsonl").read_text().splitlines()
    result = orjson.loads(line)
    assert (result["game"], result["winner"]) == ("tictactoe", one["winner"])


def test_it_passes_its_own_tests_and_the_contract_suite(
    source: Path, environment: dict[str, str]
) -> None:
    said = run(["-m", "pytest", "-v", "-p", "no:cacheprovider"], env=environment, cwd=source)
    for name in ("seeded_random_play", "garbage_at_any_point", "a_match_that_a_bug_ends"):
        assert re.search(rf"TestTicTacToe::test_{name}\S* PASSED", said)


def test_it_type_checks_against_the_installed_platform(source: Path, tmp_path: Path) -> None:
    run(["-m", "mypy", "--strict", "--cache-dir", str(tmp_path)], cwd=source)
    wrong = source / "tictactoe" / "wrong.py"
    wrong.write_text("from ludothek.api import Send\n\nSend(1, 2, 3)\n")
    with pytest.raises(AssertionError, match="Too many arguments"):
        run(["-m", "mypy", "--strict", "--cache-dir", str(tmp_path)], cwd=source)
    wrong.unlink()


def test_it_imports_only_what_games_may_import() -> None:
    text = "".join(path.read_text() for path in PLUGIN.rglob("*.py"))
    imported = set(re.findall(r"^(?:from|import) (ludothek\S*|transports\S*|games\S*)", text, re.M))
    assert {name for name in imported if not name.startswith("ludothek.testing.")} == {
        "ludothek",
        "ludothek.api",
    }
    core = "".join(path.read_text() for path in (PLUGIN / "tictactoe").rglob("*.py"))
    assert "ludothek.testing" not in core
