"""platform wire as a user calls it."""

import json
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from ludothek.cli.commands import cli, main
from ludothek.wire import tail
from tests.support.program import PLATFORM

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

EVIL = "Eve\x1b[31m\x9b\u202e"


def entry(minute: int, **fields: Any) -> bytes:
    when = f"2026-11-16T14:{minute:02}:00.250000Z"
    return json.dumps({"time": when, **fields}, ensure_ascii=False).encode() + b"\n"


def frame(minute: int, number: int, name: str, way: str, text: str, lobby: str | None) -> bytes:
    who = {"client": number, "key": f"key{number}", "name": name, "peer": "127.0.0.1:5"}
    return entry(minute, **who, lobby=lobby, dir=way, frame=text)


LOG = b"".join(
    [
        entry(0, note="on", endpoint="hexxagon", version="1"),
        frame(1, 1, "Ann", "in", '{"a":1}', None),
        frame(2, 1, "Ann", "out", '{"b":[1,2]}', "red"),
        frame(3, 2, EVIL, "in", "<move><from x='1'/></move>", "red"),
        frame(4, 2, EVIL, "out", "not \x07 readable", "blue"),
        b'half a line {"time"\n',
        entry(5, note="lost", lines=7),
        entry(6, client=1, key="key1", name="Ann", peer="p", lobby=None, dir="in", base64="/2E="),
        b"\xff\x1b[2J\n",
        b"[]\n",
        b'{"time":"0001-01-01T00:00:00+14:00","note":"too early"}\n',
        b'{"time":3}\n',
        entry(7, client=1, key="key1", name="Ann", peer="p", lobby=None, note="gone"),
    ]
)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.jsonl"
    path.write_bytes(LOG)
    return path


BREACH = {"note": "struck", "clause": "3.2.2.1", "pointer": "/lobbyId", "expected": "a UUID"}


def test_a_clause_that_was_broken_is_shown_under_the_frame(tmp_path: Path) -> None:
    who = {"client": 1, "key": "key1", "name": "Ann", "peer": "p", "lobby": None}
    limit = {"note": "kicked", "clause": "ours.silent", "came": "no message for too long"}
    path = tmp_path / "log.jsonl"
    path.write_bytes(
        frame(1, 1, "Ann", "in", '{"lobbyId":"7"}', None)
        + entry(1, **who, **BREACH, came="'7'")
        + entry(2, **who, **limit)
    )
    sent, struck, kicked = wire(path)
    assert sent.endswith('#1 Ann → {"lobbyId":"7"}')
    assert struck.endswith("#1 Ann · struck 3.2.2.1 /lobbyId: expected a UUID; came '7'")
    assert kicked.endswith("#1 Ann · kicked ours.silent no message for too long")


def wire(*words: object, code: int = 0, stdin: bytes | None = None) -> list[str]:
    result = CliRunner().invoke(cli, ["wire", *map(str, words)], input=stdin)
    assert result.exit_code == code, result.output
    return result.output.splitlines()


def minutes(lines: list[str]) -> list[int]:
    """Of those lines that are not broken."""
    return [datetime.fromisoformat(line[:23]).minute for line in lines if line[0] != "?"]


def test_everything_in_a_form_for_people(log: Path) -> None:
    assert wire(log) == [
        "2026-11-16 14:00:00.250 log · on endpoint=hexxagon version=1",
        '2026-11-16 14:01:00.250 #1 Ann → {"a":1}',
        '2026-11-16 14:02:00.250 #1 Ann [red] ← {"b":[1,2]}',
        r"2026-11-16 14:03:00.250 #2 Eve\x1b[31m\x9b\u202e [red] → <move><from x='1'/></move>",
        r"2026-11-16 14:04:00.250 #2 Eve\x1b[31m\x9b\u202e [blue] ← not \x07 readable",
        '? half a line {"time"',
        "2026-11-16 14:05:00.250 log · lost lines=7",
        r"2026-11-16 14:06:00.250 #1 Ann → \xffa",
        r"? \xff\x1b[2J",
        "? []",
        '? {"time":"0001-01-01T00:00:00+14:00","note":"too early"}',
        '? {"time":3}',
        "2026-11-16 14:07:00.250 #1 Ann · gone",
    ]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["--client", "1"], [0, 1, 2, 5, 6, 7]),
        (["--client", "Ann"], [0, 1, 2, 5, 6, 7]),
        (["--client", "key2"], [0, 3, 4, 5]),
        (["--client", "1", "--client", "2"], [0, 1, 2, 3, 4, 5, 6, 7]),
        (["--client", "nobody"], [0, 5]),
        (["--lobby", "red"], [0, 2, 3, 5]),
        (["--lobby", "red", "--client", "2"], [0, 3, 5]),
        (["--in"], [1, 3, 6]),
        (["--out"], [2, 4]),
        (["--in", "--out"], [1, 2, 3, 4, 6]),
        (["--since", "14:05"], [5, 6, 7]),
        (["--since", "2026-11-16T14:05:00"], [5, 6, 7]),
        (["--since", "2026-11-16T15:05:00+01:00"], [5, 6, 7]),
        (["--since", "2026-11-17"], []),
        (["--until", "14:01:30"], [0, 1]),
        (["--since", "14:02", "--until", "14:05"], [2, 3, 4]),
        (["--grep", '[ab]"?:'], [1, 2]),
        (["--grep", "^<move"], [3]),
        (["--in", "--grep", "a"], [1, 6]),
    ],
)
def test_only_what_is_wanted(log: Path, words: list[str], found: list[int]) -> None:
    assert minutes(wire(log, *words)) == found


