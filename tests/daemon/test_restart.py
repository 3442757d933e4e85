"""The daemon hands over to the program as it is installed now, unless matches would be lost."""

import json
import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import attrs
import pytest
import trio

from ludothek.contract.chance import Chance
from ludothek.contract.orders import OrderRefused
from ludothek.daemon.endpoints import Endpoints
from ludothek.daemon.guarded import AGAIN, DIED, RESTARTS
from ludothek.daemon.handover import COUNTER, Carried, Handover
from ludothek.daemon.lifecycle import Lifecycle
from ludothek.daemon.messenger import Messenger
from ludothek.daemon.store import Store
from ludothek.settings.config_file import Daemon as DaemonSettings
from tests.support.program import Daemon, invoke_aside, running

ONE = "[[host]]\ngame = 'hexxagon'\nport = 0\n"


# One process


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Messenger(str(tmp_path / "notify"))) as messenger:
        yield Store(messenger)


def lifecycle(nursery: trio.Nursery, store: Store | None, **options: Any) -> Lifecycle:
    endpoints = Endpoints(Chance(1))
    handover = Handover(store)
    return Lifecycle(endpoints, DaemonSettings(), nursery, handover=handover, **options)


async def test_everything_is_prepared_in_order_before_the_process_ends(
    store: Store, autojump_clock: object
) -> None:
    done: list[object] = []
    async with trio.open_nursery() as nursery:
        daemon = lifecycle(nursery, store, leave=done.append)
        daemon.before_restart += [
            lambda: done.append("ledger"),
            lambda: 1 / 0,  # what fails keeps nobody from going on
            lambda: done.append("log"),
        ]
        await daemon.restart()
        assert done == []  # whoever has asked gets an answer first
    assert done == ["ledger", "log", AGAIN]


async def test_a_daemon_that_nobody_would_start_again_refuses(store: Store) -> None:
    async def fail() -> None:
        raise OrderRefused("the installed program cannot be started: no")

    async with trio.open_nursery() as nursery:
        with pytest.raises(OrderRefused, match="started without --durable"):
            await lifecycle(nursery, None, leave=pytest.fail).restart()
        draining = lifecycle(nursery, store, leave=pytest.fail)
        draining.draining = True
        with pytest.raises(OrderRefused, match="being drained"):
            await draining.restart()
        with pytest.raises(OrderRefused, match="cannot be started"):
            await lifecycle(nursery, store, rehearse=fail, leave=pytest.fail).restart()


async def test_what_changes_while_the_new_program_is_tried_counts(store: Store) -> None:
    done: list[object] = []
    async with trio.open_nursery() as nursery:

        async def rehearse() -> None:
            daemon.draining = True

        daemon = lifecycle(nursery, store, leave=done.append, rehearse=rehearse)
        with pytest.raises(OrderRefused, match="being drained"):
            await daemon.restart()
    assert done == []


async def test_a_daemon_that_has_begun_to_drain_is_not_restarted(
    store: Store, autojump_clock: object
) -> None:
    done: list[object] = []
    async with trio.open_nursery() as nursery:
        daemon = lifecycle(nursery, store, leave=done.append)
        await daemon.restart()
        daemon.draining = True
    assert done == []


async def test_whoever_asks_for_a_second_restart_is_told_of_the_first(
    store: Store, autojump_clock: object
) -> None:
    done: list[object] = []
    async with trio.open_nursery() as nursery:
        daemon = lifecycle(nursery, store, leave=done.append)
        await daemon.restart()
        with pytest.raises(OrderRefused, match="restarted already"):
            await daemon.restart()
    assert done == [AGAIN]


async def test_a_restart_that_was_refused_can_be_asked_for_again(
    store: Store, autojump_clock: object
) -> None:
    done: list[object] = []
    problems = iter(["broken"])

    async def rehearse() -> None:
        if problem := next(problems, None):
            raise OrderRefused(problem)

    async with trio.open_nursery() as nursery:
        daemon = lifecycle(nursery, store, leave=done.append, rehearse=rehearse)
        with pytest.raises(OrderRefused, match="broken"):
            await daemon.restart()
        await daemon.restart()
    assert done == [AGAIN]


def test_a_handover_knows_what_its_guardian_tells() -> None:
    first = Handover.of({RESTARTS: "0"}, None)
    first.finish()
    assert (first.restarts, first.time, first.pause_seconds) == (0, None, 0.0)
    second = Handover.of({RESTARTS: "3", DIED: "0.0"}, None)
    second.finish()
    assert second.restarts == 3
    assert second.time is not None
    assert second.pause_seconds > 0  # since the machine was started
    assert str(Carried(3, 4)) == "3 of 4"
    assert not second.durable


