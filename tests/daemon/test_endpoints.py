"""Endpoints that come, change and go while the daemon runs."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import attrs
import pytest
import structlog
import trio

from ludothek.contract.chance import Chance
from ludothek.contract.registry import load
from ludothek.daemon.endpoints import CannotListen, Endpoints
from ludothek.observe import log
from ludothek.runtime.endpoint import Endpoint
from ludothek.runtime.guarded_nursery import Guarded
from ludothek.settings.config_file import Host, make_host
from ludothek.storage.state import StateDirectory
from tests.support.helpers import Server
from tests.support.hexxagon import start_game
from tests.support.organiser_console import SilentReception, meek_game
from tests.support.organiser_console import open_client as arrive
from transports import open_listeners, open_poller


def hexxagon(port: int = 0, **settings: Any) -> Host:
    return make_host("hexxagon", "test", settings, port=port)


def penguins(port: int = 0) -> Host:
    return make_host("penguins", "test", {}, port=port)


@asynccontextmanager
async def open_endpoints(
    *hosts: Host, state: StateDirectory | None = None
) -> AsyncIterator[Endpoints]:
    endpoints = Endpoints(Chance(1), state)
    await endpoints.bind(hosts)
    async with open_poller() as poller, trio.open_nursery() as nursery:
        await endpoints.open(nursery, Guarded(nursery), nursery, poller)
        yield endpoints
        nursery.cancel_scope.cancel()


def server(endpoint: Endpoint) -> Server:
    return Server(endpoint, int(endpoint.url.rpartition(":")[2]))


async def gone(endpoints: Endpoints, endpoint: Endpoint) -> None:
    with trio.fail_after(60):
        while endpoint in endpoints.all:
            await trio.lowlevel.checkpoint()


async def test_what_stays_the_same_is_left_alone() -> None:
    async with open_endpoints(hexxagon(), hexxagon(), penguins()) as endpoints:
        before = list(endpoints.all)
        changes = await endpoints.change([hexxagon(), penguins(), hexxagon()])
        assert attrs.astuple(changes) == ([], [], [], [], [])
        assert endpoints.all == [before[0], before[2], before[1]]  # as they are now listed


async def test_a_new_host_is_opened_beside_the_others() -> None:
    async with open_endpoints(hexxagon()) as endpoints:
        changes = await endpoints.change([penguins(), hexxagon(), hexxagon()])
        names = [endpoint.name for endpoint in endpoints.all]
        assert names == ["penguins", "hexxagon", "hexxagon-2"]
        assert len(changes.opened) == 2
        async with arrive(server(endpoints.all[2])) as client:
            assert await client.lobbies() == []


async def test_a_removed_host_ends_with_its_last_match() -> None:
    async with open_endpoints(hexxagon(), penguins()) as endpoints:
        old = endpoints.all[0]
        async with (
            arrive(server(old)) as ann,
            arrive(server(old)) as bob,
            arrive(server(old)) as cy,
        ):
            game = await start_game(ann, bob)
            waiting = await cy.create()
            await cy.join(waiting)
            changes = await endpoints.change([penguins()])
            assert changes.removed == ["hexxagon on 127.0.0.1 port 0"]
            assert (await cy.hear("LobbyStatus"))["lobby"]["isClosed"]
            await cy.say("CreateNewLobby", lobbyName="another")
            assert not (await cy.hear("LobbyCreated"))["successfullyCreated"]
            with pytest.raises(OSError, match="connect"):
                await trio.open_tcp_stream("127.0.0.1", server(old).port)
            assert old in endpoints.all
            await ann.move(game, 30, 38)
            assert not (await bob.hear("GameStatus"))["isClosed"]
            await bob.say("LeaveGame", gameId=game)
            assert (await bob.hear("GameStatus"))["isClosed"]
            await bob.peer.hear_end()
            await cy.peer.hear_end()
            await gone(endpoints, old)


async def test_new_settings_are_for_new_clients_and_lobbies_and_separate_nobody() -> None:
    async with open_endpoints(hexxagon(max_turns=0)) as endpoints:
        (endpoint,) = endpoints.all
        async with arrive(server(endpoint)) as ann:
            lobby = await ann.create("Alt")
            changes = await endpoints.change([hexxagon(max_strikes=1, max_turns=1)])
            assert changes.changed == ["hexxagon on 127.0.0.1 port 0"]
            assert endpoints.all == [endpoint]
            async with arrive(server(endpoint)) as bob:
                assert [found["lobbyId"] for found in await bob.lobbies()] == [lobby]
                game = await start_game(ann, bob)  # in a lobby of after the change
                await ann.move(game, 30, 38)
                assert (await bob.hear("GameStatus"))["isClosed"]
                await bob.say("Nonsense")
                await bob.hear("Strike")
                await bob.peer.hear_end()


async def test_an_address_goes_over_to_another_game() -> None:
    async with open_endpoints(hexxagon()) as endpoints:
        port = server(endpoints.all[0]).port
        assert (await endpoints.change([hexxagon(port)])).problems == []  # not the same as any port
        changes = await endpoints.change([penguins(port)])
        assert (len(changes.removed), len(changes.opened), changes.problems) == (1, 1, [])


def names(endpoints: Endpoints) -> list[str]:
    return [endpoint.name for endpoint in endpoints.all]


async def test_a_host_that_comes_back_while_it_is_drained_has_its_name_again() -> None:
    async with open_endpoints(hexxagon()) as endpoints:
        (old,) = endpoints.all
        async with arrive(server(old)) as ann, arrive(server(old)) as bob:
            await start_game(ann, bob)
            await endpoints.change([penguins()])
            assert names(endpoints) == ["penguins", "hexxagon"]
            changes = await endpoints.change([hexxagon()])
            assert changes.renamed == ["hexxagon is now hexxagon-old"]
            assert names(endpoints) == ["hexxagon", "hexxagon-old"]
            await endpoints.change([penguins()])
            # The new one is gone at once: there was no match in it.
            assert names(endpoints) == ["penguins", "hexxagon-old"]


async def test_names_are_those_of_the_configuration_after_ports_have_moved() -> None:
    async with open_endpoints(hexxagon(), hexxagon(), penguins()) as endpoints:
        first, second, _ = endpoints.all
        one, two = server(first).port, server(second).port
        assert names(endpoints) == ["hexxagon", "hexxagon-2", "penguins"]
        changes = await endpoints.change([hexxagon(one), hexxagon(two)])
        assert len(changes.opened) == 2  # not the same as any port
        assert names(endpoints)[:2] == ["hexxagon", "hexxagon-2"]
        staying = endpoints.all[1]
        changes = await endpoints.change([hexxagon(two)])
        assert changes.renamed[-1] == "hexxagon-2 is now hexxagon"
        assert (endpoints.all[0], staying.name) == (staying, "hexxagon")
        changes = await endpoints.change([hexxagon(one), hexxagon(two)])
        assert changes.renamed == []  # who stays has it still
        assert names(endpoints)[:2] == ["hexxagon-2", "hexxagon"]


@pytest.mark.parametrize("style", ["console", "json"])
async def test_the_log_calls_clients_by_the_name_of_their_endpoint_as_it_is(
    style: log.LogFormat, capsys: pytest.CaptureFixture[str]
) -> None:
    before = structlog.get_config()
    log.setup(style, verbosity=1)
    async with open_endpoints(hexxagon()) as endpoints:
        async with arrive(server(endpoints.all[0])):
            endpoints.all[0].rename("hexxagon-old")
        await endpoints.all[0].drain()
    structlog.configure(**before)
    (line,) = [line for line in capsys.readouterr().err.splitlines() if "client gone" in line]
    assert "game=hexxagon-old" in line or '"game":"hexxagon-old"' in line


async def test_the_wire_log_moves_with_the_name(tmp_path: Path) -> None:
    state = StateDirectory(tmp_path)
    async with open_endpoints(hexxagon(wire_log=True), state=state) as endpoints:
        (old,) = endpoints.all
        port = server(old).port
        async with arrive(server(old)) as ann, arrive(server(old)) as bob:
            game = await start_game(ann, bob)
            assert old.wire is not None
            old.wire.start(("lobby", next(iter(old.hall.lobbies))))
            await endpoints.change([hexxagon(port, wire_log=True)])
            assert names(endpoints) == ["hexxagon", "hexxagon-old"]
            async with arrive(server(endpoints.all[0])):
                await ann.move(game, 30, 38)
                await bob.hear("GameStatus")
    state.close()
    fresh, old_ = (lines_of(tmp_path / "wire" / f"{n}.jsonl") for n in ("hexxagon", "hexxagon-old"))
    assert [line["endpoint"] for line in fresh if line.get("note") == "on"] == ["hexxagon"] * 2
    assert [line["endpoint"] for line in old_ if line.get("note") == "on"] == ["hexxagon-old"]
    assert [any("GameMove" in line.get("frame", "") for line in log) for log in (fresh, old_)] == [
        *(False, True)
    ]
    assert len(list((tmp_path / "wire" / "hexxagon-old").iterdir())) == 1


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


async def test_an_address_that_cannot_be_opened_is_reported_and_the_rest_applies() -> None:
    async with open_endpoints(hexxagon()) as endpoints:
        (taken,) = await open_listeners("127.0.0.1", 0)
        port = taken.socket.getsockname()[1]
        changes = await endpoints.change([hexxagon(port), hexxagon(max_strikes=1), penguins()])
        (problem,) = changes.problems
        assert f"hexxagon-2 on 127.0.0.1 port {port}: " in problem
        assert "already in use" in problem
        assert len(changes.changed) == len(changes.opened) == 1
        await taken.aclose()
        assert len((await endpoints.change([hexxagon(port), penguins()])).opened) == 1


async def test_an_endpoint_that_cannot_be_opened_is_forgotten() -> None:
    def crash(*_: Any) -> Any:
        raise ZeroDivisionError

    broken = attrs.evolve(hexxagon(), game=attrs.evolve(load("hexxagon"), reception=crash))
    async with open_endpoints(penguins()) as endpoints:
        for _ in range(2):  # not taken for one that is there already
            changes = await endpoints.change([penguins(), broken])
            assert changes.problems == [
                "hexxagon on 127.0.0.1 port 0: cannot be opened; the log says more"
            ]
        with trio.fail_after(60):
            changes = await endpoints.change([penguins(), hexxagon()])
        assert [endpoint.name for endpoint in endpoints.all] == ["penguins", "hexxagon"]
        assert all(endpoint.ready for endpoint in endpoints.all)


async def test_no_permission_for_a_port_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(host: str, port: int) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("ludothek.daemon.ports.open_listeners", refuse)
    with pytest.raises(CannotListen, match=r"^hexxagon on 127.0.0.1 port 80: Permission denied$"):
        await Endpoints(Chance(1)).bind([hexxagon(80)])


async def test_a_game_that_takes_no_new_settings_says_so() -> None:
    game = meek_game("silent", SilentReception)
    old, new = (
        Host(game=game, settings=load("hexxagon").settings(max_strikes=n), host="127.0.0.1", port=0)
        for n in (1, 2)
    )
    async with open_endpoints(old) as endpoints:
        for _ in range(2):  # it has not been forgotten the second time
            changes = await endpoints.change([new])
            assert changes.problems == ["silent takes new settings only when the daemon starts"]
            assert changes.changed == []


async def test_a_host_that_is_just_being_opened_disturbs_neither_the_status_nor_the_end() -> None:
    async with open_endpoints(hexxagon()) as endpoints:
        endpoint = await endpoints._bind(penguins(), "penguins")
        assert str(endpoints) == "endpoints: 2, clients: 0, lobbies: 0"
        endpoints.close()
        for listener in endpoint.premises.listeners:
            await listener.aclose()
