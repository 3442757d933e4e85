"""What contract.md promises of the commands, tried on the program itself."""

import json
import re
import signal
import subprocess
import sys
import tomllib
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from subprocess import PIPE

import attrs
import pytest
import trio

from ludothek.settings import config_file as config
from ludothek.settings.fields import GameSettings
from ludothek.settings.limits import Limits
from tests.support.helpers import Peer, close_code
from tests.support.hexxagon import HexxagonClient, start_game
from tests.support.program import Daemon, invoke, invoke_aside, platform, running
from transports import WebSocket

ROOT = Path(__file__).parent.parent

SHIPPED = ROOT / "config" / "platform.toml"

HEXXAGON = ("--game", "hexxagon", "--port", "0")


def test_the_folder_platform_does_not_shadow_the_standard_library() -> None:
    code = "import platform; print(platform.python_version())"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("3.")
    assert not (ROOT / "platform" / "__init__.py").exists()


async def test_ready_is_said_on_stdout_and_nothing_before() -> None:
    async with running(*HEXXAGON) as daemon:
        assert daemon.ready == [f"hexxagon ready on ws://127.0.0.1:{daemon.port}"]
        assert await daemon.stop() == 0
        log = await daemon.log()
    assert "listening" in log
    assert "Traceback" not in log


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_both_polite_signals_end_it_with_zero(number: int) -> None:
    async with running(*HEXXAGON) as daemon:
        assert await daemon.stop(number) == 0


async def test_json_logs_are_one_object_per_line() -> None:
    async with running(*HEXXAGON, "--log-format", "json", "-v") as daemon:
        async with WebSocket().connect("127.0.0.1", daemon.port) as link:
            await Peer(link).hear()
        await daemon.stop()
        entries = [json.loads(line) for line in (await daemon.log()).splitlines()]
    events = {entry["event"]: entry for entry in entries}
    assert events["client connected"]["game"] == "hexxagon"
    assert events["client connected"]["client"] == 1
    assert {"level", "timestamp"} <= set(events["listening"])


async def test_a_seed_repeats_the_ids() -> None:
    seen = []
    for seed in ("5", "5", "6"):
        async with running(*HEXXAGON, "--seed", seed) as daemon:
            async with WebSocket().connect("127.0.0.1", daemon.port) as link:
                seen.append((await Peer(link).hear())["userId"])
            await daemon.stop()
    assert seen[0] == seen[1] != seen[2]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ("run --game hexagon", "there is no game 'hexagon'; did you mean 'hexxagon'?"),
        ("run --game hexxagon --set max_strike=3", "did you mean 'max_strikes'?"),
        ("run --game hexxagon --set max_strikes=many", "expected a whole number, not 'many'"),
        ("run --game hexxagon --set stuck=wait", "expected one of pass, end, fill, not 'wait'"),
        ("run --game hexxagon --set stuck", "expected KEY=VALUE"),
        ("run --game hexxagon --set port=1", "unknown setting 'port'"),
        ("run --game hexxagon --set max_strikes=99999999999", "must be from 1 to"),
        ("run --game hexxagon --game penguins --set hexagon.stuck=end", "did you mean 'hexxagon'"),
        ("run --game hexxagon --port 70000", "70000 is not in the range"),
        ("run --game hexxagon --port x", "is not a valid integer"),
        ("run --config nowhere.toml", "nowhere.toml: No such file"),
        ("run --colour", "No such option"),
        ("bot", "Missing option '--game'"),
        (f"bot --game hexxagon -u {'x' * 65}", "a name has 1 to 64 characters"),
        ("bot --game chess", "there is no game 'chess'"),
        ("dance", "No such command 'dance'"),
        ("check-config nowhere.toml", "No such file"),
    ],
)
def test_a_mistake_of_the_user_costs_one_line_and_exit_code_two(arguments: str, line: str) -> None:
    done = invoke(*arguments.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert line in done.stderr
    assert done.stderr.count("\n") == 1


async def test_a_taken_port_costs_one_line_and_exit_code_one() -> None:
    async with running(*HEXXAGON) as daemon:
        done = await platform("run", "--game", "hexxagon", "--port", str(daemon.port))
    assert (done.returncode, done.stdout) == (1, "")
    assert "already in use" in done.stderr
    assert done.stderr.count("\n") == 1


async def test_a_host_that_is_none_costs_one_line_and_exit_code_one() -> None:
    for command in (("run", "--game", "hexxagon", "--host"), ("bot", "--game", "hexxagon", "-a")):
        done = await platform(*command, "a..b")
        assert (done.returncode, done.stdout) == (1, "")
        assert "not a host name" in done.stderr
        assert done.stderr.count("\n") == 1


async def test_games_go_on_when_the_log_is_not_read() -> None:
    async with running(*HEXXAGON, "--set", "max_strikes=1000") as daemon:
        async with WebSocket().connect("127.0.0.1", daemon.port) as link:
            client = await HexxagonClient.arrive(Peer(link))
            for _ in range(1000):  # a line each: more than a pipe holds
                await client.peer.say(b"{}")
                await client.hear("Strike")
        assert await daemon.stop() == 0


async def test_games_go_on_when_the_log_is_closed() -> None:
    async with running(*HEXXAGON) as daemon:
        assert daemon.process.stderr is not None
        await daemon.process.stderr.aclose()
        for _ in range(2):
            async with WebSocket().connect("127.0.0.1", daemon.port) as link:
                client = await HexxagonClient.arrive(Peer(link))
                await client.peer.say(b"{}")
                await client.hear("Strike")
        assert await daemon.stop() == 0


@pytest.mark.parametrize("number", [0, 1, 2])
async def test_a_daemon_without_one_of_its_standard_streams_serves(
    number: int, tmp_path: Path
) -> None:
    control = tmp_path / "control.sock"
    command = f"{sys.executable} -m ludothek run --game hexxagon --port 0 --control {control}"
    async with trio.open_nursery() as nursery:
        process = await nursery.start(
            partial(trio.run_process, ["bash", "-c", f"exec {command} {number}>&-"], check=False)
        )
        with trio.fail_after(60):
            while not control.is_socket():
                assert process.poll() is None
                await trio.lowlevel.checkpoint()
        asked = await invoke_aside("ctl", "status", "--control", str(control), "--json")
        assert json.loads(asked.stdout)["ready"]
        assert await Daemon(process, [], 0).stop() == 0


def test_a_full_disk_behind_the_output_costs_one_line() -> None:
    command = [sys.executable, "-m", "ludothek", "games"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=PIPE, check=False)
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1)
    assert b"No space left on device" in done.stderr


