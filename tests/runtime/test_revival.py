"""What an endpoint still knows after the process has died, besides its tables."""

import random
from collections.abc import AsyncIterator, Iterable, Sequence
from pathlib import Path
from typing import Any, ClassVar, cast

import attrs
import orjson
import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from games.hexxagon import GAME
from ludothek.contract.client import Client
from ludothek.contract.effects import Admit, Effects, Open
from ludothek.contract.player import PlayerOptions, Utterance
from ludothek.daemon.rehearsal import homeless
from ludothek.runtime.recovery import Past
from ludothek.testing.phoenix import Phoenix
from tests.runtime import test_rerun
from tests.runtime.test_rerun import Doorkeeper, Parlour, Recipe, Visitor
from transports import Farewell


@pytest.fixture
async def phoenix(autojump_clock: MockClock) -> AsyncIterator[Phoenix]:
    async with trio.open_nursery() as nursery:
        yield Phoenix(nursery, GAME, 1, {})
        nursery.cancel_scope.cancel()


async def test_ids_are_never_drawn_twice(phoenix: Phoenix) -> None:
    for _ in range(3):
        phoenix.connect()
        await wait_all_tasks_blocked()
        phoenix.die()
    await wait_all_tasks_blocked()
    assert len({client.key for client in phoenix.endpoint.clients}) == 3


async def test_an_endpoint_that_is_being_drained_opens_nothing_in_another_life(
    phoenix: Phoenix,
) -> None:
    phoenix.connect()
    await wait_all_tasks_blocked()
    phoenix.endpoint.hall.drain()
    phoenix.connect()
    await wait_all_tasks_blocked()
    phoenix.die()
    assert phoenix.endpoint.hall.draining


async def test_counters_go_on(phoenix: Phoenix) -> None:
    phoenix.endpoint.hall.crashes = 2
    phoenix.connect()
    await wait_all_tasks_blocked()
    phoenix.die()
    assert (phoenix.endpoint.clients.met, phoenix.endpoint.hall.crashes) == (1, 2)


