"""The daemon and its service manager: sockets passed on, states told, signs of life."""

import os
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import trio

from ludothek.daemon.messenger import Messenger
from ludothek.daemon.systemd import Inherited, Manager, listens_at
from tests.support.program import running
from transports import WebSocket

HEXXAGON = ("--game", "hexxagon", "--port", "0")


@pytest.fixture
def listening(tmp_path: Path) -> Iterator[socket.socket]:
    """A service manager's end of the conversation."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        yield manager


async def hear(manager: socket.socket) -> dict[str, str]:
    with trio.fail_after(60):
        await trio.lowlevel.wait_readable(manager)
    lines = manager.recv(4096).decode().splitlines()
    return dict(line.split("=", 1) for line in lines)


@pytest.fixture
def tcp() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as found:
        yield found


async def test_a_daemon_tells_its_manager_how_it_is(
    listening: socket.socket, tmp_path: Path
) -> None:
    address = listening.getsockname()
    told = []
    config = tmp_path / "platform.toml"
    config.write_text("[[host]]\ngame = 'hexxagon'\nport = 0\n")
    environment = {**os.environ, "NOTIFY_SOCKET": address, "WATCHDOG_USEC": "200000"}
    async with running("--config", str(config), env=environment) as daemon:
        for _ in range(6):
            told.append(await hear(listening))
        assert {"READY": "1", "STATUS": "endpoints: 1, clients: 0, lobbies: 0"} in told
        assert len([words for words in told if words.get("WATCHDOG") == "1"]) >= 4
        daemon.process.send_signal(1)
        while "RELOADING" not in (words := await hear(listening)):
            pass
        assert words["MONOTONIC_USEC"].isdecimal()
        while "READY" not in await hear(listening):
            pass
        assert await daemon.stop() == 0
        while "STOPPING" not in await hear(listening):
            pass


async def test_who_connects_before_the_daemon_is_there_has_to_wait_but_is_not_refused(
    tcp: socket.socket,
) -> None:
    """As a restart is: the sockets stay with the manager, one daemon after the other has them."""
    port = tcp.getsockname()[1]
    launcher = ("bash", "-c", f'exec 3<&{tcp.fileno()}; LISTEN_PID=$$ exec "$@"', "bash")
    environment = {**os.environ, "LISTEN_FDS": "1"}
    arguments = ("--game", "hexxagon", "--port", str(port))
    for _ in range(2):
        with socket.create_connection(("127.0.0.1", port)) as early:
            early.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n")
            async with running(
                *arguments, launcher=launcher, env=environment, pass_fds=[tcp.fileno()]
            ) as daemon:
                assert daemon.ready == [f"hexxagon ready on ws://127.0.0.1:{port}"]
                early.sendall(
                    b"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                    b"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
                )
                early.settimeout(20)
                answer = await trio.to_thread.run_sync(early.recv, 12)
                assert answer == b"HTTP/1.1 101"
                async with WebSocket().connect("127.0.0.1", port) as link:
                    await link.receive()
                assert await daemon.stop() == 0


@pytest.mark.parametrize(
    ("bound", "host", "right"),
    [
        ("127.0.0.1", "127.0.0.1", True),
        ("127.0.0.1", "*", True),
        ("127.0.0.1", "127.0.0.2", False),
        ("0.0.0.0", "*", True),
        ("0.0.0.0", "0.0.0.0", True),
        ("0.0.0.0", "127.0.0.1", False),  # who wants this machine only shall not get all
    ],
)
def test_a_socket_belongs_to_the_host_whose_address_it_has(
    bound: str, host: str, right: bool
) -> None:
    with socket.create_server((bound, 0)) as found:
        port = found.getsockname()[1]
        assert listens_at(found, host, port) is right
        assert not listens_at(found, host, port + 1)
        passed_on = Inherited((found,))
        assert passed_on.unclaimed([(host, port)]) == ([] if right else [f"{bound} port {port}"])


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"LISTEN_PID": "1", "LISTEN_FDS": "1"},  # for somebody else
        {"LISTEN_PID": str(os.getpid())},
        {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "-3"},
        {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "²"},
    ],
)
def test_nothing_is_inherited_that_was_not_passed_on(environment: dict[str, str]) -> None:
    assert Inherited.of(environment).sockets == ()


@pytest.mark.parametrize(
    ("environment", "interval"),
    [
        ({}, 10),
        ({"WATCHDOG_USEC": "30000000"}, 10),
        ({"WATCHDOG_USEC": "4000000"}, 2),
        ({"WATCHDOG_USEC": "4000000", "WATCHDOG_PID": "1"}, 10),
        ({"WATCHDOG_USEC": "soon"}, 10),
    ],
)
def test_signs_of_life_come_twice_as_often_as_asked_for(
    environment: dict[str, str], interval: float
) -> None:
    assert Manager.of(environment).interval == interval


def test_a_manager_that_is_not_there_or_does_not_read_disturbs_nobody(
    tmp_path: Path, listening: socket.socket
) -> None:
    Manager().ready("x")
    with closing(Messenger(str(tmp_path / "nobody"))) as nobody:
        Manager(nobody).ready("x")
    with closing(Messenger(listening.getsockname())) as deaf:
        for _ in range(10_000):
            Manager(deaf).alive("x")


def test_an_abstract_address_is_understood() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(f"\0ludothek-test-{os.getpid()}")
        with closing(Messenger(f"@ludothek-test-{os.getpid()}")) as messenger:
            Manager(messenger).ready("here")
        assert manager.recv(100) == b"READY=1\nSTATUS=here"
