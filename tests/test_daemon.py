"""The daemon from outside: reading its file again, draining, and ending whatever happens."""

import json
import signal
import sys
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import Any

import attrs
import httpx
import pytest
import trio
from click.testing import CliRunner

from ludothek.cli.commands import cli
from tests.support.helpers import Peer, close_code
from tests.support.hexxagon import HexxagonClient, start_game
from tests.support.program import Daemon, invoke, platform, running
from transports import WebSocket

ONE = "[[host]]\ngame = 'hexxagon'\nport = 0\n"
TWO = f"{ONE}\n[[host]]\ngame = 'penguins'\nport = 0\n"
CHANGED = f"{ONE}settings.max_strikes = 1\n"
PROXIED = f"""grace_seconds = 4.0
web_url = "https://games.example.org/"
[limits]
trusted_proxies = ["127.0.0.1"]
{ONE}"""
BAD = f"{ONE}settings.max_strike = 1\n"


@attrs.frozen
class Lab:
    """A configuration file and the place of a control socket."""

    directory: Path

    @property
    def config(self) -> Path:
        return self.directory / "platform.toml"

    @property
    def control(self) -> str:
        return str(self.directory / "control.sock")

    @property
    def arguments(self) -> tuple[str, ...]:
        return ("--config", str(self.config), "--control", self.control)

    async def ctl(self, *words: str, code: int = 0) -> str:
        call = partial(CliRunner().invoke, cli, ["ctl", *words, "--control", self.control])
        done = await trio.to_thread.run_sync(call)
        assert done.exit_code == code, done.output
        return done.output

    async def status(self) -> Any:
        return json.loads(await self.ctl("status", "--json"))


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    (tmp_path / "platform.toml").write_text(ONE)
    return Lab(tmp_path)


async def arrive(stack: AsyncExitStack, port: int) -> HexxagonClient:
    link = await stack.enter_async_context(WebSocket().connect("127.0.0.1", port))
    return await HexxagonClient.arrive(Peer(link))


async def test_sighup_reads_the_file_again(lab: Lab) -> None:
    async with running(*lab.arguments) as daemon, AsyncExitStack() as stack:
        client = await arrive(stack, daemon.port)
        lab.config.write_text(TWO)
        daemon.process.send_signal(signal.SIGHUP)
        await daemon.logged("configuration read again")
        names = [endpoint["name"] for endpoint in (await lab.status())["endpoints"]]
        assert names == ["hexxagon", "penguins"]
        assert await client.lobbies() == []
        assert await daemon.stop() == 0


async def test_a_bad_file_changes_nothing_and_is_reported_until_it_is_right(lab: Lab) -> None:
    async with running(*lab.arguments) as daemon:
        lab.config.write_text(BAD)
        checked = invoke("check-config", str(lab.config))
        problem = checked.stderr.strip().removeprefix("platform: ")
        assert f"{lab.config}:4: host 1 (hexxagon): settings: unknown setting" in problem
        daemon.process.send_signal(signal.SIGHUP)
        await daemon.logged(problem)
        assert (await lab.status())["problems"] == [problem]
        assert problem in await lab.ctl("status")
        assert problem in await lab.ctl("reload", code=1)
        lab.config.write_text(CHANGED)
        assert (await lab.ctl("reload")).split()[:2] == ["changed", "hexxagon"]
        assert (await lab.status())["problems"] == []
        assert "nothing has changed" in await lab.ctl("reload")
        lab.config.unlink()
        assert "No such file" in await lab.ctl("reload", code=1)
        assert await daemon.stop() == 0


async def test_a_reload_puts_the_page_behind_a_proxy(lab: Lab) -> None:
    forwarded = {"host": "games.example.org", "x-forwarded-for": "203.0.113.7"}
    async with running(*lab.arguments, "--web", "0", endpoints=2) as daemon:
        url = daemon.ready[1].split()[-1]
        async with httpx.AsyncClient(base_url=url, headers=forwarded) as browser:
            assert (await browser.get("/")).status_code == 421
            assert (await lab.ctl("web")).startswith(url)
            lab.config.write_text(PROXIED)
            said = (await lab.ctl("reload")).splitlines()
            assert [line.split() for line in said[-2:]] == [
                ["changed", "grace_seconds"],
                ["changed", "web_url"],
            ]
            assert (await browser.get("/")).status_code == 200
            assert (await lab.ctl("web")).startswith("https://games.example.org/organiser#")
        assert await daemon.stop() == 0


