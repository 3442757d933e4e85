"""platform ctl top: right numbers, harmless names, and an end whenever somebody wants it."""

import fcntl
import json
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import attrs
import pytest
import trio
from click.testing import CliRunner

from ludothek.cli.commands import cli
from ludothek.cli.rates import Look, compare
from ludothek.cli.top_screen import show
from tests.support.organiser_console import open_control, open_pair
from tests.support.program import PLATFORM

BOUNDS = [0.001, 0.01, 0.1]


def look(
    uptime: float,
    messages: int = 0,
    handling: tuple[int, ...] = (0, 0, 0, 0),
    clients: list[dict[str, Any]] | None = None,
) -> Look:
    histogram = {"bounds": BOUNDS, "counts": list(handling), "total": 0.0}
    traffic = {
        "messages_in": messages,
        "messages_out": 2 * messages,
        "bytes_in": 100 * messages,
        "bytes_out": 200 * messages,
        "drops": {"outbox_full": 1, "slow_write": 2},
        "handling": histogram,
    }
    endpoint = {
        "name": "toy",
        "game": "toy",
        "ready": True,
        "clients": 3,
        "lobbies": 2,
        "crashes": 0,
        "matches": {"running": 1},
        "outbox": {"frames": 1, "bytes": 1500, "frames_max": 1, "bytes_max": 1500},
        "traffic": traffic,
    }
    status = {
        "version": "1",
        "uptime_seconds": uptime,
        "ready": True,
        "clients": 3,
        "loop_lag": {"seconds_max": 0.25, "lags": histogram},
        "endpoints": [endpoint],
    }
    return Look(status, clients)


def person(number: int, heard: int, where: str | None, name: str = "") -> dict[str, Any]:
    return {
        "id": f"toy/{number}",
        "name": name,
        "address": "127.0.0.1:1",
        "where": where,
        "heard": heard,
    }


def test_rates_are_differences_per_second() -> None:
    before = look(100.0, 1000, (50, 0, 0, 0))
    found = compare(before, look(102.0, 1500, (50, 99, 1, 0)), 5)
    (row,) = found["endpoints"]
    assert found["seconds"] == 2
    assert row["messages_in_per_second"] == 250
    assert row["messages_out_per_second"] == 500
    assert row["bytes_out_per_second"] == 50_000
    assert row["drops"] == 3
    assert 0.001 < row["handling"]["p50_seconds"] < 0.01
    assert row["handling"]["p99_seconds"] == pytest.approx(0.01)
    assert found["busiest_clients"] is None


@pytest.mark.parametrize("before", [None, look(500.0, 10_000, (9, 9, 9, 9))])
def test_without_a_look_before_or_after_a_restart_it_is_since_the_start(
    before: Look | None,
) -> None:
    found = compare(before, look(10.0, 1000, (0, 0, 1, 0)), 5)
    assert found["seconds"] == 10
    assert found["endpoints"][0]["messages_in_per_second"] == 100
    assert found["loop_lag"]["p50_seconds"] > 0.01


def test_an_endpoint_that_is_new_and_one_where_nothing_happens() -> None:
    before = attrs.evolve(look(1.0), status={**look(1.0).status, "endpoints": []})
    (row,) = compare(before, look(2.0, 7), 5)["endpoints"]
    assert row["messages_in_per_second"] == 7
    (row,) = compare(look(1.0, 7), look(2.0, 7), 5)["endpoints"]
    assert row["messages_in_per_second"] == 0
    assert row["handling"] == {"p50_seconds": None, "p99_seconds": None}


def test_the_busiest_are_named() -> None:
    before = look(1.0, clients=[person(1, 100, "toy/a"), person(2, 0, "toy/b")])
    after = look(
        2.0, clients=[person(1, 101, "toy/a"), person(2, 30, "toy/b"), person(3, 5, "toy/b")]
    )
    found = compare(before, after, 2)
    assert found["busiest_lobbies"] == [
        {"id": "toy/b", "messages_per_second": 35.0},
        {"id": "toy/a", "messages_per_second": 1.0},
    ]
    assert [client["id"] for client in found["busiest_clients"]] == ["toy/2", "toy/3"]


