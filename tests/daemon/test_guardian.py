"""Whatever happens to a daemon, its guardian holds the sockets and starts it again."""

import ctypes
import json
import os
import resource
import shutil
import signal
import socket
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import trio

from ludothek.daemon.guarded import AGAIN
from ludothek.daemon.starts import FIRST_PAUSE, MOST_FAILURES
from tests.support.guarding import children, guarding
from tests.support.program import PLATFORM, invoke_aside, platform, running
from tests.support.waiting import eventually

LISTEN = "server = socket.create_server(('127.0.0.1', 0)); put('listener', server.fileno())"


async def until_gone(pid: int) -> None:
    """A process whose parent is not us cannot be waited for."""
    with trio.fail_after(60):
        try:
            descriptor = os.pidfd_open(pid)
        except ProcessLookupError:
            return
        try:
            await trio.lowlevel.wait_readable(descriptor)
        finally:
            os.close(descriptor)


def sockets_of(pid: int) -> set[int]:
    """The inodes of the sockets that a process has open."""
    found = set()
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # closed meanwhile
            found.add(descriptor.stat().st_ino)
    return found


async def test_a_killed_daemon_is_started_again_and_whoever_came_meanwhile_is_served(
    tmp_path: Path,
) -> None:
    async with guarding(tmp_path) as guard:
        first = await guard.child()
        assert first.names == []
        await first.do(LISTEN, "tell(address=server.getsockname())", "manager.send(b'READY=1')")
        address = tuple((await first.heard())["address"])
        first.kill(signal.SIGSTOP)
        with socket.create_connection(address) as client:
            client.sendall(b"hello")
            first.kill()
            second = await guard.child()
            assert second.names == ["listener"]
            await second.do(
                "peer, _ = inherited('listener').accept()", "peer.sendall(peer.recv(9))"
            )
            assert await trio.to_thread.run_sync(client.recv, 100) == b"hello"


async def test_a_connection_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    async with guarding(tmp_path) as guard:
        child = await guard.child()
        await child.do(LISTEN, "tell(address=server.getsockname())")
        address = tuple((await child.heard())["address"])
        with socket.create_connection(address) as client:
            await child.do("peer, _ = server.accept(); put('c17', peer.fileno())")
            for number in range(3):
                await child.do(f"peer.sendall(b'{number}')", "manager.send(b'READY=1')")
                assert await trio.to_thread.run_sync(client.recv, 100) == b"%d" % number
                await child.do("tell()")
                await child.heard()
                child.kill()
                client.sendall(b"meanwhile")
                child = await guard.child()
                assert {*child.names} == {"listener", "c17"}
                assert child.environ["LUDOTHEK_RESTARTS"] == str(number + 1)
                await child.do("peer = inherited('c17')", "tell(heard=peer.recv(100).decode())")
                assert await child.heard() == {"heard": "meanwhile"}


async def test_descriptors_keep_their_names_however_they_are_numbered(tmp_path: Path) -> None:
    count = 50
    async with guarding(tmp_path) as guard:
        child = await guard.child()
        await child.do(
            "ends = [socket.socketpair() for _ in range(50)]",
            "[(put(f'a{n}', each[0].fileno()), put(f'b{n}', each[1].fileno()))"
            " for n, each in enumerate(ends)]",
            # So that numbers are free in between.
            "[manager.send(f'FDSTOREREMOVE=1\\nFDNAME={name}{n}'.encode())"
            " for n in range(0, 50, 3) for name in 'ab']",
            "manager.send(b'READY=1')",
            "os.kill(os.getpid(), 9)",
        )
        child = await guard.child()
        left = [n for n in range(count) if n % 3]
        assert {*child.names} == {f"{name}{n}" for n in left for name in "ab"}
        await child.do(
            f"[inherited(f'a{{n}}').send(b'%d' % n) for n in {left}]",
            f"tell(heard=[int(inherited(f'b{{n}}').recv(9)) for n in {left}])",
        )
        assert await child.heard() == {"heard": left}