async def test_a_host_that_cannot_be_opened_is_named_by_reload(lab: Lab) -> None:
    async with running(*lab.arguments) as daemon:
        taken = f"[[host]]\ngame = 'penguins'\nport = {daemon.port}\n"
        lab.config.write_text(ONE + taken)
        said = await lab.ctl("reload", code=1)
        assert f"penguins on 127.0.0.1 port {daemon.port}: " in said
        assert await daemon.stop() == 0


async def test_without_a_file_sighup_says_that_there_is_none() -> None:
    async with running("--game", "hexxagon", "--port", "0") as daemon:
        daemon.process.send_signal(signal.SIGHUP)
        await daemon.logged("there is no file to read again")
        assert await daemon.stop() == 0


async def test_a_flood_of_sighup_does_not_disturb_a_game(lab: Lab) -> None:
    async with running(*lab.arguments) as daemon, AsyncExitStack() as stack:
        ann, bob = [await arrive(stack, daemon.port) for _ in range(2)]
        game = await start_game(ann, bob)
        for n in range(300):
            lab.config.write_text((ONE, TWO, CHANGED, BAD, "")[n % 5])
            daemon.process.send_signal(signal.SIGHUP)
        await ann.move(game, 30, 38)
        assert not (await bob.hear("GameStatus"))["isClosed"]
        lab.config.write_text(TWO)
        await lab.ctl("reload")
        assert len((await lab.status())["endpoints"]) >= 2
        assert await daemon.stop() == 0
        assert "Traceback" not in await daemon.log()


async def test_a_drained_daemon_ends_after_its_last_match(lab: Lab) -> None:
    async with running(*lab.arguments) as daemon, AsyncExitStack() as stack:
        ann, bob, cy = [await arrive(stack, daemon.port) for _ in range(3)]
        game = await start_game(ann, bob)
        assert "1 lobby is open" in await lab.ctl("drain", "--seconds", "600")
        status = await lab.status()
        assert (status["state"], status["endpoints"][0]["state"]) == ("draining", "draining")
        assert 500 < status["seconds_left"] <= 600
        assert "draining, " in await lab.ctl("status")
        assert "drained" in await lab.ctl("reload", code=1)
        assert "drained" in await lab.ctl("open", "--game", "hexxagon", code=1)
        daemon.process.send_signal(signal.SIGHUP)
        await daemon.logged("configuration not read again")
        with pytest.raises(OSError, match="connect"):
            await trio.open_tcp_stream("127.0.0.1", daemon.port)
        await cy.say("CreateNewLobby", lobbyName="late")
        assert not (await cy.hear("LobbyCreated"))["successfullyCreated"]
        await ann.say("LeaveGame", gameId=game)
        for client in (ann, bob):
            await client.hear("GameStatus")
            await client.peer.hear_end()
        with trio.fail_after(60):
            assert await daemon.process.wait() == 0


async def test_a_match_that_takes_too_long_is_closed_politely(lab: Lab) -> None:
    async with running(*lab.arguments) as daemon, AsyncExitStack() as stack:
        ann, bob = [await arrive(stack, daemon.port) for _ in range(2)]
        await start_game(ann, bob)
        await lab.ctl("drain", "--seconds", "600")
        await lab.ctl("drain", "--seconds", "0.1", "--wait")  # thought better of it
        assert (await bob.hear("GameStatus"))["isClosed"]
        await bob.peer.hear_end()
        assert close_code(bob.peer.link) == 1001
        with trio.fail_after(60):
            assert await daemon.process.wait() == 0
        assert "no daemon" in await lab.ctl("drain", code=1)


async def test_sigterm_does_not_wait_for_what_is_drained(lab: Lab) -> None:
    async with running(*lab.arguments) as daemon, AsyncExitStack() as stack:
        ann, bob = [await arrive(stack, daemon.port) for _ in range(2)]
        await start_game(ann, bob)
        await lab.ctl("drain")
        daemon.process.terminate()
        assert (await bob.hear("GameStatus"))["isClosed"]
        with trio.fail_after(60):
            assert await daemon.process.wait() == 0


