"""Every clause is broken, and named."""

import pytest
from ludothek.api import Malformed
from ludothek.testing.breaches import Case, Cases, breakable, broken, hear_of_breach
from ludothek.testing.fair import Fair, Peer, open_fair
from trio.testing import MockClock

from tictactoe import GAME
from tictactoe.breaches import unreadable

CASES: Cases[Fair] = Cases()
breaks = CASES.breaks


async def arrive(fair: Fair, name: str) -> Peer:
    peer = Peer(fair.connect())
    await peer.say({"type": "Hello", "name": name})
    assert (await peer.hear())["type"] == "Welcome"
    return peer


@breaks("1.1", "")
async def no_json(fair: Fair) -> None:
    await fair.connect().send(b"Hello, I am Ann")


@breaks("1.1", "/type")
async def a_message_of_the_server(fair: Fair) -> None:
    await fair.connect().send(b'{"type": "Welcome", "key": "1"}')


@breaks("ours.many-values", "")
async def a_huge_message(fair: Fair) -> None:
    await fair.connect().send(b'{"type": "Hello", "x": [%b]}' % (b"[]," * 9000 + b"0"))


@breaks("ours.fields", "/name")
async def a_number_for_a_name(fair: Fair) -> None:
    await fair.connect().send(b'{"type": "Hello", "name": 5}')


@breaks("Hello.1", "/type")
async def no_hello(fair: Fair) -> None:
    await fair.connect().send(b'{"type": "ListLobbies"}')


@breaks("Hello.2", "/name")
async def the_name_of_another(fair: Fair) -> None:
    await arrive(fair, "Ann")
    await fair.connect().send(b'{"type": "Hello", "name": "aNN"}')


@breaks("ours.names", "/name")
async def no_name(fair: Fair) -> None:
    await fair.connect().send(b'{"type": "Hello", "name": ""}')


@breaks("Join.1", "/lobby")
async def a_lobby_that_is_not_there(fair: Fair) -> None:
    ann = await arrive(fair, "Ann")
    await ann.say({"type": "Join", "lobby": "nowhere", "spectator": False})


@breaks("Mark.1", "/type")
async def a_mark_before_the_match(fair: Fair) -> None:
    ann = await arrive(fair, "Ann")
    await ann.say({"type": "OpenLobby", "name": "Final"})
    lobby = (await ann.hear())["lobby"]
    await ann.say({"type": "Mark", "lobby": lobby, "move": 0, "cell": 0})


@breaks("ours.free-cell", "/cell")
async def a_cell_that_does_not_exist(fair: Fair) -> None:
    peers = [await arrive(fair, name) for name in ("Ann", "Bob")]
    lobby = ""
    for peer in peers:
        await peer.say({"type": "Join", "spectator": False})
        lobby = (await peer.hear())["lobby"]
    started = await peers[0].hear()
    first = peers[0 if started["x"] == "Ann" else 1]
    await first.say({"type": "Mark", "lobby": lobby, "move": 0, "cell": 9})


@breaks("ours.places", "/type")
async def joining_twice(fair: Fair) -> None:
    ann = await arrive(fair, "Ann")
    for _ in range(2):
        await ann.say({"type": "Join", "spectator": False})


@breaks("ours.late", "/lobby", "ignored")
async def leaving_twice(fair: Fair) -> None:
    ann = await arrive(fair, "Ann")
    await ann.say({"type": "OpenLobby", "name": "Final"})
    lobby = (await ann.hear())["lobby"]
    for _ in range(2):
        await ann.say({"type": "Leave", "lobby": lobby})


@pytest.mark.parametrize("case", CASES, ids=str)
async def test_a_breach_names_its_clause_and_no_other(
    case: Case[Fair], autojump_clock: MockClock
) -> None:
    async with open_fair(GAME, settings=case.settings) as fair:
        await case.play(fair)
        await hear_of_breach(fair.endpoint)
        assert broken(fair.endpoint) == {case.broken}


async def test_no_more_lobbies_than_fit(autojump_clock: MockClock) -> None:
    async with open_fair(GAME, limits={"max_lobbies": 1}) as fair:
        for name in ("Ann", "Bob"):
            peer = await arrive(fair, name)
            await peer.say({"type": "OpenLobby", "name": "Final"})
            await peer.hear()
        assert broken(fair.endpoint) == {("ours.room", "", "refused")}


def test_a_line_without_an_end() -> None:
    flaw = Malformed("a line longer than 65536 bytes").flaw
    assert unreadable(flaw).clause.id == "ours.too-long"


async def test_too_many_refusals(autojump_clock: MockClock) -> None:
    async with open_fair(GAME, settings={"max_refusals": 1}) as fair:
        await fair.connect().send(b"nonsense")
        await hear_of_breach(fair.endpoint)
        assert broken(fair.endpoint) == {("1.1", "", "refused"), ("Refused.1", "", "kicked")}


def test_every_clause_that_can_be_broken_is_broken_here() -> None:
    elsewhere = {"ours.room", "ours.too-long", "Refused.1"}
    assert CASES.clauses | elsewhere == breakable(GAME.clauses)
