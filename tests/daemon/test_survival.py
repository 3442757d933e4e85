"""What survives the death of a process, and what only one client or lobby has to suffer."""

import os
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import trio

from ludothek.contract.registry import load
from tests.support.helpers import Peer
from tests.support.hexxagon import HexxagonClient, play_moves, start_game
from tests.support.mortal import Caller, Mortal, mortal
from tests.support.program import invoke_aside
from tests.support.waiting import eventually


async def test_a_client_whose_connection_nobody_has_met_yet_is_met_by_the_next_process(
    tmp_path: Path,
) -> None:
    code = """
        from ludothek.runtime.endpoint import Endpoint
        if LIFE == 1:
            Endpoint.welcome = lambda *_, **__: die()
    """
    async with mortal(tmp_path, code) as daemon:
        client = await daemon.connect()
        assert b"HelloClient" in await client.hear()
        await daemon.end()


async def test_a_connection_is_never_taken_for_another_one_that_was_refused_before(
    tmp_path: Path,
) -> None:
    config = """
        limits.max_connections_per_address = 2
        limits.exempt = []
        [[host]]
        game = 'roborally'
        port = 0
    """
    async with mortal(tmp_path, config=config) as daemon:
        clients = [await daemon.connect() for _ in range(2)]
        for client in clients:
            assert b"HelloClient" in await client.hear()
        for _ in range(3):
            refused = await daemon.connect()
            while await refused.hear():
                pass
        await clients.pop().stream.aclose()
        while b"HelloClient" not in await (client := await daemon.connect()).hear():
            pass  # it takes a moment until there is room again
        clients.append(client)
        status = await daemon.kill()
        assert status["carried"]["connections"] == {"carried": 2, "all": 2}
        for client in clients:
            await client.say(b"nonsense")
            assert b"Error" in await client.hear()
        await daemon.end()


async def test_a_connection_is_not_begun_anew_when_the_ledger_is_lost(tmp_path: Path) -> None:
    code = """
        if LIFE == 2:
            ledger = os.path.join(os.environ["LUDOTHEK_RUNTIME_DIR"], "ledger")
            os.truncate(ledger, 5000)
    """
    async with mortal(tmp_path, code) as daemon:
        client = await daemon.connect()
        assert b"HelloClient" in await client.hear()
        await daemon.kill()
        assert await client.hear() == b""
        assert b"HelloClient" in await (await daemon.connect()).hear()
        await daemon.end()


async def test_a_client_that_cannot_be_written_down_is_the_only_one_that_is_lost(
    tmp_path: Path,
) -> None:
    code = """
        from ludothek.runtime import annals
        introduce = annals.introduce
        annals.introduce = lambda client: 1 / 0 if client.number == 1 else introduce(client)
    """
    async with mortal(tmp_path, code) as daemon:
        clients = [await daemon.connect() for _ in range(3)]
        for client in clients:
            assert b"HelloClient" in await client.hear()
        assert (await daemon.kill())["carried"]["connections"] == {"carried": 3, "all": 3}
        assert await clients[0].hear() == b""
        for client in clients[1:]:
            await client.say(b"nonsense")
            assert b"Error" in await client.hear()
        await daemon.end()


async def test_clients_play_on_when_a_reception_cannot_be_written_down(tmp_path: Path) -> None:
    code = """
        from games.roborally.reception import RoboRallyReception as Reception
        remember = Reception.remember
        Reception.remember = lambda self: 1 / 0 if self._desk.clients_met > 1 else remember(self)
    """
    async with mortal(tmp_path, code) as daemon:
        for _ in range(3):
            assert b"HelloClient" in await (await daemon.connect()).hear()
        assert "cannot be written" in (await daemon.status())["not_durable"]
        assert (await daemon.kill())["carried"]["connections"] == {"carried": 0, "all": 0}
        assert b"HelloClient" in await (await daemon.connect()).hear()
        await daemon.end()