@pytest.mark.parametrize("seconds", ["-1", "soon", "nan"])
async def test_a_time_that_makes_no_sense_is_refused(lab: Lab, seconds: str) -> None:
    await lab.ctl("drain", "--seconds", seconds, code=2)


async def test_a_peer_in_its_handshake_does_not_delay_the_end(lab: Lab) -> None:
    lab.config.write_text(f"grace_seconds = 600\n{ONE}limits.handshake_seconds = 600\n")
    async with (
        running(*lab.arguments) as daemon,
        await trio.open_tcp_stream("127.0.0.1", daemon.port) as mute,
    ):
        await mute.send_all(b"GET / HTTP/1.1\r\n")
        daemon.process.terminate()
        with trio.fail_after(60):
            assert await daemon.process.wait() == 0


async def test_a_second_signal_does_not_wait_for_a_peer_that_does_not_read(lab: Lab) -> None:
    lab.config.write_text(f"grace_seconds = 600\n{ONE}settings.max_lobbies_per_client = 0\n")
    async with running(*lab.arguments) as daemon, AsyncExitStack() as stack:
        deaf = await arrive(stack, daemon.port)
        for _ in range(100):
            await deaf.create("x" * 60)
        for _ in range(1000):  # more than all buffers on the way can hold
            await deaf.say("GetAvailableLobbies")
        other = await arrive(stack, daemon.port)
        daemon.process.terminate()
        await other.peer.hear_end()
        assert daemon.process.poll() is None
        daemon.process.terminate()
        with trio.fail_after(60):
            assert await daemon.process.wait() == 0


async def test_signals_without_end_do_not_spoil_the_end(lab: Lab) -> None:
    async with running(*lab.arguments) as daemon, AsyncExitStack() as stack:
        for _ in range(10):
            await arrive(stack, daemon.port)
        numbers = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
        with trio.fail_after(60):
            while daemon.process.poll() is None:
                for number in numbers:
                    daemon.process.send_signal(number)
                await trio.lowlevel.checkpoint()
        assert daemon.process.returncode == 0


def catches_sigterm(pid: int) -> bool:
    status = Path(f"/proc/{pid}/status").read_text()
    (caught,) = [line.split()[1] for line in status.splitlines() if line.startswith("SigCgt")]
    return bool(int(caught, 16) & 1 << (signal.SIGTERM - 1))


async def test_a_daemon_that_is_told_to_end_while_it_loads_ends_well() -> None:
    command = [sys.executable, "-m", "ludothek", "run", "--game", "hexxagon", "--port", "0"]
    process = await trio.lowlevel.open_process(command, stdout=PIPE, stderr=PIPE, stdin=DEVNULL)
    with trio.fail_after(60):
        while not catches_sigterm(process.pid):
            await trio.lowlevel.checkpoint()
        process.terminate()
        assert "Traceback" not in await Daemon(process, [], 0).log()
        assert await process.wait() == 0


async def test_a_daemon_that_hangs_tells_where_when_its_watchdog_ends_it(lab: Lab) -> None:
    async with running(*lab.arguments) as daemon:
        assert await daemon.stop(signal.SIGABRT) == -signal.SIGABRT
        said = await daemon.log()
    assert "Fatal Python error: Aborted" in said
    assert 'File "' in said
    assert "in main" in said


async def test_a_json_log_is_nothing_but_json_to_its_end(lab: Lab) -> None:
    async with running(*lab.arguments, "--log-format", "json") as daemon:
        assert daemon.ready == [f"hexxagon ready on ws://127.0.0.1:{daemon.port}"]
        assert await daemon.stop() == 0
        events = [json.loads(line) for line in (await daemon.log()).splitlines()]
    urls = [event["url"] for event in events if event["event"] == "listening"]
    assert urls == [f"ws://127.0.0.1:{daemon.port}"]


async def test_why_a_daemon_cannot_start_is_json_where_its_log_is(lab: Lab) -> None:
    lab.config.write_text(BAD)
    done = await platform("run", *lab.arguments, "--log-format", "json")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "max_strike" in json.loads(done.stderr)["problem"]