async def test_a_daemon_whose_ready_line_nobody_reads_ends_well() -> None:
    command = f"{sys.executable} -m ludothek run --game hexxagon --port 0 > >(true)"
    async with trio.open_nursery() as nursery:
        process = await nursery.start(
            partial(trio.run_process, ["bash", "-c", f"exec {command}"], stderr=PIPE, check=False)
        )
        daemon = Daemon(process, [], 0)
        await daemon.logged("listening")
        assert await daemon.stop() == 0


async def test_a_bot_without_a_server_says_so_and_exits_with_one() -> None:
    done = await platform("bot", "--game", "hexxagon", "-p", "1")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "cannot reach 127.0.0.1 port 1" in done.stderr


async def test_games_are_listed_with_protocol_version_transport_and_port() -> None:
    done = await platform("games")
    (row,) = [line.split() for line in done.stdout.splitlines() if line.startswith("hexxagon")]
    assert row == ["hexxagon", "Hexxagon-Netzwerkstandard", "0.6.1", "ws", "4444"]


def test_a_config_file_is_checked_without_starting_anything(tmp_path: Path) -> None:
    path = tmp_path / "lab.toml"
    path.write_text('[[host]]\ngame = "hexxagon"\nport = 4711\n')
    done = invoke("check-config", str(path))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == ["hexxagon on 127.0.0.1 port 4711", f"{path}: ok"]


def test_the_shipped_config_file_is_right() -> None:
    done = invoke("check-config", str(SHIPPED))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("host", config.read(SHIPPED).hosts, ids=lambda host: host.game.name)
def test_the_shipped_config_file_names_every_setting_with_its_default(host: config.Host) -> None:
    text = SHIPPED.read_text().split(f'game = "{host.game.name}"')[1].split("[[host]]")[0]
    common = {field.name for field in attrs.fields(GameSettings)}
    for field in attrs.fields(host.game.settings):
        if field.name not in common:
            assert f"\n{field.name} = " in text or f"\n# {field.name} = " in text, field.name
            set_to = getattr(host.settings, field.name)
            assert set_to == field.default or "(the default)" in text, field.name