async def test_a_configuration_that_was_changed_does_not_concern_clients_that_were_let_in_before(
    tmp_path: Path,
) -> None:
    """Neither lower limits nor addresses that are not free; but a host that is gone does."""
    config = """
        limits.max_connections_per_address = {}
        limits.exempt = []
        [[host]]
        game = 'roborally'
        port = 0
    """
    gone = "[[host]]\ngame = 'roborally'\nport = 0\n"
    text = f"{config.format(4)}{gone}"
    async with mortal(tmp_path, config=text, endpoints=2) as daemon:
        clients = [await daemon.connect() for _ in range(3)]
        homeless = await daemon.connect(daemon.ports[1])
        for client in (*clients, homeless):
            assert b"HelloClient" in await client.hear()
        taken = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
        game, metrics = [each.getsockname()[1] for each in taken]
        more = f"[[host]]\ngame = 'penguins'\nport = {game}\n"
        text = f"metrics_port = {metrics}\n{config.format(2)}{more}"
        (tmp_path / "platform.toml").write_text(text)
        status = await daemon.kill()
        assert status["carried"]["connections"] == {"carried": 3, "all": 4}
        assert await homeless.hear() == b""
        problems = status["problems"]
        for each in taken:
            each.close()
        assert [problem.split(" on ")[0] for problem in problems] == ["penguins", "metrics"]
        assert b"too many" in await (await daemon.connect()).hear()
        for client in clients:
            await client.say(b"nonsense")
            assert b"Error" in await client.hear()
        for client in clients[:2]:
            await client.stream.aclose()
        while b"HelloClient" not in await (await daemon.connect()).hear():
            pass  # it takes a moment until there is room again
        await daemon.end()


# Dying of what somebody says

HELLO = (
    b'{"messageType":"HelloServer","messageBody":{"group":"g","isAI":false,'
    b'"protocol":"Version 2.0"}}'
)
DEADLY = b'{"messageType":"SendChat","messageBody":{"message":"deadly","to":-1}}'
TWO = "[[host]]\ngame = 'roborally'\nport = 0\n" * 2

# Whoever hears this dies.
DYING = """
    from games.roborally import {module}
    receive = {module}.{listener}.receive
    def listen(self, client, message):
        return os.abort() if "deadly" in repr(message) else receive(self, client, message)
    {module}.{listener}.receive = listen
"""


def dying(module: str, listener: str) -> str:
    return DYING.format(module=module, listener=listener)


async def enter(client: Caller) -> None:
    assert b"HelloClient" in await client.hear()
    await client.say(HELLO)
    assert b"Welcome" in await client.hear()


async def is_heard(client: Caller) -> None:
    await client.say(b"nonsense")
    while line := await client.hear():
        if b"Error" in line:
            return
    raise AssertionError("hung up on")


async def test_a_lobby_that_has_killed_two_processes_is_ended_and_no_other(tmp_path: Path) -> None:
    code = dying("table", "RoboRallyTable")
    async with mortal(tmp_path, code, TWO, endpoints=2) as daemon:
        here, there = [await daemon.connect(port) for port in daemon.ports]
        for client in (here, there):
            await enter(client)
        await here.say(DEADLY)
        status = await daemon.restarted(2)
        assert status["restarts"] == 2
        while await here.hear():
            pass  # it is told goodbye
        await is_heard(there)
        await enter(await daemon.connect())
        assert (await daemon.status())["restarts"] == 2
        log = await daemon.end()
        assert log.count("lobby cannot be repeated") == 1


async def test_a_lobby_goes_on_that_was_at_work_when_somebody_killed_processes(
    tmp_path: Path,
) -> None:
    code = """
        from games.roborally import table
        receive = table.RoboRallyTable.receive
        def listen(self, client, message):
            if "deadly" in repr(message) and LIFE <= 3:
                die()
            return receive(self, client, message)
        table.RoboRallyTable.receive = listen
    """
    async with mortal(tmp_path, code) as daemon:
        client = await daemon.connect()
        await enter(client)
        await client.say(DEADLY)
        await daemon.restarted(3)
        await is_heard(client)
        await daemon.end()


