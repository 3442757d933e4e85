"""Each daemon has a directory of its own, and finds what one of its kind has left."""

import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ludothek.control import places, unix_socket
from ludothek.daemon.guarded import RUNTIME_DIR
from ludothek.daemon.runtime_directory import CannotUse, RuntimeDirectory, place_of_daemon

Find = Callable[..., RuntimeDirectory]


@pytest.fixture
def opened() -> Iterator[list[RuntimeDirectory]]:
    directories: list[RuntimeDirectory] = []
    yield directories
    for directory in directories:
        os.close(directory.lock)


@pytest.fixture
def find(opened: list[RuntimeDirectory]) -> Find:
    def find(environ: dict[str, str], chosen: str | None = None) -> RuntimeDirectory:
        opened.append(RuntimeDirectory.of(environ, chosen))
        return opened[-1]

    return find


def test_it_is_private(tmp_path: Path, find: Find) -> None:
    (tmp_path / "open").mkdir(mode=0o777)
    for name in ("open", "new/below"):
        path = find({}, str(tmp_path / name)).path
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o700


def test_the_one_that_was_chosen_comes_first_and_then_what_systemd_has_made(
    tmp_path: Path, find: Find, monkeypatch: pytest.MonkeyPatch
) -> None:
    systemd, session, chosen = (str(tmp_path / name) for name in ("systemd", "session", "chosen"))
    environ = {"RUNTIME_DIRECTORY": f"{systemd}:other", "XDG_RUNTIME_DIR": session}
    assert find(environ, chosen).path == chosen
    assert find(environ).path == f"{systemd}/durable"
    del environ["RUNTIME_DIRECTORY"]
    assert find(environ).path == f"{session}/ludothek/durable-1"
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert find({}).path == f"{tmp_path}/ludothek-{os.getuid()}/durable-1"


def test_every_daemon_has_its_own_and_the_next_one_gets_what_was_left(
    tmp_path: Path, find: Find, opened: list[RuntimeDirectory]
) -> None:
    environ = {"XDG_RUNTIME_DIR": str(tmp_path)}
    paths = [find(environ).path for _ in range(3)]
    assert [path[-2:] for path in paths] == ["-1", "-2", "-3"]
    os.close(opened.pop(1).lock)
    assert find(environ).path == paths[1]


def test_nobody_shares_one(tmp_path: Path, find: Find) -> None:
    find({}, str(tmp_path))
    with pytest.raises(CannotUse, match="another daemon uses it"):
        find({}, str(tmp_path))


async def test_a_service_has_its_control_socket_beside_it(tmp_path: Path, find: Find) -> None:
    """Systemd makes one directory for both, and each locks the one that it uses."""
    environ = {"RUNTIME_DIRECTORY": str(tmp_path)}
    find(environ)
    place = places.to_listen(environ)
    assert place is not None
    (await unix_socket.listen(place)).close()


@pytest.mark.skipif(os.geteuid() != 0, reason="needs a second user")
def test_nobody_is_led_into_the_directory_of_another_user(tmp_path: Path, find: Find) -> None:
    os.chown(tmp_path, 1, 1)
    with pytest.raises(CannotUse, match="belongs to another user"):
        find({}, str(tmp_path))


def test_one_that_cannot_be_made_says_why(tmp_path: Path, find: Find) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CannotUse, match="file/below: Not a directory"):
        find({}, str(tmp_path / "file" / "below"))


def test_a_guarded_daemon_uses_that_of_its_guardian(tmp_path: Path, find: Find) -> None:
    held = find({}, str(tmp_path)).path
    assert place_of_daemon({RUNTIME_DIR: held}, str(tmp_path)) == held
