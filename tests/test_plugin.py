"""A game in a package of its own, installed beside the platform as a stranger would do it."""

import re
import shutil
import subprocess
import sysconfig
import venv
import zipfile
from pathlib import Path
from typing import Any, get_args

import attrs
import orjson
import pytest
import trio

import ludothek.api
from ludothek.contract.clauses import Consequence
from ludothek.contract.effects import Effect
from ludothek.contract.orders import Order
from tests.support.building import ROOT, build, copy_source
from tests.support.program import running

PLUGIN = ROOT / "tests" / "plugin"


@attrs.frozen
class Elsewhere:
    """An environment with both packages, and nothing of this repository in it."""

    python: Path
    source: Path  # of the game

    def run(self, *arguments: str) -> str:
        done = subprocess.run(
            [self.python, "-m", *arguments],
            cwd=self.source,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=self.environment,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    @property
    def environment(self) -> dict[str, str]:
        return {"COLUMNS": "200", "HOME": str(self.source)}


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Elsewhere:
    folder = tmp_path_factory.mktemp("elsewhere")
    venv.create(folder / "venv", symlinks=True)
    (site,) = (folder / "venv" / "lib").glob("python*/site-packages")
    source = folder / "tictactoe"
    shutil.copytree(PLUGIN, source, ignore=shutil.ignore_patterns("__pycache__", ".*", "dist"))
    for project in (copy_source(folder / "platform"), source):
        zipfile.ZipFile(build(project, "wheel")).extractall(site)  # all that an installer does
    # What both need, but for the platform itself: there it is only a path to this repository.
    (site / "needs.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    return Elsewhere(folder / "venv" / "bin" / "python", source)


def test_both_come_with_their_types(elsewhere: Elsewhere) -> None:
    (site,) = (elsewhere.python.parents[1] / "lib").glob("python*/site-packages")
    packages = sorted(path.parent.name for path in site.glob("*/py.typed"))
    assert packages == ["games", "ludothek", "tictactoe", "transports"]
    said = elsewhere.run("ludothek", "--version")
    assert said == "platform, version 0.0\n"  # not that of this repository


def test_the_platform_lists_an_installed_game(elsewhere: Elsewhere) -> None:
    said = elsewhere.run("ludothek", "games")
    (line,) = [line.split() for line in said.splitlines() if line.startswith("tictactoe")]
    assert line[-3:] == ["1.0", "tcp", "4499"]


async def test_bots_play_it_over_the_wire(elsewhere: Elsewhere, tmp_path: Path) -> None:
    platform = (str(elsewhere.python), "-m", "ludothek")
    options: dict[str, Any] = {"env": elsewhere.environment, "cwd": elsewhere.source}
    arguments = ("--game", "tictactoe", "--port", "0", "--move-seconds", "60")
    files = ("--control", str(tmp_path / "control"), "--state-dir", str(tmp_path))
    reports: list[dict[str, object]] = []

    async def play(port: int, *words: str) -> None:
        command = [*platform, "bot", "--game", "tictactoe", "--port", str(port), *words]
        done = await trio.run_process(command, capture_stdout=True, **options)
        reports.append(orjson.loads(done.stdout))

    async with running(*arguments, *files, program=platform, **options) as daemon:
        with trio.fail_after(60):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(play, daemon.port, "--username", "Ann", "--opening", "4")
                nursery.start_soon(play, daemon.port, "--username", "Bob", "--difficulty", "1")
        assert await daemon.stop() == 0
    one, other = reports
    assert one["winner"] == other["winner"] != "Bob"  # the perfect player never loses
    assert [one["errors"], other["errors"]] == [0, 0]
    (line,) = (tmp_path / "results.jsonl").read_text().splitlines()
    result = orjson.loads(line)
    assert (result["game"], result["winner"]) == ("tictactoe", one["winner"])


def test_it_passes_its_own_tests_and_the_contract_suite(elsewhere: Elsewhere) -> None:
    said = elsewhere.run("pytest", "-v", "-p", "no:cacheprovider")
    for name in ("seeded_random_play", "garbage_at_any_point", "a_match_that_a_bug_ends"):
        assert re.search(rf"TestTicTacToe::test_{name}\S* PASSED", said)


def test_it_type_checks_against_the_installed_platform(
    elsewhere: Elsewhere, tmp_path: Path
) -> None:
    check = ("mypy", "--strict", "--cache-dir", str(tmp_path))
    elsewhere.run(*check)
    wrong = elsewhere.source / "tictactoe" / "wrong.py"
    wrong.write_text("from ludothek.api import Send\n\nSend(1, 2, 3)\n")
    with pytest.raises(AssertionError, match="Too many arguments"):
        elsewhere.run(*check)
    wrong.unlink()


def test_it_imports_only_what_games_may_import() -> None:
    text = "".join(path.read_text() for path in (PLUGIN / "tictactoe").rglob("*.py"))
    core = r"^(?:from|import) ((?:ludothek|transports|games)\b\S*)"
    assert set(re.findall(core, text, re.M)) == {"ludothek", "ludothek.api"}


def test_the_documentation_shows_real_code() -> None:
    text = (ROOT / "docs" / "adding-a-game.md").read_text()
    shown = re.findall(r"^```(?:python|toml)\n(.*?)^```$", text, re.M | re.S)
    files = [path for path in PLUGIN.rglob("*") if path.suffix in (".py", ".toml")]
    source = [path.read_text() for path in files]
    assert len(shown) > 10
    assert [code for code in shown if not any(code in each for each in source)] == []


def test_the_documentation_names_what_there_is() -> None:
    text = (ROOT / "docs" / "adding-a-game.md").read_text()
    named = set(re.findall(r"`([A-Z][A-Za-z]+)(?:\(.*?\))?`", text))
    own = {"Visitor", "Admission", "Settings", "Knowledge", "Match", "GAME", "None", "RUNNING"}
    own |= {"PAUSED", "ENDED", "Peer", "Recipe", "CLAUSES"} | {each.name for each in Consequence}
    assert named - own - {*vars(ludothek.api)} == set()
    documented = {each.__name__ for each in get_args(Effect) + get_args(Order)}
    assert documented - named == set()