async def test_a_client_that_has_killed_two_processes_is_dropped_and_no_other(
    tmp_path: Path,
) -> None:
    """Whatever it was that it has said, and before it was in any lobby."""
    code = dying("reception", "RoboRallyReception")
    async with mortal(tmp_path, code, TWO, endpoints=2) as daemon:
        here, there = [await daemon.connect(port) for port in daemon.ports]
        await enter(there)
        await here.hear()
        await here.say(DEADLY)
        status = await daemon.restarted(2)
        assert status["restarts"] == 2
        while await here.hear():
            pass  # it is told why
        await is_heard(there)
        await enter(await daemon.connect())
        assert (await daemon.status())["restarts"] == 2
        await daemon.end()


async def test_a_lobby_that_kills_whoever_repeats_it_is_ended_and_no_other(tmp_path: Path) -> None:
    code = """
        from games.roborally import table
        come_in = table.RoboRallyTable.enter
        def enter(self, client, admission):
            first = LIFE > 1 and client.number == 1
            return os.abort() if first else come_in(self, client, admission)
        table.RoboRallyTable.enter = enter
    """
    async with mortal(tmp_path, code, TWO, endpoints=2) as daemon:
        here, there = [await daemon.connect(port) for port in daemon.ports]
        await enter(here)
        await there.hear()
        await daemon.kill()
        while await here.hear():
            pass
        await is_heard(there)
        await daemon.end()


async def test_a_lobby_that_cannot_be_repeated_is_ended_and_no_other(tmp_path: Path) -> None:
    """Not even its table knows who is there."""
    code = """
        from games.roborally import table
        come_in = table.RoboRallyTable.enter
        def enter(self, client, admission):
            return 1 / 0 if LIFE > 1 and client.number == 1 else come_in(self, client, admission)
        table.RoboRallyTable.enter = enter
    """
    async with mortal(tmp_path, code, TWO, endpoints=2) as daemon:
        here, there = [await daemon.connect(port) for port in daemon.ports]
        await enter(here)
        await there.hear()
        await daemon.kill()
        while await here.hear():
            pass
        await is_heard(there)
        assert len([*(tmp_path / "state" / "crashes").iterdir()]) == 1
        await daemon.end()


# Ending on purpose, and ending with the guardian

# Nobody ends it for now.
ENDLESS = """
    import trio
    from ludothek.runtime.endpoint import Endpoint
    if LIFE == 1:
        Endpoint.drain = lambda self: trio.sleep_forever()
"""


async def drain(daemon: Mortal) -> None:
    done = await invoke_aside("ctl", "drain", "--control", str(daemon.control))
    assert done.returncode == 0


async def test_a_daemon_that_is_being_drained_ends_although_it_was_killed(tmp_path: Path) -> None:
    async with mortal(tmp_path, ENDLESS) as daemon:
        await enter(await daemon.connect())
        await drain(daemon)
        os.kill((await daemon.status())["pid"], signal.SIGKILL)
        with trio.fail_after(60):
            assert await daemon.daemon.process.wait() == 0
        assert "drained" in await daemon.daemon.log()
    assert not (tmp_path / "runtime").exists()