async def test_clients_that_were_recorded_are_recorded_in_the_next_life(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with trio.open_nursery() as nursery:
        phoenix = Phoenix(nursery, GAME, 1, {"wire_log": True}, tmp_path)
        link = phoenix.connect()
        await wait_all_tasks_blocked()
        phoenix.die()
        link.post(b'{"messageType": "Nonsense"}')
        await wait_all_tasks_blocked()
        assert phoenix.endpoint.state is not None
        phoenix.endpoint.state.close()
        nursery.cancel_scope.cancel()
    lines = (tmp_path / "wire" / "hexxagon.jsonl").read_bytes().splitlines()
    entries = [orjson.loads(line) for line in lines]
    since = [each.get("note") for each in entries].index("carried over")
    heard = next(each for each in entries[since:] if each.get("dir") == "in")
    assert "Nonsense" in heard["frame"]


async def test_nothing_is_kept_of_an_endpoint_that_was_removed(phoenix: Phoenix) -> None:
    phoenix.connect()
    await wait_all_tasks_blocked()
    annals = phoenix.endpoint.hall.annals
    assert annals is not None
    phoenix.endpoint.retire()
    await phoenix.endpoint.run_out()
    annals.chronicle.settle()
    assert annals.chronicle.annals == []


# People in several lobbies


class Janitor(Doorkeeper):
    """Opens two lobbies. Everybody is in the parlour, the first client also in the attic, and the
    last one only there."""

    recalled: Sequence[Client] = ()

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.left: list[int] = []

    def begin(self) -> Effects:
        yield from super().begin()
        chance = self._desk.chance_for("attic")
        recipe = Recipe(self._settings, ("attic",))
        yield Open("attic", Parlour(recipe, self._desk.clock, chance.random()), chance)

    def arrive(self, client: Client) -> Effects:
        client.visitor = Visitor()
        if client.number != 3:
            yield Admit(client, "parlour", "polite", listen=False)
        if client.number != 2:
            yield Admit(client, "attic", "curious", listen=False)

    def receive(self, client: Client, message: Any) -> Effects:
        if message == "again":
            yield Admit(client, "parlour", "back", listen=False)
        elif message == "open":
            chance = self._desk.chance_for("cellar")
            table = Parlour(Recipe(self._settings), self._desk.clock, chance.random())
            yield Open("cellar", table, chance, client)
        else:
            yield from super().receive(client, message)

    def leave(self, client: Client) -> Effects:
        self.left.append(client.number)
        return ()

    def recall(self, memory: Any, clients: Sequence[Client]) -> Effects:
        self.recalled = clients
        return ()


HOUSE = attrs.evolve(test_rerun.GAME, reception=Janitor)


@pytest.fixture
async def house(autojump_clock: MockClock) -> AsyncIterator[Phoenix]:
    async with trio.open_nursery() as nursery:
        yield Phoenix(nursery, HOUSE, 1, {})
        nursery.cancel_scope.cancel()


def janitor(house: Phoenix) -> Janitor:
    reception = house.endpoint.hall.foyer.reception
    assert isinstance(reception, Janitor)
    return reception


def present(house: Phoenix, lobby: str) -> list[int]:
    return [client.number for client in house.endpoint.hall.lobbies[lobby].clients]


async def test_clients_are_in_a_lobby_in_the_order_in_which_they_have_come(house: Phoenix) -> None:
    links = []
    for _ in range(5):
        links.append(house.connect())
        await wait_all_tasks_blocked()
    await links[1].send(b"go")
    await links[0].send(b"again")
    await wait_all_tasks_blocked()
    await links[1].send(b"again")
    await wait_all_tasks_blocked()
    before = [present(house, lobby) for lobby in ("parlour", "attic")]
    house.die()
    assert [present(house, lobby) for lobby in ("parlour", "attic")] == before
    assert before == [[1, 4, 5, 2], [1, 3, 4, 5]]


async def test_a_client_whose_end_was_heard_is_neither_recalled_nor_heard_of_again(
    house: Phoenix,
) -> None:
    """Its last words may still be on their way."""
    for _ in range(3):
        house.connect()
        await wait_all_tasks_blocked()
    (gone,) = [each for each in house.endpoint.clients if each.number == 2]
    house.endpoint.hall.foyer.part(gone)
    gone.close(Farewell.DONE)
    house.die()
    await wait_all_tasks_blocked()
    assert {client.number for client in janitor(house).recalled} == {1, 3}
    assert janitor(house).left == []
    assert {client.number for client in house.endpoint.clients} == {1, 3}
    assert present(house, "parlour") == [1]


async def test_clients_of_a_lost_lobby_go_on_in_others(
    house: Phoenix, monkeypatch: pytest.MonkeyPatch
) -> None:
    links = []
    for _ in range(3):
        links.append(house.connect())
        await wait_all_tasks_blocked()
    make = Parlour.__init__

    def make_no_attic(self: Parlour, recipe: Recipe, *args: Any) -> None:
        if recipe.said == ("attic",):
            raise ZeroDivisionError
        make(self, recipe, *args)

    monkeypatch.setattr(Parlour, "__init__", make_no_attic)
    house.die()
    await wait_all_tasks_blocked()
    assert [*house.endpoint.hall.lobbies] == ["parlour"]
    assert [link.other.farewell for link in links] == [None, None, Farewell.FAULT]
    for link in links[:2]:
        link.received()
        await link.send(b"hello")
        await wait_all_tasks_blocked()
        assert b"hello" in link.received()[-1]


async def test_a_lobby_still_counts_for_whoever_has_opened_it(house: Phoenix) -> None:
    link = house.connect()
    await wait_all_tasks_blocked()
    await link.send(b"open")
    house.die()
    (client,) = house.endpoint.clients
    assert house.endpoint.hall.lobbies["cellar"].opened_from == client.origin


async def test_a_match_counts_for_those_who_saw_it_begin(house: Phoenix) -> None:
    """Also if they leave in another life."""
    link = house.connect()
    await wait_all_tasks_blocked()
    await link.send(b"begin")
    house.die()
    await wait_all_tasks_blocked()
    link.close()
    await wait_all_tasks_blocked()
    house.die()
    lobby = house.endpoint.hall.lobbies["parlour"]
    assert (present(house, "parlour"), lobby.match_runs) == ([], True)
    assert lobby.bout.hosts == {"this server"}


async def test_who_plays_where_nobody_would_serve_is_known_beforehand(house: Phoenix) -> None:
    def lost(name: str, host: str, port: int) -> str | None:
        return homeless(Past(house.entries), [("other", "*", 1), (name, host, port)])

    name, host, port = house.endpoint.identity.split(" ")
    assert lost(name, host, int(port) + 1) is None  # nobody is there
    house.connect()
    await wait_all_tasks_blocked()
    moved = lost(name, host, int(port) + 1)
    assert moved
    assert moved.startswith(f"{name} on {host} port {port} is not configured")
    assert lost(name, host, int(port)) is None
    assert lost(name, host, 0) is None  # whichever is free


async def test_slow_work_that_was_not_done_is_done_in_the_next_life(house: Phoenix) -> None:
    link = house.connect()
    await wait_all_tasks_blocked()
    await link.send(b"work")
    house.die()
    with trio.fail_after(60):
        while b"worked it" not in cast("bytes", await link.receive()):
            pass


# Bots


class Quiet:
    """A player that only draws a number."""

    drawn: ClassVar[list[float]] = []

    def __init__(self, options: PlayerOptions, rng: random.Random) -> None:
        self.drawn.append(rng.random())

    def greet(self) -> Iterable[Utterance]:
        return ()

    def hear(self, message: Any) -> Iterable[Utterance]:
        return ()

    def idle(self) -> Iterable[Utterance]:
        return ()


async def test_bots_that_come_again_cannot_be_predicted_from_earlier_ones(
    autojump_clock: MockClock,
) -> None:
    """Neither in the same process nor in the next one."""
    Quiet.drawn.clear()
    async with trio.open_nursery() as nursery:
        house = Phoenix(nursery, attrs.evolve(HOUSE, player=Quiet), 1, {"bots": 1})
        for deaths in (0, 1, 1):
            person = house.connect()
            await wait_all_tasks_blocked()
            person.close()
            await wait_all_tasks_blocked()
            assert not house.endpoint.clients
            for _ in range(deaths):
                house.die()
        nursery.cancel_scope.cancel()
    assert len({*Quiet.drawn}) == 6


async def test_bots_that_are_there_go_on_and_no_others_come(autojump_clock: MockClock) -> None:
    """Whatever the configuration says meanwhile about lobbies that will be opened."""
    Quiet.drawn.clear()
    async with trio.open_nursery() as nursery:
        house = Phoenix(nursery, attrs.evolve(HOUSE, player=Quiet), 1, {"bots": 1})
        house.connect()
        for bots in (1, 0, 2):
            await wait_all_tasks_blocked()
            assert present(house, "parlour") == [1, 2]
            house.die({"bots": bots})
        await wait_all_tasks_blocked()
        assert present(house, "parlour") == [1, 2]
        nursery.cancel_scope.cancel()
    assert len(Quiet.drawn) == 2  # one for each lobby
