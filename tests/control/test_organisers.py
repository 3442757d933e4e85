"""Who may be an organiser: the daemon's user, root, and a group if the configuration names one."""

import os
import shutil
import socket
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ludothek.cli.console import Console, Failed
from ludothek.control import places
from ludothek.control.group import Group, NoGroup
from ludothek.control.places import SocketPlace
from ludothek.control.unix_socket import UnixListener, listen
from tests.support.program import invoke, platform, running

ROOT = os.getuid() == 0
needs_root = pytest.mark.skipif(not ROOT, reason="only root can be somebody else")

# Nobody has these numbers.
STRANGER = 54321
GROUP = 54322 if ROOT else os.getgroups()[0]


@pytest.fixture
def directory() -> Iterator[Path]:
    """Not pytest's: its own directories are closed to others."""
    path = Path(tempfile.mkdtemp())
    path.chmod(0o711)
    yield path
    shutil.rmtree(path)


def as_stranger(act: Callable[[], str], *groups: int) -> str:
    """What that says to a user that is not us."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.setgroups(groups)
            os.setgid(STRANGER)
            os.setuid(STRANGER)
            said = act()
        except BaseException as error:
            said = repr(error)
        os.write(writing, said.encode())
        os._exit(0)
    os.close(writing)
    with open(reading) as answer:
        said = answer.read()
    os.waitpid(child, 0)
    return said


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def connects_to(path: Path) -> Callable[[], str]:
    def connect() -> str:
        with socket.socket(socket.AF_UNIX) as peer:
            peer.connect(str(path))
        return "connected"

    return connect


async def listen_for(group: int | str, path: Path, *, chosen: bool = True) -> UnixListener:
    return await listen(SocketPlace(path, chosen=chosen, group=str(group)))


async def test_a_group_may_open_the_socket_and_its_directory(directory: Path) -> None:
    path = directory / "run" / "control.sock"
    listener = await listen_for(GROUP, path)
    assert (mode(path), path.stat().st_gid) == (0o660, GROUP)
    assert (mode(path.parent), path.parent.stat().st_gid) == (0o710, GROUP)
    assert Group.named(str(GROUP)).stopped_at(path) is None
    listener.close()


async def test_without_a_group_nobody_else_may(directory: Path) -> None:
    path = directory / "run" / "control.sock"
    listener = await listen(SocketPlace(path))
    assert (mode(path), mode(path.parent)) == (0o600, 0o700)
    listener.close()


@needs_root
async def test_members_come_in_and_others_do_not(directory: Path) -> None:
    path = directory / "run" / "control.sock"
    listener = await listen_for(GROUP, path)
    assert as_stranger(connects_to(path), GROUP) == "connected"
    assert "Permission denied" in as_stranger(connects_to(path))
    listener.close()


async def test_a_directory_that_somebody_else_has_made_stays_as_it_is(directory: Path) -> None:
    path = directory / "control.sock"
    before = os.stat(directory)
    listener = await listen_for(GROUP, path)
    after = os.stat(directory)
    assert (after.st_mode, after.st_gid) == (before.st_mode, before.st_gid)
    listener.close()


async def test_the_directory_of_a_service_is_opened_but_not_closed_to_others(
    directory: Path,
) -> None:
    """The one that systemd has made for us: ours, but not made by us."""
    os.chmod(directory, 0o705)
    listener = await listen_for(GROUP, directory / "control.sock", chosen=False)
    assert mode(directory) == 0o715
    listener.close()


async def test_what_belongs_to_the_group_already_is_not_given(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sandbox that forbids to give files away still allows the service's own group."""

    def forbid(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "chown", forbid)
    path = directory / "run" / "control.sock"
    listener = await listen_for(os.getgid(), path)
    assert mode(path) == 0o660
    listener.close()
    with pytest.raises(NoGroup, match="this daemon's user must be a member of it"):
        await listen_for(STRANGER, directory / "control.sock")
    assert not (directory / "control.sock").exists()


