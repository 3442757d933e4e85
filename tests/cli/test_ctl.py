"""platform ctl as a user calls it, against a daemon in a process of its own."""

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import attrs
import pytest

from ludothek.cli.commands import main
from tests.support.helpers import Peer
from tests.support.hexxagon import HexxagonClient
from tests.support.program import PLATFORM
from transports import WebSocket


@attrs.frozen
class Said:
    """How a command has ended, and what it has printed."""

    code: int
    out: str
    err: str


@attrs.frozen
class Shell:
    """Calls `platform ctl` for one daemon."""

    path: Path
    port: int
    capture: pytest.CaptureFixture[str]
    patch: pytest.MonkeyPatch

    def ctl(self, *words: str) -> Said:
        self.patch.setattr(sys, "argv", ["platform", "ctl", *words, "--control", str(self.path)])
        self.capture.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        said = self.capture.readouterr()
        assert "Traceback" not in said.err
        assert said.err.count("\n") <= 1
        return Said(int(str(ended.value.code)), said.out, said.err)

    def json(self, *words: str) -> Any:
        said = self.ctl(*words, "--json")
        assert said.code == 0, said.err
        return json.loads(said.out)

    def table(self, *words: str) -> list[list[str]]:
        said = self.ctl(*words)
        assert said.code == 0, said.err
        return [line.split() for line in said.out.splitlines()]

    def fail(self, *words: str) -> tuple[int, str]:
        said = self.ctl(*words)
        assert said.out == ""
        return said.code, said.err.removeprefix("platform: ").strip()


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, int]]:
    """The socket and the port of a daemon that all tests here share."""
    path = tmp_path_factory.mktemp("ctl") / "control.sock"
    command = [*PLATFORM, "run", "--game", "hexxagon", "--port", "0", "--control", str(path)]
    command += ["--state-dir", str(path.with_name("state"))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield path, int(process.stdout.readline().rpartition(":")[2])
        finally:
            process.terminate()


@pytest.fixture
def shell(
    daemon: tuple[Path, int], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Shell:
    return Shell(*daemon, capsys, monkeypatch)


def test_status_for_people_and_for_programs(shell: Shell) -> None:
    table = shell.table("status")
    assert [row[0] for row in table if row] == [
        "version",
        "uptime",
        "ready",
        "lobbies",
        "clients",
        "loop",
        "NAME",
        "hexxagon",
    ]
    assert shell.json("status")["endpoints"][0]["url"] == f"ws://127.0.0.1:{shell.port}"


async def test_an_evening_with_an_organiser(shell: Shell) -> None:
    """Opens a lobby, starts the match of two clients, names the winner, sends one home."""
    lobby = shell.ctl("open", "--game", "hexxagon", "--name", "Runde 1").out.strip()
    assert shell.table("lobbies", "--game", "hexxagon")[1] == [
        *(lobby, "hexxagon", "Runde", "1", "waiting", "-", "-")
    ]
    connect = WebSocket().connect
    async with connect("127.0.0.1", shell.port) as one, connect("127.0.0.1", shell.port) as two:
        ann = await HexxagonClient.arrive(Peer(one))
        bob = await HexxagonClient.arrive(Peer(two))
        await ann.join(lobby.partition("/")[2], "Ann")
        await bob.join(lobby.partition("/")[2], "Bob")
        # The command blocks this program, but not the daemon, which is another one.
        header, first, second = shell.table("clients")
        assert header == ["ID", "GAME", "NAME", "ADDRESS", "WHERE"]
        assert [(row[2], row[4]) for row in (first, second)] == [("Ann", lobby), ("Bob", lobby)]
        await bob.say("JoinLobby", lobbyId="nowhere", userName="Bob")
        await bob.hear("Strike")
        header, refusal = shell.table("clients", "--refusals", "--game", "hexxagon")
        assert header == ["ID", "NAME", "TIME", "CONNECTED", "CONSEQUENCE", "CLAUSE", "REASON"]
        assert (refusal[0], refusal[1]) == (second[0], "Bob")
        assert refusal[4:7] == ["yes", "struck", "3.2.2.1"]
        assert shell.table("start", lobby) == [[lobby, "running"]]
        assert shell.table("abort", lobby, "--winner", second[0]) == [[lobby, "closed"]]
        heard = [await ann.hear() for _ in range(4)]
        assert heard[-1]["winner"] == bob.id
        assert shell.json("kick", f"hexxagon/{bob.id}")["id"] == second[0]
        for _ in range(3):
            await bob.hear()
        await bob.peer.hear_end()
    assert shell.json("lobbies") == []


def test_a_lobby_is_recorded_until_it_is_not(shell: Shell) -> None:
    lobby = shell.json("open", "--game", "hexxagon")["id"]
    ((shown, on, file),) = shell.table("wire", lobby, "on")
    assert (shown, on) == (lobby, "on")
    assert Path(file).is_relative_to(shell.path.with_name("state") / "wire" / "hexxagon")
    header, row = shell.table("wire")
    assert header == ["ID", "KIND", "LINES", "LOST", "FILE"]
    assert row == [lobby, "lobby", "1", "0", file]
    assert shell.table("wire", lobby, "off") == [[lobby, "off"]]
    assert shell.json("wire", "hexxagon", "on")["kind"] == "endpoint"
    assert shell.json("wire", "hexxagon", "off")["on"] is False
    assert shell.json("wire") == []
    assert shell.fail("wire", "hexxagon/0", "on") == (1, "hexxagon has no lobby '0'")
    assert shell.fail("wire", "--client", "hexxagon/0", "on")[1] == "hexxagon has no client '0'"
    assert shell.table("abort", lobby) == [[lobby, "closed"]]


def test_what_is_refused_or_missing_ends_with_one(shell: Shell) -> None:
    lobby = shell.json("open", "--game", "hexxagon")["id"]
    for words, sentence in [
        (("pause", lobby), "Hexxagon has no pause and no other order of players"),
        (("resume", lobby), "Hexxagon has no pause and no other order of players"),
        (("step", lobby), "Hexxagon has no pause and no other order of players"),
        (("start", lobby), "a game needs a lobby with two participants"),
        (("seat", lobby, "hexxagon/99"), "hexxagon has no client '99'"),
        (("abort", lobby, "--winner", "hexxagon/99"), "hexxagon has no client '99'"),
        (("start", "hexxagon/../.."), "hexxagon has no lobby '../..'"),
        (("start", "hexxagon/ä?#%2F"), "hexxagon has no lobby 'ä?#%2F'"),
        (("start", "chess/1"), "no game 'chess' is served here; known are hexxagon"),
        (("kick", "hexxagon/"), None),
        (("kick", "hexxagon/0"), "hexxagon has no client '0'"),
        (("lobbies", "--game", "chess"), "no game 'chess' is served here; known are hexxagon"),
        (("open", "--game", "hexxagon", "--set", "a=1"), "hexxagon: unknown setting 'a'"),
        (("open", "--game", "hexxagon", "--tournament"), "hexxagon: unknown setting"),
    ]:
        code, text = shell.fail(*words)
        assert code == (1 if sentence else 2), words
        assert text.startswith(sentence or ""), words
    assert shell.table("abort", lobby) == [[lobby, "closed"]]


def test_bad_usage_ends_with_two(shell: Shell) -> None:
    for words in [
        ("dance",),
        ("start",),
        ("start", "1"),
        ("start", "hexxagon/1", "--winner", "hexxagon/1"),
        ("seat", "hexxagon/1"),
        ("seat", "hexxagon/1", "qwirkle/1"),
        ("abort", "hexxagon/1", "--winner", "1"),
        ("kick", "/1"),
        ("open",),
        ("open", "--game", "hexxagon", "--set", "a"),
        ("open", "--game", "hexxagon", "--file", "/no/such/file"),
        ("open", "--game", "hexxagon", "--name", "\udcff"),
        ("start", "hexxagon/\udcff"),
        ("lobbies", "--game", "\udcff"),
        ("wire", "hexxagon"),
        ("wire", "hexxagon", "maybe"),
        ("wire", "--client", "hexxagon", "on"),
        ("top", "--interval", "0"),
        ("top", "--busiest", "many"),
    ]:
        assert shell.fail(*words)[0] == 2, words


def test_nobody_there(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stale = tmp_path / "stale"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(stale))
    for path in (stale, tmp_path / "none", tmp_path, tmp_path / ("x" * 200)):
        for verb in ("status", "top"):
            code, text = attrs.evolve(shell, path=path).fail(verb)
            assert code == 1
            assert text.startswith(f"no daemon at {path}: ")
    monkeypatch.setattr("ludothek.control.places.to_call", lambda environ: [tmp_path / "none"])
    monkeypatch.setattr(sys, "argv", ["platform", "ctl", "status"])
    with pytest.raises(SystemExit, match="1"):
        main()
    assert f"no socket at {tmp_path / 'none'}" in shell.capture.readouterr().err


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (b"", "there was an answer"),  # a daemon that was killed, for example
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{", "there was an answer"),
        (b"220 smtp ready\r\n", "not a Ludothek daemon"),
        (b"HTTP/1.1 200 OK\r\n\r\nhello", "not a Ludothek daemon"),
    ],
)
def test_somebody_else_there(shell: Shell, tmp_path: Path, answer: bytes, problem: str) -> None:
    path = tmp_path / "other"
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(path))
        other.listen()
        other.settimeout(20)
        stranger = Thread(target=_answer_once, args=(other, answer))
        stranger.start()
        said = attrs.evolve(shell, path=path).fail("status")
        stranger.join()
    assert said[0] == 1
    assert problem in said[1]


def _answer_once(listener: socket.socket, answer: bytes) -> None:
    peer, _ = listener.accept()
    with peer:
        peer.recv(1000)
        peer.sendall(answer)
