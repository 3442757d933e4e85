"""platform check, as people type it."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner, Result

from ludothek.cli.commands import cli
from tests.check.checking import CLIENT

PROGRAM = (sys.executable, "-m", "ludothek", "check", "--game", "hexxagon")


def check(*words: str) -> Result:
    return CliRunner().invoke(cli, ["check", *words])


def client(kind: str) -> tuple[str, ...]:
    return ("--", sys.executable, str(CLIENT), kind, "{host}", "{port}", "{lobby}", "{name}")


def test_all_situations_are_listed_and_those_that_a_protocol_lacks() -> None:
    result = check("--game", "hexxagon", "--list", "--json")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    names = [each["name"] for each in found["situations"]]
    assert {"match-random", "opponent-leaves", "longest-list"} <= {*names}
    assert "server-pauses" in found["absent"]
    assert "server-pauses" not in names


def test_an_unknown_situation_is_refused_with_the_nearest_one() -> None:
    result = check("--game", "hexxagon", "--only", "oponent-leaves")
    assert "opponent-leaves" in str(result.exception)


def test_a_situation_that_the_protocol_lacks_is_refused_with_the_reason() -> None:
    result = check("--game", "hexxagon", "--only", "server-pauses")
    assert "no pause" in str(result.exception)


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *words], capture_output=True, text=True, timeout=120, check=False
    )


def test_a_good_client_is_worth_exit_code_0_and_three_reports(tmp_path: Path) -> None:
    page, junit = tmp_path / "page.html", tmp_path / "junit.xml"
    files = ("--html", str(page), "--junit", str(junit))
    done = run("--only", "long-names", "--json", *files, *client("good"))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["passed"] is True
    assert page.read_text().startswith("<!DOCTYPE html>")
    assert junit.read_bytes().startswith(b"<?xml")


def test_a_broken_clause_is_worth_exit_code_1() -> None:
    done = run("--only", "long-names", *client("careless"))
    assert done.returncode == 1, done.stderr
    assert "3.3.13.2 broken" in done.stdout


def test_a_command_that_cannot_be_started_is_told() -> None:
    done = run("--only", "long-names", "--", "./no-such-client")
    assert done.returncode == 1, done.stderr
    assert "cannot be started" in done.stdout


def test_an_interrupted_check_reports_what_it_has() -> None:
    words = ("--only", "long-names", "--only", "opponent-is-slow")
    with subprocess.Popen(
        [*PROGRAM, *words, *client("good")],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdout is not None
        assert "long-names" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        text = process.stdout.read()
        assert process.wait(timeout=60) == 1
    assert "interrupted" in text
    assert "situations: 1 of 1 passed" in text
