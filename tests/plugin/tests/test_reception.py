"""The conversation outside of lobbies, with the core around it."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import trio
from ludothek.api import GREETING, Complaint, Drop, Explain, Opening, OrderRefused, Send
from ludothek.testing.dummies import DummyClient
from ludothek.testing.fair import Fair, Peer, open_fair
from trio.testing import MockClock

from tictactoe import GAME
from tictactoe.breaches import taken_name
from tictactoe.messages import Hello, Refused
from tictactoe.reception import TicTacToeReception
from tictactoe.settings import Settings

WELCOME = {"type": "Welcome", "key": "1"}


@pytest.fixture
async def fair(autojump_clock: MockClock) -> AsyncIterator[Fair]:
    async with open_fair(GAME, settings={"greeting_seconds": 5}) as fair:
        yield fair


async def ask(peer: Peer, message: str, /, **fields: Any) -> Any:
    await peer.say({"type": message, **fields})
    return await peer.hear()


async def arrive(fair: Fair, name: str) -> Peer:
    peer = Peer(fair.connect())
    assert (await ask(peer, "Hello", name=name))["type"] == "Welcome"
    return peer


async def test_a_client_has_to_say_hello_in_time(fair: Fair, autojump_clock: MockClock) -> None:
    peer = Peer(fair.connect())
    assert await peer.hear() == {"type": "Refused", "reason": "no message for too long"}
    await peer.hear_end()


async def test_whoever_has_said_hello_may_stay(fair: Fair, autojump_clock: MockClock) -> None:
    ann = await arrive(fair, "Ann")
    await trio.sleep(60)
    assert (await ask(ann, "ListLobbies"))["lobbies"] == []


async def test_nothing_goes_before_hello(fair: Fair, autojump_clock: MockClock) -> None:
    peer = Peer(fair.connect())
    assert (await ask(peer, "ListLobbies"))["reason"].startswith("Hello.1 ")
    assert await ask(peer, "Hello", name="Ann") == WELCOME
    assert (await ask(peer, "Hello", name="Ann"))["type"] == "Refused"


@pytest.mark.parametrize("name", ["", " ", "\u202e", "x" * 33, "aNN"])
async def test_names_that_are_refused(fair: Fair, autojump_clock: MockClock, name: str) -> None:
    ann = await arrive(fair, "Ann")
    assert (await ask(Peer(fair.connect()), "Hello", name=name))["type"] == "Refused"
    await ann.link.aclose()
    await arrive(fair, "ann")  # the name is free again


async def test_two_who_want_to_play_meet(fair: Fair, autojump_clock: MockClock) -> None:
    ann, bob = await arrive(fair, "Ann"), await arrive(fair, "Bob")
    joined = await ask(ann, "Join", spectator=False)
    assert await ask(bob, "Join", spectator=False) == joined
    assert (await ann.hear())["type"] == "Started"
    lobbies = (await ask(await arrive(fair, "Carl"), "ListLobbies"))["lobbies"]
    assert lobbies == [
        {"key": joined["lobby"], "name": "Ann", "players": ["Ann", "Bob"], "running": True}
    ]


async def test_a_lobby_is_joined_by_key_or_name(fair: Fair, autojump_clock: MockClock) -> None:
    ann, bob, carl = [await arrive(fair, name) for name in ("Ann", "Bob", "Carl")]
    key = (await ask(ann, "OpenLobby", name="Final"))["lobby"]
    assert await ask(bob, "Join", lobby="Final", spectator=True) == {
        "type": "Joined",
        "lobby": key,
        "spectator": True,
    }
    assert (await ask(carl, "Join", lobby=key, spectator=False))["lobby"] == key
    dora = await arrive(fair, "Dora")
    assert (await ask(dora, "Join", lobby="Final", spectator=False))["type"] == "NotJoined"
    assert (await ask(dora, "Join", lobby="Semifinal", spectator=False))["type"] == "NotJoined"


async def test_limits_are_kept(autojump_clock: MockClock) -> None:
    limits = {"max_lobbies": 1, "max_clients_per_lobby": 2}
    async with open_fair(GAME, limits=limits) as fair:
        ann, bob, carl = [await arrive(fair, name) for name in ("Ann", "Bob", "Carl")]
        assert (await ask(ann, "OpenLobby", name="Final"))["type"] == "Joined"
        assert (await ask(bob, "OpenLobby", name="Semifinal"))["type"] == "NotJoined"
        assert (await ask(bob, "Join", lobby="Final", spectator=True))["type"] == "Joined"
        assert await ask(carl, "Join", lobby="Final", spectator=True) == {
            "type": "NotJoined",
            "reason": "The lobby is full.",
        }


async def test_what_comes_late_is_ignored(fair: Fair, autojump_clock: MockClock) -> None:
    ann = await arrive(fair, "Ann")
    lobby = (await ask(ann, "OpenLobby", name="Final"))["lobby"]
    assert (await ask(ann, "Leave", lobby=lobby))["type"] == "Left"
    await ann.say({"type": "Mark", "lobby": lobby, "move": 0, "cell": 0})
    assert (await ask(ann, "Mark", lobby="other", move=0, cell=0))["type"] == "Refused"
    assert (await ask(ann, "ListLobbies"))["lobbies"] == []


async def test_another_process_knows_who_is_here(fair: Fair, autojump_clock: MockClock) -> None:
    ann, silent, carl = DummyClient(1, name="Ann"), DummyClient(2), DummyClient(3)
    reception = TicTacToeReception(fair.endpoint.hall.desk, Settings(greeting_seconds=5))
    assert [*reception.recall(None, [ann, silent])] == []
    assert [*reception.arrive(carl)] == []
    breach = taken_name("aNN")
    refused = [Explain(carl, breach), Send(carl, Refused(reason=str(breach)))]
    assert [*reception.receive(carl, Hello(name="aNN"))] == refused
    await trio.sleep(5)
    late = [Drop(client, Complaint.SILENT) for client in (silent, carl)]
    assert [*reception.time_up(GREETING)] == late


async def test_organisers_open_lobbies(fair: Fair, autojump_clock: MockClock) -> None:
    foyer = fair.endpoint.hall.foyer
    foyer.open_lobby(Opening(name="Final", settings={"move_seconds": 5}))
    for name in ("Ann", "Bob"):
        peer = await arrive(fair, name)
        await ask(peer, "Join", lobby="Final", spectator=False)
    assert (await peer.hear())["type"] == "Started"
    assert (await peer.hear())["seconds"] == 5
    for wrong in ({"move_seconds": -1}, {"move_seconds": "x"}, {"max_refusals": 1}):
        with pytest.raises(OrderRefused):
            foyer.open_lobby(Opening(settings=wrong))
    with pytest.raises(OrderRefused):
        foyer.open_lobby(Opening(name="\n"))


async def test_a_bot_comes_to_whoever_waits(autojump_clock: MockClock) -> None:
    async with open_fair(GAME, settings={"bots": 1}) as fair:
        ann = await arrive(fair, "Ann")
        await ask(ann, "Join", spectator=False)
        started = await ann.hear()
        assert {started["x"], started["o"]} == {"Ann", "Bot 1"}
        await ann.hear()
        await ann.link.aclose()