async def test_what_was_hung_up_by_both_is_forgotten_and_what_was_not_is_not(
    tmp_path: Path,
) -> None:
    async with guarding(tmp_path) as guard:
        child = await guard.child()
        await child.do(LISTEN, "tell(address=server.getsockname())")
        address = tuple((await child.heard())["address"])
        with (
            socket.create_connection(address) as one,
            socket.create_connection(address) as two,
            socket.create_connection(address) as three,
        ):
            one.shutdown(socket.SHUT_WR)
            two.shutdown(socket.SHUT_WR)
            await child.do(
                "peers = [server.accept()[0] for _ in range(3)]",
                "[put(f'c{n}', peer.fileno()) for n, peer in enumerate(peers)]",
                "[peers[n].shutdown(socket.SHUT_WR) for n in (0, 2)]",
                "manager.send(b'READY=1')",
                "tell(inodes=[os.fstat(peer.fileno()).st_ino for peer in peers])",
            )
            first, _, last = (await child.heard())["inodes"]
            pid = guard.process.pid
            eventually(lambda: last in sockets_of(pid) and first not in sockets_of(pid))
            child.kill()
            assert {*(await guard.child()).names} == {"listener", "c1", "c2"}
            assert three.recv(1) == b""


async def test_the_daemon_finds_what_belongs_to_it_and_only_its_user_finds_the_rest(
    tmp_path: Path,
) -> None:
    async with guarding(tmp_path) as guard:
        child = await guard.child()
        assert child.environ["LISTEN_PID"] == str(child.pid)
        assert child.environ["LUDOTHEK_GUARDIAN"] == str(guard.process.pid)
        assert child.environ["LUDOTHEK_RUNTIME_DIR"] == str(guard.directory)
        assert int(child.environ["FDSTORE"]) > 100
        assert "LUDOTHEK_DIED" not in child.environ
        assert child.facts["group"] == child.pid  # a terminal's Ctrl-C reaches only the guardian
        assert stat.S_IMODE(guard.directory.stat().st_mode) == 0o700
        await child.do("tell(files=sorted(map(int, os.listdir('/proc/self/fd'))))")
        # Streams, the lock of the directory, two sockets, and the directory being listed.
        assert len((await child.heard())["files"]) == 3 + 1 + 2 + 1
        child.kill()
        child = await guard.child()
        await child.do("sys.exit(0)")
        assert await guard.code() == 0
        assert not guard.directory.exists()


async def test_only_one_guardian_uses_a_directory_until_its_last_daemon_is_gone(
    tmp_path: Path,
) -> None:
    async with guarding(tmp_path) as guard:
        child = await guard.child()
        await child.do("signal.signal(15, signal.SIG_IGN)", "tell()")
        await child.heard()
        rival = [*PLATFORM, "run", "--durable", "--runtime-dir", str(guard.directory)]
        for _ in range(2):
            done = await trio.run_process(rival, capture_stderr=True, check=False)
            assert done.returncode == 1
            assert done.stderr.decode() == (
                f"platform: runtime directory {guard.directory}: another daemon uses it\n"
            )
            if guard.process.returncode is None:
                guard.process.kill()
                await guard.code()
        child.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1])
async def test_signals_are_passed_on(tmp_path: Path, number: int) -> None:
    async with guarding(tmp_path) as guard:
        child = await guard.child()
        await child.do(f"signal.signal({int(number)}, lambda n, _: tell(signal=n))", "tell()")
        await child.heard()
        for _ in range(2):
            guard.process.send_signal(number)
            assert await child.heard() == {"signal": number}


@pytest.mark.parametrize(
    ("ending", "code"),
    [
        ("sys.exit(0)", 0),
        ("sys.exit(3)", 3),
        (f"sys.exit({AGAIN})", 0),
        ("signal.signal(15, signal.SIG_DFL); os.kill(os.getpid(), 15)", 0),
        ("os.kill(os.getpid(), 9)", 128 + 9),
    ],
)
async def test_a_daemon_that_was_asked_to_end_is_not_started_again(
    tmp_path: Path, ending: str, code: int
) -> None:
    async with guarding(tmp_path) as guard:
        child = await guard.child()
        await child.do("signal.signal(15, lambda *_: tell(heard=True))", "manager.send(b'READY=1')")
        await child.do("tell()")
        await child.heard()
        guard.process.terminate()
        assert await child.heard() == {"heard": True}
        await child.do(ending)
        assert await guard.code() == code


@pytest.mark.parametrize("code", [0, 1, 2, 127])
async def test_a_daemon_that_cannot_start_is_not_started_again(tmp_path: Path, code: int) -> None:
    async with guarding(tmp_path) as guard:
        await (await guard.child()).do(f"sys.exit({code})")
        assert await guard.code() == code
        assert await guard.complained() == ""


@pytest.mark.parametrize("ending", ["sys.exit(1)", f"sys.exit({AGAIN})", "os.abort()"])
async def test_one_that_was_ready_is_started_again_whatever_its_end_was(
    tmp_path: Path, ending: str
) -> None:
    async with guarding(tmp_path) as guard:
        for number in range(2 * MOST_FAILURES):
            child = await guard.child()
            assert child.environ["LUDOTHEK_RESTARTS"] == str(number)
            await child.is_ready()
            await child.do(ending)
        assert float(child.environ["LUDOTHEK_DIED"]) > 0