async def test_what_has_died_with_its_guardian_is_told_once_and_does_not_concern_the_next_one(
    tmp_path: Path,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        config = f"[[host]]\ngame = 'roborally'\nport = {free.getsockname()[1]}\n"
    async with mortal(tmp_path, ENDLESS, config) as daemon:
        await enter(await daemon.connect())
        await drain(daemon)
        pid = (await daemon.status())["pid"]
        daemon.daemon.process.send_signal(signal.SIGSTOP)
        os.kill(pid, signal.SIGKILL)
        daemon.daemon.process.kill()
        await daemon.daemon.process.wait()
    async with mortal(tmp_path, config=config) as daemon:
        client = await daemon.connect()
        await enter(client)
        await daemon.kill()
        await is_heard(client)
        log = await daemon.end()
    assert log.count("connections of an earlier daemon are gone") == 1
    assert "draining" not in log


async def test_what_a_client_has_said_before_it_hung_up_is_heard_although_nobody_served(
    tmp_path: Path,
) -> None:
    """Also if it has not read everything, so that its system has reset the connection."""
    async with mortal(tmp_path) as daemon:
        clients = [await daemon.connect() for _ in range(2)]
        for number, client in enumerate(clients):
            await enter(client)
            values = b'{"messageType":"PlayerValues","messageBody":{"name":"n","figure":%d}}'
            await client.say(values % number)
            while b"PlayerAdded" not in await client.hear():
                pass
        pid = (await daemon.status())["pid"]
        os.kill(pid, signal.SIGSTOP)
        await clients[0].say(DEADLY)
        clients[0].reset()
        os.kill(pid, signal.SIGKILL)
        while b"deadly" not in (line := await clients[1].hear()):
            assert line
        await daemon.end()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


async def reload(daemon: Mortal, config: str) -> None:
    (daemon.directory / "platform.toml").write_text(config)
    done = await invoke_aside("ctl", "reload", "--control", str(daemon.control))
    assert done.returncode == 0, done.stderr


@asynccontextmanager
async def at_hexxagon(port: int) -> AsyncIterator[HexxagonClient]:
    async with load("hexxagon").transport.connect("127.0.0.1", port) as link:
        yield await HexxagonClient.arrive(Peer(link))


async def test_a_host_that_has_come_back_is_not_taken_for_the_one_that_was_removed(
    tmp_path: Path,
) -> None:
    port = free_port()
    one = "[[host]]\ngame = 'roborally'\nport = 0\n"
    both = f"{one}[[host]]\ngame = 'hexxagon'\nport = {port}\n"
    async with mortal(tmp_path, config=both, endpoints=2) as daemon, AsyncExitStack() as stack:
        ann, bob = [await stack.enter_async_context(at_hexxagon(port)) for _ in range(2)]
        await start_game(ann, bob)
        await reload(daemon, one)
        await reload(daemon, both)
        cy, dan = [await stack.enter_async_context(at_hexxagon(port)) for _ in range(2)]
        game = await start_game(cy, dan)
        status = await daemon.kill()
        # As documented, whoever plays at a host that was removed loses the connection, but nobody
        # takes their seats.
        assert status["carried"] == {
            "matches": {"carried": 1, "all": 2},
            "connections": {"carried": 2, "all": 4},
        }
        states = [(each["name"], each["state"], each["lobbies"]) for each in status["endpoints"]]
        assert ("hexxagon", "open", 1) in states
        await play_moves(game, cy, dan, "30-38")
        await ann.peer.hear_end()
        await bob.peer.hear_end()
        eve, fay = [await stack.enter_async_context(at_hexxagon(port)) for _ in range(2)]
        await start_game(eve, fay)
        assert "a host that was removed ends at once" in await daemon.end()


async def test_a_host_that_nobody_has_come_to_is_as_it_was(tmp_path: Path) -> None:
    port = free_port()
    one = "[[host]]\ngame = 'roborally'\nport = 0\n"
    both = f"{one}[[host]]\ngame = 'qwirkle'\nport = {port}\n"
    async with mortal(tmp_path, config=one) as daemon:
        for config in (both, one, both):
            await reload(daemon, config)
        for _ in range(2):
            status = await daemon.kill()
            (qwirkle,) = [each for each in status["endpoints"] if each["game"] == "qwirkle"]
            assert (qwirkle["state"], qwirkle["lobbies"]) == ("open", 1)
        await daemon.end()


async def test_a_process_that_is_told_to_end_while_it_loads_says_goodbye_to_those_it_inherits(
    tmp_path: Path,
) -> None:
    code = f"""
        if LIFE == 2:
            import pathlib, time
            pathlib.Path({str(tmp_path / "loading")!r}).touch()
            time.sleep(2)
    """
    config = "[[host]]\ngame = 'hexxagon'\nport = 0\n"
    async with mortal(tmp_path, code, config) as daemon, AsyncExitStack() as stack:
        connections = [at_hexxagon(daemon.daemon.port) for _ in range(2)]
        ann, bob = [await stack.enter_async_context(each) for each in connections]
        await start_game(ann, bob)
        os.kill((await daemon.status())["pid"], signal.SIGKILL)
        await trio.to_thread.run_sync(eventually, (tmp_path / "loading").exists)
        assert await daemon.daemon.stop() == 0
        for client in (ann, bob):
            assert (await client.hear("GameStatus"))["isClosed"]
            await client.peer.hear_end()
    assert not (tmp_path / "runtime" / "ledger").exists()
