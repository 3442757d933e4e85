"""What is built says which source it is made of, and brings along what an administrator needs."""

import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from click.testing import CliRunner

from ludothek import __version__
from ludothek.cli import shipped
from ludothek.cli.commands import cli
from ludothek.settings import config_file as config
from tests.support.building import ROOT, build, copy_source, hatch


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A copy of all that is built, without a repository."""
    return copy_source(tmp_path / "source")


def git(directory: Path, *words: str) -> str:
    who = ("-c", "user.name=Test", "-c", "user.email=test@example.org")
    done = subprocess.run(
        ["git", *who, *words], cwd=directory, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def commit(directory: Path) -> str:
    git(directory, "add", "--all")
    git(directory, "commit", "--quiet", "--allow-empty", "--message", "more")
    return git(directory, "rev-parse", "HEAD")[:9]


def version_of(directory: Path) -> str:
    return hatch(directory, "version")


def test_every_commit_has_a_version_of_its_own(source: Path) -> None:
    git(source, "init", "--quiet")
    first = commit(source)
    assert version_of(source) == f"0.1.dev1+g{first}"
    second = commit(source)
    assert version_of(source) == f"0.1.dev2+g{second}"
    git(source, "tag", "v1.2")
    assert version_of(source) == "1.2"
    third = commit(source)
    assert version_of(source) == f"1.3.dev1+g{third}"


def test_an_archive_knows_its_commit_and_a_bare_copy_can_be_built(
    source: Path, tmp_path: Path
) -> None:
    assert version_of(source) == "0.0"
    shutil.copy(ROOT / ".gitattributes", source)
    git(source, "init", "--quiet")
    first = commit(source)
    git(source, "archive", "--output", str(tmp_path / "archive.tar"), "HEAD")
    shutil.unpack_archive(tmp_path / "archive.tar", tmp_path / "archive")
    assert version_of(tmp_path / "archive") == f"0.0+g{first}"


def test_what_is_built_of_a_source_distribution_has_its_version(
    source: Path, tmp_path: Path
) -> None:
    git(source, "init", "--quiet")
    commit(source)
    git(source, "tag", "v3.1")
    shutil.unpack_archive(build(source, "sdist"), tmp_path / "unpacked")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    wheel = build(unpacked, "wheel")
    assert wheel.name == "ludothek-3.1-py3-none-any.whl"


def test_a_wheel_is_enough_for_an_administrator(source: Path, tmp_path: Path) -> None:
    git(source, "init", "--quiet")
    commit(source)
    git(source, "tag", "v2.0")
    zipfile.ZipFile(build(source, "wheel")).extractall(tmp_path / "site")

    def run(*words: str) -> str:
        # Nothing of the source around this test: only what the wheel has brought.
        command = [sys.executable, "-c", "from ludothek.__main__ import main; main()", *words]
        environment = {"PYTHONPATH": str(tmp_path / "site"), "HOME": str(tmp_path)}
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, check=True, capture_output=True, text=True
        )
        return done.stdout

    assert run("--version").endswith(" 2.0\n")
    assert run("config", "--example") == (ROOT / "config" / "platform.toml").read_text()
    run("config", "--files", "files")
    for folder in ("config", "deploy"):
        wanted = {path.relative_to(ROOT) for path in (ROOT / folder).rglob("*")}
        files = tmp_path / "files"
        assert {path.relative_to(files) for path in (files / folder).rglob("*")} == wanted
    assert (tmp_path / "files" / "install.md").read_text() == (
        ROOT / "docs" / "install.md"
    ).read_text()
    assert (tmp_path / "files" / "requirements.lock").exists()


def test_the_program_that_is_installed_tells_its_version() -> None:
    said = CliRunner().invoke(cli, ["--version"]).output
    assert said == f"platform, version {__version__}\n"


# The example


@pytest.mark.parametrize("game", ["hexxagon", "penguins", "qwirkle", "roborally", "quidditch"])
def test_the_example_can_be_had_for_one_game(game: str, tmp_path: Path) -> None:
    said = CliRunner().invoke(cli, ["config", "--example", "--game", game])
    assert said.exit_code == 0
    (tmp_path / "one.toml").write_text(said.output)
    (host,) = config.read(tmp_path / "one.toml").hosts
    assert host.game.name == game
    whole = next(
        each
        for each in config.read(ROOT / "config" / "platform.toml").hosts
        if each.game.name == game
    )
    assert (host.settings, host.limits) == (whole.settings, whole.limits)


def test_an_example_for_no_game_is_refused() -> None:
    said = CliRunner().invoke(cli, ["config", "--example", "--game", "hexagon"])
    assert "hexxagon" in str(said.exception)
    assert CliRunner().invoke(cli, ["config"]).exit_code == 2


def test_files_are_found_in_the_source_too() -> None:
    assert shipped.find("deploy") == ROOT / "deploy"


# The lock file


def locked() -> dict[str, str]:
    text = (ROOT / "requirements.lock").read_text()
    assert "://" not in text  # wherever an administrator gets packages from
    entries = re.findall(
        r"^([\w.-]+)==(\S+)[^\n]*\\\n((?: +--hash=sha256:\w{64}[ \\]*\n)+)", text, re.M
    )
    assert len(entries) == len(re.findall("==", re.sub(" ;.*", "", text)))
    return {name: version for name, version, _ in entries}


def parts(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)]


def test_the_lock_file_has_what_the_program_needs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    found = locked()
    for need in project["dependencies"]:
        name, _, least = need.partition(">=")
        assert name in found, f"make lock: {name} is missing"
        assert parts(found[name]) >= parts(least), f"make lock: {name} is too old"


def needs(package: str) -> set[str]:
    """What a package asks for on some machine or other, without its extras."""
    try:
        wanted = metadata.requires(package) or []
    except metadata.PackageNotFoundError:
        return set()  # not needed on this machine
    names = {re.split(r"[^\w.-]", need)[0] for need in wanted if "extra ==" not in need}
    return {re.sub("[-_.]+", "-", name).lower() for name in names}


def test_the_lock_file_has_nothing_that_the_program_does_not_need() -> None:
    found: set[str] = set()
    new = needs("ludothek")
    while new:
        found |= new
        new = set().union(*map(needs, new)) - found
    assert locked().keys() <= found, "make lock"