def test_names_do_nothing_to_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    evil = "\x1b]0;title\x07\x1b[2J[bold]\u202e\x9b"
    show(compare(None, look(1.0, clients=[person(1, 1, f"toy/{evil}", evil)]), 5))
    printed = capsys.readouterr().out
    assert not set(printed) & set("\x1b\x07\x9b\u202e")
    assert "[bold]" in printed
    assert r"\x1b[2J" in printed


class Terminal:
    """A terminal with `platform ctl top` on it."""

    def __init__(self, path: Path) -> None:
        ours, theirs = pty.openpty()
        self.before = termios.tcgetattr(theirs)
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        command = [*PLATFORM, "ctl", "--control", str(path), "top", "--interval", "0.1"]
        self.process = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            env=os.environ | {"TERM": "xterm"},
        )
        self._ours, self._theirs = ours, theirs

    def see(self, words: str) -> None:
        """Wait until it shows the words."""
        seen = b""
        while words.encode() not in seen:
            ready, _, _ = select.select([self._ours], [], [], 60)
            assert ready, seen[-2000:]
            seen = seen[-20_000:] + os.read(self._ours, 65536)

    def press(self, key: bytes) -> None:
        os.write(self._ours, key)

    def end(self) -> int:
        # Somebody has to read what it still shows: when the terminal is full, it waits for that.
        give_up = time.monotonic() + 60
        while (code := self.process.poll()) is None:
            assert time.monotonic() < give_up, "it does not end"
            if select.select([self._ours], [], [], 0.05)[0]:
                os.read(self._ours, 65536)
        assert termios.tcgetattr(self._theirs) == self.before  # as it was
        return code

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._ours)
        os.close(self._theirs)


@contextmanager
def terminal(path: Path) -> Iterator[Terminal]:
    terminal = Terminal(path)
    try:
        yield terminal
    finally:
        terminal.close()


@contextmanager
def daemon(path: Path, *games: str) -> Iterator[None]:
    command = [*PLATFORM, "run", "--control", str(path), "--state-dir", str(path.parent)]
    command += ["--port", "0", *(f"--game={game}" for game in games)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert "ready" in process.stdout.readline()
            yield
        finally:
            process.terminate()


def test_an_evening_in_front_of_it(tmp_path: Path) -> None:
    """Shows what there is, waits for a daemon that restarts, and ends with q or Ctrl-C."""
    path = tmp_path / "sock"
    with ExitStack() as stack:
        with daemon(path, "hexxagon"):
            one, two = (stack.enter_context(terminal(path)) for _ in range(2))
            one.see("hexxagon")
            two.see("hexxagon")
        one.see("trying again")
        with daemon(path, "penguins"):
            for screen in (one, two):
                screen.see("penguins")
            one.press(b"x")
            one.press(b"q")
            assert one.end() == 0
            two.process.send_signal(signal.SIGINT)
            assert two.end() == 0


async def test_once_where_nobody_watches(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser, open_pair(organiser):
        words = ["ctl", "--control", str(organiser.path), "top", "--interval", "0.1"]
        table, document = [
            await trio.to_thread.run_sync(CliRunner().invoke, cli, [*words, *more])
            for more in ([], ["--json"])
        ]
    assert (table.exit_code, document.exit_code) == (0, 0)
    header, row = table.stdout.splitlines()[2:4]
    assert header.split()[:3] == ["GAME", "CLIENTS", "RUNNING"]
    assert row.split()[:3] == ["hexxagon", "2", "0/1"]
    assert "Ann" in table.stdout
    found = json.loads(document.stdout)
    assert found["endpoints"][0]["name"] == "hexxagon"
    assert len(found["busiest_clients"]) == 2
