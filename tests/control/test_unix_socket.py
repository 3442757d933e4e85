"""The socket file: its mode, and whose it is when there is one already."""

import fcntl
import os
import socket
import stat
from pathlib import Path

import pytest
import trio

from ludothek.control import places, unix_socket
from ludothek.control.places import SocketPlace
from ludothek.control.unix_socket import UnixListener, listen


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def leave_stale(path: Path) -> None:
    """What a daemon leaves that was killed: a file nobody listens at."""
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))


async def test_only_this_user_may_open_it(tmp_path: Path) -> None:
    path = tmp_path / "new" / "er" / "control.sock"
    before = os.umask(0)
    try:
        listener = await listen(SocketPlace(path))
        assert os.umask(0) == 0
    finally:
        os.umask(before)
    assert [mode(p) for p in (path, path.parent, path.parent.parent)] == [0o600, 0o700, 0o700]
    listener.close()
    assert not path.exists()


async def test_an_existing_directory_is_left_as_it_is(tmp_path: Path) -> None:
    os.chmod(tmp_path, 0o755)
    (await listen(SocketPlace(tmp_path / "control.sock"))).close()
    assert mode(tmp_path) == 0o755
    assert os.listdir(tmp_path) == []


async def test_a_stale_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "control.sock"
    leave_stale(path)
    listener = await listen(SocketPlace(path))
    async with await trio.open_unix_socket(str(path)):
        pass
    listener.close()


async def test_a_live_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "control.sock"
    listener = await listen(SocketPlace(path))
    with pytest.raises(OSError, match="another daemon listens there"):
        await listen(SocketPlace(path))
    async with await trio.open_unix_socket(str(path)):
        pass
    listener.close()


async def test_a_live_one_with_a_full_queue_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "control.sock"
    with socket.socket(socket.AF_UNIX) as busy, socket.socket(socket.AF_UNIX) as waiting:
        busy.bind(str(path))
        busy.listen(0)
        waiting.connect(str(path))
        with pytest.raises(OSError, match="another daemon listens there"):
            await listen(SocketPlace(path))


async def test_of_many_that_start_at_once_one_wins(tmp_path: Path) -> None:
    path = tmp_path / "control.sock"
    leave_stale(path)
    won: list[UnixListener] = []
    lost: list[OSError] = []

    async def start() -> None:
        try:
            won.append(await listen(SocketPlace(path)))
        except OSError as error:
            lost.append(error)

    async with trio.open_nursery() as nursery:
        for _ in range(10):
            nursery.start_soon(start)
    assert (len(won), len(lost)) == (1, 9)
    async with await trio.open_unix_socket(str(path)):
        pass
    won[0].close()


async def test_a_locked_directory_is_not_waited_for_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unix_socket, "LOCK_SECONDS", 0.05)
    directory = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(directory, fcntl.LOCK_EX)
    with pytest.raises(OSError, match="its directory is locked by another program"):
        await listen(SocketPlace(tmp_path / "control.sock"))
    os.close(directory)
    (await listen(SocketPlace(tmp_path / "control.sock"))).close()


async def test_a_file_of_another_kind_is_never_removed(tmp_path: Path) -> None:
    path = tmp_path / "precious"
    path.write_text("treasure")
    with pytest.raises(OSError, match="the path exists and is not a socket"):
        await listen(SocketPlace(path))
    assert path.read_text() == "treasure"


@pytest.mark.parametrize("path", ["x" * 200, "precious/control.sock"])
async def test_an_impossible_path_is_an_error(tmp_path: Path, path: str) -> None:
    (tmp_path / "precious").write_text("treasure")
    with pytest.raises(OSError, match=r".+"):
        await listen(SocketPlace(tmp_path / path))


async def test_the_file_of_a_successor_is_not_removed(tmp_path: Path) -> None:
    path = tmp_path / "control.sock"
    old = await listen(SocketPlace(path))
    path.rename(tmp_path / "moved")
    new = await listen(SocketPlace(path))
    old.close()
    async with await trio.open_unix_socket(str(path)):
        pass
    new.close()


async def test_a_guess_in_a_foreign_directory_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    me = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: me + 1)
    with pytest.raises(PermissionError, match="belongs to another user"):
        await listen(SocketPlace(tmp_path / "control.sock", chosen=False))
    assert places.to_call({"XDG_RUNTIME_DIR": str(tmp_path)}) == [places.SERVICE]
    (await listen(SocketPlace(tmp_path / "control.sock"))).close()


def test_where_a_daemon_listens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    session = {"XDG_RUNTIME_DIR": "/run/user/7"}
    service = {"RUNTIME_DIRECTORY": "/run/ludothek:/run/other"}
    own = tmp_path / f"ludothek-{os.getuid()}" / "control.sock"
    assert places.to_listen(session) == SocketPlace(
        Path("/run/user/7/ludothek/control.sock"), chosen=False
    )
    assert places.to_listen(session | service) == SocketPlace(places.SERVICE, chosen=False)
    assert places.to_listen({}) == SocketPlace(own, chosen=False)


def test_where_an_organiser_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    session = {"XDG_RUNTIME_DIR": str(tmp_path)}
    assert places.to_call(session) == [places.SERVICE]
    near = tmp_path / "ludothek" / "control.sock"
    far = tmp_path / f"ludothek-{os.getuid()}" / "control.sock"
    near.parent.mkdir()
    far.parent.mkdir()
    assert places.to_call(session) == [near, places.SERVICE, far]
