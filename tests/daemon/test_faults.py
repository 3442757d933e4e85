"""A port for clients that ask for trouble: they meet faults, and nobody else does."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.lowlevel

from ludothek.daemon.endpoints import CannotListen
from ludothek.kit.embellished import UNKNOWN
from ludothek.runtime.endpoint import Endpoint
from ludothek.settings.config_file import Host, make_host
from tests.daemon.test_endpoints import open_endpoints, server
from tests.support.helpers import Server
from tests.support.hexxagon import start_game
from tests.support.organiser_console import open_client as arrive
from tests.support.program import invoke, platform, running
from transports import open_listeners

CALM = {"delay": 0.0, "cut": 0.0, "merge": 0.0}


def host(game: str = "hexxagon", **faults: Any) -> Host:
    return make_host(game, "test", {}, port=0, faults={"port": 0, **CALM, **faults})


def lab(endpoint: Endpoint) -> Server:
    assert endpoint.lab is not None
    return Server(endpoint, int(endpoint.lab.premises.url.rpartition(":")[2]))


async def test_whoever_asks_for_trouble_plays_with_somebody_who_does_not() -> None:
    troubled = host(cut=1.0, merge=0.5, delay=1.0, delay_ms=5, unknown_fields=1.0, seed=7)
    async with open_endpoints(troubled) as endpoints:
        (endpoint,) = endpoints.all
        async with arrive(lab(endpoint)) as ann, arrive(server(endpoint)) as bob:
            game = await start_game(ann, bob)
            (lobby,) = endpoint.hall.lobbies.values()
            await ann.move(game, 30, 38)
            theirs, ours = await ann.hear("GameStatus"), await bob.hear("GameStatus")
            assert theirs.pop(UNKNOWN)
            assert UNKNOWN not in ours
            assert theirs["board"]["tiles"] == ours["board"]["tiles"]
            assert endpoint.lab is not None
            assert endpoint.lab.clients == 1
            assert {client.host for client in endpoint.clients} == {"127.0.0.1"}
            assert lobby.journal.complete
            assert not any(UNKNOWN.encode() in note.content for note in lobby.journal)


async def test_messages_without_fields_of_a_document_are_a_matter_of_chance() -> None:
    async with open_endpoints(host(unknown_fields=0.5)) as endpoints:
        async with arrive(lab(endpoints.all[0])) as ann:
            found = []
            for _ in range(40):
                await ann.say("GetAvailableLobbies")
                found.append(UNKNOWN in await ann.hear("AvailableLobbies"))
        assert {*found} == {True, False}


async def test_a_connection_that_breaks_is_a_client_that_has_hung_up() -> None:
    async with open_endpoints(host(disconnect=1.0)) as endpoints:
        (endpoint,) = endpoints.all
        stream = await trio.open_tcp_stream("127.0.0.1", lab(endpoint).port)
        async with stream:
            await stream.send_all(b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n")
            await stream.send_all(b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n")
            await stream.send_all(b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
            with trio.fail_after(60):
                while await stream.receive_some():
                    pass
        with trio.fail_after(60):
            while endpoint.clients:
                await trio.lowlevel.checkpoint()
        async with arrive(server(endpoint)) as bob:
            assert await bob.lobbies() == []


async def test_without_faults_there_is_no_lab() -> None:
    async with open_endpoints(make_host("hexxagon", "test", {}, port=0)) as endpoints:
        assert endpoints.all[0].lab is None


async def test_a_reload_opens_and_closes_the_port_and_separates_nobody() -> None:
    plain = make_host("hexxagon", "test", {}, port=0)
    async with open_endpoints(plain) as endpoints:
        (endpoint,) = endpoints.all
        changes = await endpoints.change([host(unknown_fields=1.0)])
        assert changes.changed == ["faults of hexxagon on 127.0.0.1 port 0"]
        port = lab(endpoint)
        async with arrive(port) as ann:
            await endpoints.change([plain])
            assert endpoint.lab is None
            with pytest.raises(OSError, match="connect"):
                await trio.open_tcp_stream("127.0.0.1", port.port)
            assert await ann.lobbies() == []


async def test_a_fault_port_that_is_taken_is_named() -> None:
    (taken,) = await open_listeners("127.0.0.1", 0)
    async with taken:
        port = taken.socket.getsockname()[1]
        with pytest.raises(CannotListen, match=f"faults of hexxagon .*: port {port}: "):
            async with open_endpoints(host(port=port)):
                pass
        async with open_endpoints(host()) as endpoints:
            changes = await endpoints.change([host(port=port)])
            assert f"port {port}" in changes.problems[0]
            assert endpoints.all[0].lab is None
            await taken.aclose()
            changes = await endpoints.change([host(port=port)])  # which tries again
            assert not changes.problems
            async with arrive(lab(endpoints.all[0])) as ann:
                assert await ann.lobbies() == []


async def test_games_over_plain_tcp_have_faults_as_well() -> None:
    async with open_endpoints(host("penguins", cut=1.0, unknown_fields=1.0)) as endpoints:
        (endpoint,) = endpoints.all
        stream = await trio.open_tcp_stream("127.0.0.1", lab(endpoint).port)
        async with stream:
            await stream.send_all(b'<protocol><join gameType="swc_2023_penguins"/>')
            heard, portions = b"", 0
            with trio.fail_after(60):
                while b"<joined" not in heard or not heard.endswith(b">"):
                    heard += await stream.receive_some()
                    portions += 1
        assert UNKNOWN.encode() in heard
        assert portions > 1


async def test_the_log_and_the_status_are_loud(tmp_path: Path) -> None:
    control = str(tmp_path / "control.sock")
    options = ("--faults", "cut=0.5,seed=7", "--faults", "merge=0", "--control", control)
    async with running("--game", "hexxagon", "--port", "0", *options) as daemon:
        status = (await platform("ctl", "--control", control, "status")).stdout
        (loud,) = (line for line in status.splitlines() if line.startswith("FAULTS ARE ON"))
        assert "hexxagon at ws://127.0.0.1:" in loud
        assert "delay 0.1 (up to 200 ms), cut 0.5, seed 7; clients: 0" in loud
        await daemon.logged("faults are on")
        assert await daemon.stop() == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--faults", "cut=2"), "--faults: cut: must be from 0 to 1"),
        (("--faults", "delay_ms=60000"), "--faults: delay_ms: must be from 0 to 5000"),
        (("--faults", "cuts=1"), "did you mean 'cut'?"),
        (("--faults", "cut"), "--faults cut: expected KEY=VALUE"),
        (("--faults", "cut=1", "--game", "penguins"), "--faults needs exactly one --game"),
        (("--faults", "cut=1", "--durable"), "faults and --durable exclude each other"),
    ],
)
def test_mistakes_are_told_in_one_line(options: Sequence[str], words: str) -> None:
    done = invoke("run", "--game", "hexxagon", *options)
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1