@pytest.mark.parametrize("name", ["no-such-group", "", "-1", "4294967295", "a\0b", "ä"])
def test_a_group_that_is_not_there_is_named(name: str) -> None:
    with pytest.raises(NoGroup, match="there is no group"):
        Group.named(name)


def test_a_closed_door_on_the_way_is_found(directory: Path) -> None:
    inner = directory / "a" / "b"
    inner.mkdir(parents=True)
    (directory / "a").chmod(0o700)
    assert Group.named(str(STRANGER)).stopped_at(inner / "control.sock") == directory / "a"


async def test_a_daemon_without_its_group_does_not_start(tmp_path: Path) -> None:
    path = tmp_path / "platform.toml"
    path.write_text('control_group = "no-such-group"\n[[host]]\ngame = "hexxagon"\nport = 0\n')
    control = str(tmp_path / "control.sock")
    done = await platform("run", "--config", str(path), "--control", control)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-1] == (
        "platform: control_group: there is no group 'no-such-group'; add it with groupadd --system"
    )


async def test_a_daemon_tells_who_has_asked_and_who_cannot(tmp_path: Path) -> None:
    path, control = tmp_path / "platform.toml", tmp_path / "a" / "control.sock"
    os.chmod(tmp_path, 0o700)
    path.write_text(f'control_group = "{GROUP}"\n[[host]]\ngame = "hexxagon"\nport = 0\n')
    state = str(tmp_path / "state")
    words = ("--config", str(path), "--control", str(control), "--state-dir", state)
    async with running(*words) as daemon:
        assert mode(control) == 0o660
        done = await platform("ctl", "open", "--game", "hexxagon", "--control", str(control))
        assert done.returncode == 0
        path.write_text('[[host]]\ngame = "hexxagon"\nport = 0\n')
        done = await platform("ctl", "reload", "--control", str(control))
        assert "control_group: taken over only when the daemon starts" in done.stdout
        assert await daemon.stop() == 0
        log = await daemon.log()
    if os.getgid() != GROUP:
        assert "organisers cannot reach the socket" in log
    (request,) = [line for line in log.splitlines() if "operation=open" in line]
    assert f"uid={os.getuid()}" in request


# The other side


def ask(console: Console) -> str:
    try:
        console.ask("GET", "status")
    except Failed as problem:
        return problem.message
    return "an answer"


@needs_root
@pytest.mark.parametrize("chosen", [True, False])
async def test_who_may_not_is_told_so(
    directory: Path, monkeypatch: pytest.MonkeyPatch, chosen: bool
) -> None:
    """Nobody says that there is no daemon."""
    monkeypatch.setattr(places, "SERVICE", directory / "run" / "control.sock")
    monkeypatch.setattr(places, "to_call", lambda _: [directory / "none", places.SERVICE])
    console = Console(places.SERVICE if chosen else None)
    listener = await listen(SocketPlace(places.SERVICE))
    for mode_ in (0o700, 0o711):  # the directory is closed, or only the socket
        (directory / "run").chmod(mode_)
        said = as_stranger(lambda: ask(console))
        assert said.startswith(f"not permitted to open {places.SERVICE}: organisers are root")
        assert "control_group" in said
    listener.close()


@needs_root
async def test_who_may_not_is_told_so_by_the_command(directory: Path) -> None:
    control = directory / "control.sock"
    listener = await listen(SocketPlace(control))

    def ask() -> str:
        done = invoke("ctl", "status", "--control", str(control))
        return f"{done.returncode} {done.stderr}"

    said = as_stranger(ask)
    listener.close()
    assert said.startswith(f"1 platform: not permitted to open {control}: organisers are root")


@needs_root
async def test_a_daemon_of_ones_own_is_found_behind_one_that_is_not(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed, own = directory / "closed", directory / "own.sock"
    closed.mkdir(mode=0o700)
    own.touch()
    monkeypatch.setattr(places, "to_call", lambda _: [closed / "control.sock", own])
    assert str(own) in as_stranger(lambda: ask(Console()))