async def test_a_polite_end_is_the_end(tmp_path: Path) -> None:
    async with guarding(tmp_path) as guard:
        child = await guard.child()
        await child.is_ready()
        await child.do("sys.exit(0)")
        assert await guard.code() == 0


async def test_one_that_fails_again_and_again_is_given_up(tmp_path: Path) -> None:
    async with guarding(tmp_path) as guard:
        child = await guard.child()
        await child.do(LISTEN, "manager.send(b'READY=1')", "tell(address=server.getsockname())")
        address = tuple((await child.heard())["address"])
        child.kill()
        for _ in range(MOST_FAILURES + 1):
            child = await guard.child()
            await child.do("sys.exit(1)")
        assert await guard.code() == 1
        problem = f"the daemon has ended {MOST_FAILURES + 1} times before it was ready"
        assert await guard.complained() == f"platform: {problem}\n"
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(address)


async def test_killing_one_before_it_is_ready_is_no_failure_of_its_own(tmp_path: Path) -> None:
    async with guarding(tmp_path) as guard:
        for _ in range(2 * MOST_FAILURES):
            (await guard.child()).kill()
        killed = trio.current_time()
        child = await guard.child()
        await child.is_ready()
        # Whoever kills may have no memory left for the next one.
        assert trio.current_time() - killed > FIRST_PAUSE * 2**MOST_FAILURES


async def test_connections_wait_until_somebody_mends_the_configuration(tmp_path: Path) -> None:
    async with guarding(tmp_path) as guard:
        await (await guard.child()).do("manager.send(b'READY=1')", "sys.exit(1)")
        for _ in range(8):
            await (await guard.child()).do("sys.exit(2)")
        child = await guard.child()
        assert child.environ["LUDOTHEK_RESTARTS"] == "9"


FORKS_EVERY_SECOND_TIME = """
import errno, itertools, os
fork, tries = os.fork, itertools.count()
def fork_or_fail():
    if next(tries) % 2:
        raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))
    return fork()
os.fork = fork_or_fail
"""


async def test_connections_wait_until_there_is_room_for_a_process(tmp_path: Path) -> None:
    async with guarding(tmp_path, trouble=FORKS_EVERY_SECOND_TIME) as guard:
        child = await guard.child()
        await child.do(LISTEN, "manager.send(b'READY=1')", "sys.exit(1)")
        child = await guard.child()
        assert child.names == ["listener"]
        assert child.environ["LUDOTHEK_RESTARTS"] == "1"
        await child.do("manager.send(b'READY=1')", "sys.exit(0)")
        assert await guard.code() == 0
        problem = "the daemon cannot be started: Resource temporarily unavailable"
        assert await guard.complained() == f"platform: {problem}\n"


async def test_one_success_makes_up_for_all_failures(tmp_path: Path) -> None:
    async with guarding(tmp_path) as guard:
        await (await guard.child()).do("manager.send(b'READY=1')", "sys.exit(1)")
        for _ in range(2):
            for _ in range(MOST_FAILURES - 1):
                await (await guard.child()).do("sys.exit(1)")
            await (await guard.child()).do("manager.send(b'READY=1')", "sys.exit(1)")
        await guard.child()


@pytest.mark.parametrize("ending", ["manager.send(b'READY=1')", "pass"])
async def test_lines_are_printed_once(tmp_path: Path, ending: str) -> None:
    async with guarding(tmp_path) as guard:
        child = await guard.child()
        child.kill()  # before it has said anything
        for _ in range(3):
            child = await guard.child()
            await child.do("manager.send(b'LUDOTHEK_SAY=ready on port 1')", ending)
            await child.do("os.kill(os.getpid(), 9)")
        child = await guard.child()
        await child.do("sys.exit(0)")
        await guard.code()
        assert await guard.said() == "ready on port 1\n"


async def test_nothing_is_printed_after_the_first_daemon_was_ready(tmp_path: Path) -> None:
    async with guarding(tmp_path) as guard:
        first = ["manager.send(b'LUDOTHEK_SAY=ready on port 1')", "manager.send(b'READY=1')"]
        await (await guard.child()).do(*first, "os.kill(os.getpid(), 9)")
        second = "manager.send(b'LUDOTHEK_SAY=ready on port 2')"
        await (await guard.child()).do(second, "sys.exit(0)")
        await guard.code()
        assert await guard.said() == "ready on port 1\n"