def test_frames_over_several_lines(log: Path) -> None:
    lines = wire(log, "--pretty", "--client", "1", "--out")
    assert lines[0].endswith("#1 Ann [red] ←")
    assert json.loads("".join(lines[1:])) == {"b": [1, 2]}
    assert len(lines) > 4
    assert [line.strip() for line in wire(log, "--pretty", "--client", "2", "--in")[1:]] == [
        "<move>",
        '<from x="1"/>',
        "</move>",
    ]
    (unreadable,) = wire(log, "--pretty", "--client", "2", "--out")
    assert unreadable.endswith(r"← not \x07 readable")


def test_deep_frames_are_shown_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(frame(1, 1, "", "in", "[" * 100_000, None))
    (line,) = wire(path, "--pretty")
    assert line.endswith("[[[[")


def test_lines_as_they_are_for_other_programs(log: Path) -> None:
    lines = wire(log, "--raw", "--client", "2", "--in")
    assert [json.loads(line)["name"] for line in lines] == [EVIL]


def test_several_files_and_standard_input(log: Path) -> None:
    assert len(wire(log, log)) == 2 * len(wire(log))
    assert wire("-", stdin=LOG) == wire(log)
    assert wire("-", stdin=b"") == []


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["/no/such/file"],
        ["/"],
        ["/dev/null", "--grep", "("],
        ["/dev/null", "--since", "yesterday"],
        ["/dev/null", "--until", "0001-01-01"],
        ["/dev/null", "--wrong"],
    ],
)
def test_mistakes_are_told_in_one_line(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["platform", "wire", *words])
    with pytest.raises(SystemExit, match="2"):
        main()
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert said.err.startswith("platform: ")


def test_a_terminal_without_arrows(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "latin-1")
    command = [*PLATFORM, "wire", str(log), "--in", "--client", "2"]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert r" [red] \u2192 <move>" in said.stdout


def test_who_reads_no_further_is_no_trouble(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(LOG * 2000)
    command = f"{' '.join(PLATFORM)} wire {path} | head -1"
    said = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60)
    assert said.stdout.count("\n") == 1
    assert said.stderr == ""


def test_a_file_is_followed_through_rotation_and_truncation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"one\ntw")
    happenings: Iterator[Callable[[], object]] = iter(
        [
            lambda: append(path, b"o\nthree\n"),
            lambda: None,
            lambda: rotate(path, b"last\n", b"first\n"),
            lambda: path.rename(tmp_path / "log.2"),
            lambda: path.write_bytes(b"after a gap\n"),
            lambda: path.write_bytes(b"cut\n"),
        ]
    )

    def sleep(seconds: float) -> None:
        try:
            next(happenings)()
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr("ludothek.wire.tail.time.sleep", sleep)
    seen: list[bytes] = []
    with pytest.raises(KeyboardInterrupt):
        seen.extend(tail.follow(path))
    words = ["one", "two", "three", "last", "first", "after a gap", "cut"]
    assert seen == [f"{word}\n".encode() for word in words]


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def rotate(path: Path, last: bytes, first: bytes) -> None:
    append(path, last)
    path.rename(path.with_name("log.1"))
    path.write_bytes(first)


def test_following_ends_politely(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ludothek.wire.tail.time.sleep", interrupt)
    assert wire(log, "--follow") == wire(log)
