"""What the log says of a crash is short, and keeps secrets; the journal knows what is urgent."""

import json
import logging
import math
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO, cast
from unittest.mock import patch

import attrs
import pytest
import structlog

from ludothek.observe import log
from tests.support.program import invoke


@pytest.mark.parametrize("style", ["console", "json"])
def test_a_traceback_tells_no_values(
    style: log.LogFormat, capsys: pytest.CaptureFixture[str]
) -> None:
    before = structlog.get_config()
    log.setup(style)
    try:
        password = "s3cret".upper()
        assert password / 2  # type: ignore[operator]
    except TypeError as bug:
        structlog.get_logger().error("crashed", exc_info=bug)
    finally:
        structlog.configure(**before)
    said = capsys.readouterr().err
    assert "TypeError" in said
    assert "S3CRET" not in said


@pytest.fixture
def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator["Journal"]:
    before = structlog.get_config()
    with (tmp_path / "journal").open("w") as file:
        yield Journal(file, monkeypatch)
    monkeypatch.undo()
    log.setup("console")  # libraries too
    structlog.configure(**before)


@attrs.frozen
class Journal:
    """A file in the place of the journal's socket."""

    file: TextIO
    patch: pytest.MonkeyPatch

    def setup(self, style: log.LogFormat) -> None:
        """Log into it, as a service does."""
        found = os.fstat(self.file.fileno())
        self.patch.setattr(sys, "stderr", self.file)
        self.patch.setenv("JOURNAL_STREAM", f"{found.st_dev}:{found.st_ino}")
        log.setup(style)

    def lines(self) -> list[str]:
        self.file.flush()
        return Path(self.file.name).read_text().splitlines()


def say_everything() -> None:
    logger = structlog.get_logger()
    logger.info("a client has come")
    logger.warning("a client is rude")
    logger.error("a lobby crashed")
    logging.getLogger("library").warning("something is odd")


def test_the_journal_is_told_how_urgent_a_line_is(journal: Journal) -> None:
    journal.setup("json")
    say_everything()
    lines = journal.lines()
    assert [line[:3] for line in lines] == ["<6>", "<4>", "<3>", "<4>"]
    assert [json.loads(line[3:])["event"] for line in lines] == [
        *("a client has come", "a client is rude", "a lobby crashed", "something is odd"),
    ]


def test_the_journal_is_told_so_for_every_line_of_a_traceback(journal: Journal) -> None:
    journal.setup("console")
    try:
        raise RuntimeError("odd")
    except RuntimeError as bug:
        structlog.get_logger().error("crashed", exc_info=bug)
    lines = journal.lines()
    assert len(lines) > 3
    assert {line[:3] for line in lines} == {"<3>"}


def test_the_journal_is_told_of_a_bad_end(journal: Journal) -> None:
    journal.setup("json")
    assert json.loads(log.last_words("no").removeprefix("<3>"))["problem"] == "no"
    journal.setup("console")
    assert log.last_words("no") == "<3>platform: no"


def test_the_journal_is_told_of_lost_lines(journal: Journal) -> None:
    journal.setup("json")
    with patch.object(log, "Lines") as made, log.written_aside("json"):
        tell_lost = made.call_args.kwargs["note"]
        assert tell_lost(3).startswith(b'<4>{"event":"lines of the log were lost"')
    log._Stderr.lines = None


def test_nobody_else_is_told(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    journal.setup("json")
    monkeypatch.setenv("JOURNAL_STREAM", "8:1")  # a shell has sent stderr somewhere else
    log.setup("json")
    say_everything()
    assert all(line.startswith("{") for line in journal.lines())
    assert log.last_words("no").startswith("{")


@pytest.mark.parametrize("style", ["console", "json"])
def test_what_an_exception_quotes_is_not_obeyed(
    style: log.LogFormat, capsys: pytest.CaptureFixture[str]
) -> None:
    before = structlog.get_config()
    log.setup(style)
    try:
        raise ValueError("Eve\x1b[31m\x9b31m\u202egnp.exe")
    except ValueError as bug:
        structlog.get_logger().error("crashed", names=["Eve\x9b\u202e"], exc_info=bug)
    finally:
        structlog.configure(**before)
    said = capsys.readouterr().err
    assert "gnp.exe" in said
    assert all(line.isprintable() for line in said.split("\n"))


@pytest.mark.parametrize("name", ["Eve", "half a character: \ud800", "NaN", "\x1b[31m\u202e\x9b"])
@pytest.mark.parametrize("number", [math.nan, -math.inf, 1.5, 2**64, -(10**30), None, True])
def test_whatever_a_line_says_it_is_one_line_of_json(
    name: str, number: object, journal: Journal
) -> None:
    journal.setup("json")
    structlog.get_logger().info("said", name=name, inner={"numbers": [number], "names": [name]})
    (line,) = journal.lines()
    assert line.isprintable()

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    entry = json.loads(line.removeprefix("<6>"), parse_constant=refuse)
    known = number is None or isinstance(number, int) or math.isfinite(cast("float", number))
    assert entry["inner"] == {"numbers": [number if known else None], "names": [name]}


def test_lines_have_the_time_whichever_way_the_clock_goes(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal.setup("json")
    said = []
    for nanoseconds in (1_999_999_999, 2_000_000_000, 2_000_001_000, 1_000_000_500, -1):
        monkeypatch.setattr(log, "time_ns", lambda now=nanoseconds: now)
        structlog.get_logger().info("tick")
        said.append(json.loads(journal.lines()[-1].removeprefix("<6>"))["timestamp"])
    assert said == [
        "1970-01-01T00:00:01.999999Z",
        "1970-01-01T00:00:02.000000Z",
        "1970-01-01T00:00:02.000001Z",
        "1970-01-01T00:00:01.000000Z",
        "1969-12-31T23:59:59.999999Z",
    ]


def test_a_command_without_a_log_speaks_to_people_whatever_came_before() -> None:
    before = structlog.get_config()
    log.setup("json")
    structlog.configure(**before)
    assert invoke("check-config", "/nonexistent").stderr.startswith("platform: ")