async def test_without_its_guardian_the_daemon_ends(tmp_path: Path) -> None:
    async with guarding(tmp_path) as guard:
        child = await guard.child()
        await child.do("signal.signal(15, lambda n, _: tell(signal=n))", "tell()")
        await child.heard()
        guard.process.kill()
        assert await child.heard() == {"signal": signal.SIGTERM}
        child.kill()


async def test_the_workers_of_a_killed_daemon_end_with_it(tmp_path: Path) -> None:
    async with guarding(tmp_path) as guard:
        child = await guard.child()
        await child.do(
            "import subprocess",
            "sleep = 'import time; time.sleep(600)'",  # it does not notice who is gone
            "worker = subprocess.Popen([sys.executable, '-S', '-c', sleep])",
            "tell(worker=worker.pid)",
        )
        worker = (await child.heard())["worker"]
        child.kill()
        await until_gone(worker)


async def test_what_somebody_else_leaves_is_buried(tmp_path: Path) -> None:
    """In a container, the first process inherits all orphans."""

    def adopt_orphans() -> None:
        set_child_subreaper = 36
        ctypes.CDLL(None).prctl(set_child_subreaper, 1, 0, 0, 0)

    async with guarding(tmp_path, preexec_fn=adopt_orphans) as guard:
        child = await guard.child()
        await child.do(
            "signal.signal(1, lambda *_: tell())",
            # Its parent ends at once.
            "os.fork() or os.fork() and os._exit(0) or (tell(orphan=os.getpid()), os._exit(0))",
        )
        orphan = (await child.heard())["orphan"]
        await until_gone(orphan)
        for _ in range(3):  # by then it has looked after everything that was before
            guard.process.send_signal(signal.SIGHUP)
            await child.heard()
        assert str(orphan) not in os.listdir("/proc")


async def test_a_full_guardian_refuses_more_and_goes_on(tmp_path: Path) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))

    async with guarding(tmp_path, preexec_fn=limit) as guard:
        child = await guard.child()
        room = int(child.environ["FDSTORE"])
        assert 0 < room < 64
        await child.do(
            LISTEN,
            f"[put(f'c{{n}}', server.fileno()) for n in range(1, {room} + 20)]",
            "manager.send(b'READY=1')",
            "os.kill(os.getpid(), 9)",
        )
        assert {*(await guard.child()).names} == {
            "listener",
            *(f"c{n}" for n in range(1, room)),
        }


async def test_a_guardian_without_room_says_so(tmp_path: Path) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24))

    async with guarding(tmp_path, preexec_fn=limit) as guard:
        assert (await guard.child()).environ["FDSTORE"] == "0"


# Spare processes

PAIRS = 300  # more than can be passed on at once


async def test_a_spare_process_takes_over_all_that_there_was(tmp_path: Path) -> None:
    async with guarding(tmp_path, stand_by=True) as guard:
        child = await guard.child()
        await child.do(f"ends = [socket.socketpair() for _ in range({PAIRS})]")
        for number in range(3):
            (spare,) = children(child.pid)
            assert children(guard.process.pid) == [child.pid]
            if not number:
                await child.do(
                    "[(put(f'a{n}', each[0].fileno()), put(f'b{n}', each[1].fileno()))"
                    " for n, each in enumerate(ends)]",
                )
            await child.do("manager.send(b'READY=1')", "os.kill(os.getpid(), 9)")
            child = await guard.child()
            assert child.pid == spare
            assert child.environ["LISTEN_PID"] == str(spare)
            assert child.environ["LUDOTHEK_RESTARTS"] == str(number + 1)
            assert {*child.names} == {f"{name}{n}" for n in range(PAIRS) for name in "ab"}
            await child.do(
                f"peers = [inherited(f'{{name}}{{n}}') for n in range({PAIRS}) for name in 'ab']",
                "[each.send(b'%d' % n) for n, each in enumerate(peers[::2])]",
                "tell(heard=[int(each.recv(9)) for each in peers[1::2]])",
            )
            assert await child.heard() == {"heard": [*range(PAIRS)]}


async def test_a_spare_process_has_nothing_that_is_not_its_own(tmp_path: Path) -> None:
    """Otherwise connections would not end when everybody else has closed them."""
    async with guarding(tmp_path, stand_by=True) as guard:
        child = await guard.child()
        await child.do("ends = socket.socketpair(); put('a', ends[0].fileno())")
        await child.do("manager.send(b'READY=1')", "os.kill(os.getpid(), 9)")
        child = await guard.child()
        (spare,) = children(child.pid)
        assert len(os.listdir(f"/proc/{spare}/fd")) == 4  # its streams, and the channel