def test_without_a_guardian_restarts_are_counted_in_the_runtime_directory(tmp_path: Path) -> None:
    for number in range(3):
        handover = Handover.of({}, None)
        handover.count_in(tmp_path)
        handover.finish()
        assert handover.restarts == number
        # This process has been there for a while, which nobody was served by another one.
        assert (0 < handover.pause_seconds < 3600) is (number > 0)
    guarded = Handover.of({RESTARTS: "7"}, None)
    guarded.count_in(tmp_path)
    assert guarded.restarts == 7
    (tmp_path / COUNTER).write_text("no number")
    handover = Handover.of({}, None)
    handover.count_in(tmp_path)
    assert handover.restarts == 0


def test_a_handover_knows_what_would_be_lost(store: Store) -> None:
    handover = Handover(store)
    assert (handover.durable, handover.unprotected) == (True, 0)
    store.put("c1", 0)  # nobody listens there
    assert handover.unprotected == 1


# The program


@attrs.frozen
class Lab:
    directory: Path

    @property
    def config(self) -> Path:
        return self.directory / "platform.toml"

    @property
    def arguments(self) -> tuple[str, ...]:
        runtime = str(self.directory / "runtime")
        return ("--config", str(self.config), "--durable", "--runtime-dir", runtime, *self.control)

    @property
    def control(self) -> tuple[str, ...]:
        return ("--control", str(self.directory / "control.sock"))

    async def status(self) -> Any:
        done = await invoke_aside("ctl", "status", "--json", *self.control)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    async def successor(self, pid: int) -> Any:
        """The status of the next process."""
        with trio.fail_after(60):
            while True:
                done = await invoke_aside("ctl", "status", "--json", *self.control)
                if done.returncode == 0 and (status := json.loads(done.stdout))["pid"] != pid:
                    return status


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    (tmp_path / "platform.toml").write_text(ONE)
    return Lab(tmp_path)


def script(path: Path, version: str, first: str = "") -> None:
    """A program as pip installs it."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(
        f"#!{sys.executable}\n"
        f"{first}\n"
        "import ludothek\n"
        f"ludothek.__version__ = '{version}'\n"
        "from ludothek.__main__ import main\n"
        "main()\n"
    )
    path.chmod(0o755)


async def test_ctl_restart_starts_the_program_that_is_installed_now(lab: Lab) -> None:
    for version in ("1", "2"):
        script(lab.directory / version / "platform", version)
    current = lab.directory / "current"
    current.symlink_to("1")
    async with running(*lab.arguments, program=[str(current / "platform")]) as daemon:
        before = await lab.status()
        assert (before["version"], before["restarts"], before["durable"]) == ("1", 0, True)
        current.unlink()
        current.symlink_to("2")
        done = await invoke_aside("ctl", "restart", *lab.control)
        assert done.returncode == 0, done.stderr
        told, _, seconds = done.stdout.rpartition(", ")
        assert told == "0 of 0 matches, 0 of 0 connections carried over"
        assert float(seconds.removesuffix(" s\n")) < 60
        after = await lab.status()
        assert (after["version"], after["restarts"]) == ("2", 1)
        assert after["pid"] != before["pid"]
        assert after["endpoints"][0]["url"] == f"ws://127.0.0.1:{daemon.port}"
        assert after["restarted"]
        assert after["pause_seconds"] > 0
        nothing = {"carried": 0, "all": 0}
        assert after["carried"] == {"matches": nothing, "connections": nothing}
        await end(daemon)


async def end(daemon: Daemon) -> None:
    assert await daemon.stop() == 0
    assert daemon.process.stdout is not None
    assert [some async for some in daemon.process.stdout] == []  # ready lines appear once


async def test_what_could_not_take_over_is_refused(lab: Lab) -> None:
    program = lab.directory / "1" / "platform"
    script(program, "1")
    async with running(*lab.arguments, "--log-format", "json", program=[str(program)]) as daemon:
        before = await lab.status()
        for broken, why in (
            # It is needed only by a process that serves.
            ("import sys; sys.modules['ludothek.web.service'] = None", "ModuleNotFoundError: .*"),
            (
                "import transports.commit_log as log; log.VERSION = 2",
                "platform: matches would be lost: .* has version 1 instead of 2",
            ),
        ):
            script(program, "2", broken)
            await refuse(lab, why)
        script(program, "2")
        lab.config.write_text(f"{ONE}faults.port = 0\n")
        await refuse(lab, "platform: .* faults and --durable exclude each other")
        assert (await lab.status())["pid"] == before["pid"]
        await end(daemon)


async def refuse(lab: Lab, why: str) -> None:
    done = await invoke_aside("ctl", "restart", *lab.control)
    assert done.returncode == 1
    assert re.search(f"the installed program cannot be started: {why}", done.stderr)


async def test_a_signal_restarts_what_is_durable(lab: Lab) -> None:
    async with running(*lab.arguments) as daemon:
        before = (await lab.status())["pid"]
        os.kill(before, signal.SIGUSR1)  # as systemd does
        status = await lab.successor(before)
        assert status["restarts"] == 1
        await end(daemon)


async def test_a_signal_ends_politely_what_is_not(lab: Lab) -> None:
    async with running("--game", "hexxagon", "--port", "0") as daemon:
        assert await daemon.stop(signal.SIGUSR1) == 0
        assert "goodbye" in await daemon.log()
