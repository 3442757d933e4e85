"""platform check, as people type it."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from click.testing import CliRunner, Result

from ludothek.cli.commands import cli
from tests.check.checking import CLIENT

PROGRAM = (sys.executable, "-m", "ludothek", "check", "--game", "hexxagon")

SHORT = ("--only", "long-names")


@pytest.fixture(autouse=True)
def log() -> Iterator[None]:
    """As loud as before: a check is quiet."""
    before = structlog.get_config()
    yield
    structlog.configure(**before)


def check(*words: str) -> Result:
    return CliRunner().invoke(cli, ["check", "--game", "hexxagon", *words])


def client(kind: str) -> tuple[str, ...]:
    return ("--", sys.executable, str(CLIENT), kind, "{host}", "{port}", "{lobby}", "{name}")


def test_all_situations_are_listed_and_those_that_a_protocol_lacks() -> None:
    result = check("--list", "--json")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    names = [each["name"] for each in found["situations"]]
    assert {"match-random", "opponent-leaves", "longest-list"} <= {*names}
    assert "server-pauses" in found["absent"]
    assert "server-pauses" not in names


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--only", "oponent-leaves"), "did you mean 'opponent-leaves'?"),
        (("--only", "server-pauses"), "the protocol has no pause"),
        (("--host", "203.0.113.5"), "cannot wait for a client at 203.0.113.5 port 0: "),
        (("--seat", "3"), "match-random has 2 seats, not 3"),
        (("--junit", "/no/such/folder/report.xml"), "/no/such/folder/report.xml cannot be written"),
        (("--", "./no-such-client"), "there is no file no-such-client"),
        (("--", "no-such-client"), "there is no program 'no-such-client'"),
        (("--", sys.executable, "{prt}"), "{prt} is unknown; did you mean 'port'?"),
    ],
)
def test_mistakes_are_told_before_anything_is_started(
    words: tuple[str, ...], complaint: str
) -> None:
    assert complaint in str(check(*words).exception)


def test_a_port_that_is_taken_is_told_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = str(check("--port", str(port)).exception)
    assert f"cannot wait for a client at 127.0.0.1 port {port}: Address already in use" in said


def test_a_good_client_is_worth_exit_code_0_and_three_reports(tmp_path: Path) -> None:
    page, junit = tmp_path / "page.html", tmp_path / "junit.xml"
    files = ("--html", str(page), "--junit", str(junit))
    done = check(*SHORT, "--json", *files, *client("good"))
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["passed"] is True
    assert page.read_text().startswith("<!DOCTYPE html>")
    assert junit.read_bytes().startswith(b"<?xml")


def test_a_broken_clause_is_worth_exit_code_1() -> None:
    done = check(*SHORT, *client("careless"))
    assert done.exit_code == 1, done.output
    assert "3.3.13.2 broken" in done.stdout


def test_a_program_that_cannot_be_started_is_worth_exit_code_2(tmp_path: Path) -> None:
    program = tmp_path / "client"
    program.write_text("#!/no/such/interpreter\n")
    program.chmod(0o755)
    done = check("--", str(program))
    assert done.exit_code == 2
    assert "cannot be started" in done.stdout
    assert "situations: 0 of 1 passed; ended early" in " ".join(done.stdout.split())


def test_an_interrupted_check_reports_what_it_has() -> None:
    with subprocess.Popen(
        [*PROGRAM, *SHORT, "--only", "opponent-is-slow", *client("good")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdout is not None
        assert "long-names" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        text = " ".join(process.stdout.read().split())
        assert process.wait(timeout=60) == 1
    assert "situations: 1 of 1 passed; ended early" in text