async def test_without_a_spare_process_the_program_is_called_again(tmp_path: Path) -> None:
    async with guarding(tmp_path, stand_by=True) as guard:
        child = await guard.child()
        (spare,) = children(child.pid)
        await child.is_ready()
        os.kill(spare, signal.SIGKILL)
        child.kill()
        assert (await guard.child()).pid != spare


@pytest.mark.parametrize("ending", [f"sys.exit({AGAIN})", "sys.exit(1)"])
async def test_a_new_program_or_one_that_fails_needs_a_new_process(
    tmp_path: Path, ending: str
) -> None:
    async with guarding(tmp_path, stand_by=True) as guard:
        child = await guard.child()
        await child.do("manager.send(b'READY=1')", "os.kill(os.getpid(), 9)")
        child = await guard.child()
        (spare,) = children(child.pid)
        await child.do(ending)
        assert (await guard.child()).pid != spare
        await until_gone(spare)


async def test_no_spare_process_outlives_its_guardian(tmp_path: Path) -> None:
    async with guarding(tmp_path, stand_by=True) as guard:
        child = await guard.child()
        await child.do("manager.send(b'READY=1')", "os.kill(os.getpid(), 9)")
        child = await guard.child()
        (spare,) = children(child.pid)
        guard.process.kill()
        await until_gone(child.pid)  # this one was a spare process, too
        await until_gone(spare)


# The real daemon


async def test_the_port_of_a_killed_daemon_never_refuses_anybody(tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)}
    arguments = ("--game", "hexxagon", "--port", "0", "--durable")
    async with running(*arguments, env=environment) as daemon:
        guardian = daemon.process.pid
        for _ in range(2):
            (served,) = children(guardian)
            os.kill(served, signal.SIGKILL)
            async with await trio.open_tcp_stream("127.0.0.1", daemon.port) as client:
                await client.send_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                with trio.fail_after(60):
                    assert (await client.receive_some()).startswith(b"HTTP/1.1 426")
        assert await daemon.stop() == 0
        assert daemon.process.stdout is not None
        assert [some async for some in daemon.process.stdout] == []  # no ready lines again


async def test_a_real_daemon_leaves_a_spare_that_reads_the_configuration_again(
    tmp_path: Path,
) -> None:
    config, control = tmp_path / "platform.toml", str(tmp_path / "control.sock")
    config.write_text("[[host]]\ngame = 'hexxagon'\nport = 0\n")
    runtime = str(tmp_path / "runtime")
    arguments = ("--config", str(config), "--durable", "--runtime-dir", runtime)
    async with running(*arguments, "--control", control) as daemon:
        (served,) = children(daemon.process.pid)
        (spare,) = children(served)
        # The same port has another game now.
        config.write_text(f"[[host]]\ngame = 'penguins'\nport = {daemon.port}\n")
        os.kill(served, signal.SIGKILL)
        with trio.fail_after(60):
            status: Any = {}
            while status.get("pid", served) == served:
                done = await invoke_aside("ctl", "status", "--json", "--control", control)
                status = json.loads(done.stdout or "{}")
        assert status["pid"] == spare
        assert [each["url"] for each in status["endpoints"]] == [f"tcp://127.0.0.1:{daemon.port}"]
        assert children(daemon.process.pid) == [spare]
        assert await daemon.stop() == 0


async def test_a_spare_process_that_was_stopped_takes_over_all_the_same(tmp_path: Path) -> None:
    async with guarding(tmp_path, stand_by=True) as guard:
        first = await guard.child()
        await first.is_ready()
        (spare,) = children(first.pid)
        os.kill(spare, signal.SIGSTOP)
        first.kill()
        assert (await guard.child()).pid == spare


async def test_a_runtime_directory_that_was_removed_is_made_again(tmp_path: Path) -> None:
    async with guarding(tmp_path) as guard:
        first = await guard.child()
        await first.do(LISTEN, "manager.send(b'READY=1')", "tell()")
        await first.heard()
        shutil.rmtree(guard.directory)
        first.kill()
        second = await guard.child()
        assert second.names == ["listener"]
        await second.do("put('another', 0)", "tell()")
        await second.heard()
        second.kill()
        assert {*(await guard.child()).names} == {"listener", "another"}
        assert stat.S_IMODE(guard.directory.stat().st_mode) == 0o700


async def test_a_place_whose_name_is_too_long_is_named(tmp_path: Path) -> None:
    directory = tmp_path / ("long" * 30)
    done = await platform("run", "--durable", "--no-web", "--runtime-dir", str(directory))
    assert done.returncode == 1
    assert done.stderr == f"platform: runtime directory {directory}: AF_UNIX path too long\n"