def test_the_shipped_config_file_names_every_limit_with_its_default() -> None:
    text = SHIPPED.read_text().partition("\n[limits]")[2].partition("\n[[host]]")[0]
    assert [host.limits for host in config.read(SHIPPED).hosts] == [
        Limits(**host.game.limits) for host in config.read(SHIPPED).hosts
    ]
    for field in attrs.fields(Limits):
        found = re.search(rf"^(# )?({field.name} = .*)", text, re.MULTILINE)
        assert found, field.name
        values = tomllib.loads(found[2])
        assert values == {field.name: field.default}


def test_a_course_is_drawn_for_a_terminal() -> None:
    done = invoke("games", "--course", "DizzyHighway")
    assert (done.returncode, done.stderr) == (0, "")
    assert "5 | A>  S   W>" in done.stdout
    assert "antenna" in done.stdout
    done = invoke("games", "--course", "Nowhere")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


@pytest.mark.parametrize("difficulties", ["0 3", "1 2"])
async def test_two_bots_play_each_other_to_the_end(difficulties: str) -> None:
    reports = []

    async def bot(name: str, port: int, difficulty: str) -> None:
        options = ("-u", name, "-d", difficulty, "-l", "arena", "-p", str(port), "--seed", "1")
        done = await platform("bot", "--game", "hexxagon", *options)
        assert (done.returncode, done.stderr) == (0, "")
        reports.append(json.loads(done.stdout))

    # The strongest thinks a second a move: a short game is enough here.
    async with running(*HEXXAGON, "--set", "max_turns=6") as daemon:
        async with trio.open_nursery() as nursery:
            for name, difficulty in zip(("Ann", "Bob"), difficulties.split(), strict=True):
                nursery.start_soon(bot, name, daemon.port, difficulty)
        assert await daemon.stop() == 0
    ann, bob = reports
    assert (ann["winner"], ann["points"]) == (bob["winner"], bob["points"])
    assert {ann["side"], bob["side"]} == {"playerOne", "playerTwo"}
    assert (ann["errors"], bob["errors"]) == (0, 0)
    assert ann["moves"] + bob["moves"] == 6


async def test_sigterm_in_the_middle_of_fifty_games_says_goodbye_to_everybody() -> None:
    async with running(*HEXXAGON) as daemon, AsyncExitStack() as stack:
        clients = []
        for _ in range(100):
            link = await stack.enter_async_context(WebSocket().connect("127.0.0.1", daemon.port))
            clients.append(await HexxagonClient.arrive(Peer(link)))
        for one, two in zip(clients[::2], clients[1::2], strict=True):
            game = await start_game(one, two)
            await one.move(game, 30, 38)
        daemon.process.terminate()
        for client in clients:
            statuses = [await client.hear("GameStatus") for _ in range(2)]
            assert [status["isClosed"] for status in statuses] == [False, True]
            assert "winner" not in statuses[1]
            await client.peer.hear_end()
            assert close_code(client.peer.link) == 1001
        with trio.fail_after(60):
            assert await daemon.process.wait() == 0
        assert "Traceback" not in await daemon.log()


async def test_the_first_client_of_the_readme_works(tmp_path: Path) -> None:
    code = (ROOT / "README.md").read_text().split("```python\n")[1].split("```")[0]
    script = tmp_path / "client.py"
    async with running(*HEXXAGON) as daemon:
        script.write_text(code.replace(":4444", f":{daemon.port}"))
        done = await trio.run_process([sys.executable, str(script)], capture_stdout=True)
    assert b"'successfullyCreated': True" in done.stdout


async def test_the_page_is_announced_after_the_games() -> None:
    async with running(*HEXXAGON, "--web", "0", endpoints=2) as daemon:
        assert daemon.ready[1].startswith("page ready on http://127.0.0.1:")
        await daemon.stop()


async def test_a_chosen_port_of_the_page_must_be_free() -> None:
    async with running(*HEXXAGON, "--web", "0", endpoints=2) as daemon:
        port = daemon.ready[1].rpartition(":")[2].rstrip("/")
        done = await platform("run", *HEXXAGON, "--web", port)
        await daemon.stop()
    assert done.returncode == 1
    assert f"page on 127.0.0.1 port {port}: Address already in use" in done.stderr
