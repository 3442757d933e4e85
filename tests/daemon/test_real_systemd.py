"""The shipped unit under a real systemd: whatever ends the daemon, matches go on."""

import json
import re
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import attrs
import httpx
import trio

from tests.support.helpers import Peer, close_code
from tests.support.hexxagon import HexxagonClient, play_moves, start_game
from tests.support.page import Events
from tests.support.program import invoke_aside
from tests.support.real_systemd import Systemd, needs_systemd, running_systemd
from transports import WebSocket

UNIT = Path(__file__).parents[2] / "deploy" / "platform.service"

# What makes the daemon durable, and what it may not do. The rest confines it to places that this
# machine does not have.
KEYS = (
    *("Type", "WatchdogSec", "ExecStart", "KillMode", "TimeoutStopSec", "FileDescriptorStoreMax"),
    *("Restart", "RestartSec", "RestartKillSignal", "RestartForceExitStatus", "SuccessExitStatus"),
    *("RuntimeDirectory", "RuntimeDirectoryMode", "RuntimeDirectoryPreserve", "StandardOutput"),
    *("NoNewPrivileges", "RestrictNamespaces", "RestrictRealtime", "RestrictSUIDSGID"),
    *("RestrictAddressFamilies", "LockPersonality", "MemoryDenyWriteExecute"),
    *("SystemCallArchitectures", "SystemCallFilter", "SystemCallErrorNumber"),
)


@attrs.frozen
class Machine:
    """A machine on which the program is installed as docs/install.md tells, in two versions."""

    root: Path

    def install(self) -> Path:
        """Returns the directory of the unit."""
        (self.root / "platform.toml").write_text("[[host]]\ngame = 'hexxagon'\nport = 0\n")
        for version in ("1", "2"):
            script = self.root / "releases" / version / "bin" / "platform"
            script.parent.mkdir(parents=True)
            script.write_text(
                f"#!{sys.executable}\n"
                f"import ludothek; ludothek.__version__ = '{version}'\n"
                "from ludothek.__main__ import main\n"
                "if __name__ == '__main__': main()\n"  # worker processes read this file, too
            )
            script.chmod(0o755)
        self.choose("1")
        lines = [
            line
            for line in UNIT.read_text().splitlines()
            if line.partition("=")[0] in KEYS or line.startswith("Environment=FDSTORE=")
        ]
        text = "\n".join(lines)
        text = text.replace("/opt/ludothek", str(self.root)).replace(
            "/etc/ludothek", str(self.root)
        )
        options = f" --state-dir {self.root}/state --web 0"
        text = re.sub("^(ExecStart=.*)$", rf"\1{options}", text, flags=re.MULTILINE)
        units = self.root / "units"
        units.mkdir()
        unit = f"[Unit]\nDefaultDependencies=no\nStartLimitIntervalSec=0\n[Service]\n{text}\n"
        (units / "platform.service").write_text(unit)
        return units

    def choose(self, version: str) -> None:
        current = self.root / "current"
        current.unlink(missing_ok=True)
        current.symlink_to(f"releases/{version}")

    async def ask(self, systemd: Systemd, *words: str) -> "tuple[int, str]":
        control = f"/proc/{systemd.pid}/root/run/ludothek/control.sock"
        done = await invoke_aside("ctl", *words, "--control", control)
        return done.returncode, done.stdout

    async def status(self, systemd: Systemd, *, not_of: int = 0) -> Any:
        """The status of another process than that."""
        with trio.fail_after(60):
            while True:
                code, text = await self.ask(systemd, "status", "--json")
                if code == 0 and (status := json.loads(text))["pid"] != not_of:
                    return status


@attrs.frozen
class Viewer:
    """Looks at a match on the page, each time as a browser that has come back."""

    port: int
    match: str

    @classmethod
    async def arrive(cls, machine: Machine, systemd: Systemd) -> "Viewer":
        _, link = await machine.ask(systemd, "web")
        port = int(re.findall(r"://[^/]+:(\d+)/", link)[0])
        async with httpx.AsyncClient() as http:
            answer = await http.get(f"http://127.0.0.1:{port}/api/matches")
        return cls(port, answer.json()["lobbies"][0]["match"])

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[Events]:
        async with await trio.open_tcp_stream("127.0.0.1", self.port) as stream:
            events = Events(stream)
            await events.ask(f"/api/matches/{self.match}/live")
            yield events

    async def newest(self) -> int:
        """How many moves have been made."""
        async with self.watching() as events:
            return int((await events.next())[1]["view"]["move"])

    async def history(self) -> list[int]:
        """The same for all positions, which another process has repeated."""
        url = f"http://127.0.0.1:{self.port}/api/matches/{self.match}/history"
        async with httpx.AsyncClient(timeout=60) as http:
            return [each["view"]["move"] for each in (await http.get(url)).json()["positions"]]


async def held(systemd: Systemd) -> int:
    found = await systemd.show("platform.service", "NFileDescriptorStore")
    return int(found["NFileDescriptorStore"])


@needs_systemd
async def test_a_match_survives_a_kill_and_restarts_to_other_versions_but_not_a_stop(
    tmp_path: Path,
) -> None:
    machine = Machine(tmp_path)
    units = machine.install()
    async with running_systemd(units, tmp_path) as systemd, AsyncExitStack() as stack:
        await systemd.ctl("start", "platform.service")
        status = await machine.status(systemd)
        assert (status["version"], status["durable"]) == ("1", True)
        (endpoint,) = status["endpoints"]
        port = int(endpoint["url"].rpartition(":")[2])
        ann, bob = [
            await HexxagonClient.arrive(Peer(await stack.enter_async_context(link)))
            for link in (WebSocket().connect("127.0.0.1", port) for _ in range(2))
        ]
        game = await start_game(ann, bob)
        viewer = await Viewer.arrive(machine, systemd)
        assert await held(systemd) == 4  # two clients, and what listens for them and for browsers
        assert await viewer.newest() == 0

        async with viewer.watching() as events:
            await systemd.ctl("kill", "--signal=KILL", "--kill-who=main", "platform.service")
            async with WebSocket().connect("127.0.0.1", port):  # nobody new is refused either
                await play_moves(game, ann, bob, "22-15")
            await events.hear_end()
        assert await viewer.newest() == 1  # at the same address
        status = await machine.status(systemd, not_of=status["pid"])

        machine.choose("2")
        code, said = await machine.ask(systemd, "restart")
        assert code == 0
        assert said.startswith("1 of 1 matches, 2 of 2 connections carried over, ")
        status = await machine.status(systemd, not_of=status["pid"])
        assert status["version"] == "2"
        await play_moves(game, bob, ann, "1-2")

        machine.choose("1")
        await systemd.ctl("restart", "platform.service")
        status = await machine.status(systemd, not_of=status["pid"])
        assert (status["version"], status["restarts"]) == ("1", 3)
        assert 0 < status["pause_seconds"] < 60
        assert status["carried"]["connections"] == {"carried": 2, "all": 2}
        await play_moves(game, ann, bob, "15-8")
        assert await held(systemd) == 4
        assert await viewer.newest() == 3
        assert await viewer.history() == [0, 1, 2, 3]

        await systemd.ctl("stop", "platform.service")
        assert await held(systemd) == 0
        for client in (ann, bob):
            assert (await client.hear("GameStatus"))["isClosed"]
            await client.peer.hear_end()
            assert close_code(client.peer.link) == 1001
        states = await systemd.show("platform.service", "ActiveState", "Result")
        assert states == {"ActiveState": "inactive", "Result": "success"}
