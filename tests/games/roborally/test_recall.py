"""Robo Rally in another process: what is remembered, and that nobody notices."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from games.roborally import GAME
from games.roborally.match import Match
from games.roborally.messages import HelloServer, PlayerValues, SetStatus
from games.roborally.requests import request
from games.roborally.rules import default_action, legal_actions
from games.roborally.settings import OnDisconnect, Settings
from games.roborally.table import RoboRallyTable
from ludothek.contract.orders import Abort, Pause, Resume, Start
from ludothek.testing.dummies import DummyClient
from tests.support.house import House

STEPS = 500

# Short games, and nothing that depends on when a client has connected.
SETTINGS: dict[str, Any] = {"greeting_seconds": 0.0, "max_rounds": 2, "programming_seconds": 60.0}


def house(**settings: Any) -> House:
    return House(GAME, Settings(**SETTINGS | settings))


def connected(found: House, group: str = "G") -> DummyClient:
    client = found.connect()
    found.say(client, HelloServer(group, False, "Version 2.0"))
    return client


def table_of(found: House) -> RoboRallyTable | None:
    table = next(iter(found.tables.values()), None)
    assert table is None or isinstance(table, RoboRallyTable)
    return table


def match_of(found: House) -> Match | None:
    table = table_of(found)
    return table._match if table else None


# Random play


def come(found: House, rng: random.Random) -> None:
    if len(found.clients) > 5:
        return
    client = connected(found, f"G{rng.randrange(4)}")
    if rng.random() < 0.9 and client.number in found.clients:
        figure = rng.randrange(7)
        found.say(client, PlayerValues(f"Spieler {client.number}", figure))
        found.say(client, SetStatus(True))


def go(found: House, rng: random.Random) -> None:
    if found.clients:
        found.hang_up(somebody(found, rng))


def somebody(found: House, rng: random.Random) -> DummyClient:
    return found.clients[rng.choice([*found.clients])] if found.clients else connected(found)


def talk(found: House, rng: random.Random) -> None:
    messages = [
        HelloServer("G1", False, "Version 2.0"),
        PlayerValues("Nobody", rng.randrange(9)),
        SetStatus(rng.random() < 0.8),
        SetStatus(True),
    ]
    found.say(somebody(found, rng), rng.choice(messages))


def get_ready(found: House, rng: random.Random) -> None:
    for client in tuple(found.clients.values()):
        if match_of(found) is None:
            found.say(client, SetStatus(True))


def move(found: House, rng: random.Random) -> None:
    match, table = match_of(found), table_of(found)
    if match is None or table is None or not match.state.deciding:
        return
    player_id = rng.choice(match.state.deciding)
    member = table._members.player(player_id)
    if member is not None and member.client is not None:
        actions = [*legal_actions(match.state, player_id)]
        action = default_action(match.state, player_id) if rng.random() < 0.3 else None
        said = request(action if action in actions else rng.choice(actions))
        found.say(found.clients[member.client.number], said)


def wait(found: House, rng: random.Random) -> None:
    found.wait(rng.choice([0.3, 2, 31]))


def order(found: House, rng: random.Random) -> None:
    orders = [Start(), *[Pause(), Resume(), Resume()] * 3, Abort()]
    for key in tuple(found.lobbies):
        found.order(key, rng.choice(orders))


HAPPENINGS: list[Callable[[House, random.Random], None]] = [
    *[come] * 3,
    go,
    *[talk] * 3,
    *[get_ready] * 3,
    *[move] * 12,
    *[wait] * 4,
    order,
]


@pytest.mark.parametrize("policy", OnDisconnect)
@pytest.mark.parametrize("seed", range(3))
def test_nobody_notices_that_the_process_has_ended(policy: OnDisconnect, seed: int) -> None:
    once = house(on_disconnect=policy).play(HAPPENINGS, random.Random(seed), STEPS)
    deaths = random.Random(-seed).sample(range(STEPS), 12)
    again = house(on_disconnect=policy).play(HAPPENINGS, random.Random(seed), STEPS, deaths)
    assert again.sent == once.sent
    assert again.ended == once.ended


def test_random_play_reaches_every_kind_of_end() -> None:
    policies = [OnDisconnect.REMOVE, OnDisconnect.RECONNECT]
    found = [
        house(on_disconnect=policy).play(HAPPENINGS, random.Random(seed), STEPS)
        for policy in policies
        for seed in range(3)
    ]
    reasons = [each.reason for one in found for each in one.ended]
    assert {*reasons} == {"max_rounds", "left", "aborted"}
    assert len(reasons) > 20


# Tables that outlive their games


@pytest.mark.parametrize("end", ["an order", "the last round", "hanging up"])
def test_after_a_game_a_table_made_from_the_renewed_recipe_is_the_same(end: str) -> None:
    found = house(idle_rounds=0)
    players = [connected(found, f"G{n}") for n in range(3)]
    for figure, player in enumerate(players[:2]):
        found.wait(7)
        found.say(player, PlayerValues(f"Spieler {figure}", figure))
    for player in players[:2]:
        found.say(player, SetStatus(True))
    assert match_of(found) is not None
    finish(found, end, players)
    assert match_of(found) is None
    (lobby,) = found.lobbies.values()
    assert lobby.notes == []  # nothing before matters
    for figure in (2, 3):
        found.say(connected(found), PlayerValues(f"Spieler {figure}", figure))
    get_ready(found, random.Random(1))
    for _ in range(50):
        move(found, random.Random(1))
    assert match_of(found) is not None
    assert len(lobby.notes) > 50
    found.restart()


def finish(found: House, end: str, players: list[DummyClient]) -> None:
    match end:
        case "an order":
            assert found.order("1", Abort(players[0]))
        case "the last round":
            found.wait(1000)
        case "hanging up":
            found.hang_up(players[0])
            found.hang_up(players[1])


# What does not come over


def test_who_has_not_said_hello_gets_the_whole_time_again() -> None:
    found = house(greeting_seconds=60.0)
    stranger, member = found.connect(), connected(found)
    found.wait(50)
    found.restart()
    found.wait(59)
    assert b"kicked" not in found.heard(stranger)
    found.wait(1)
    assert found.heard(stranger)[-1] == b"kicked"
    assert b"kicked" not in found.heard(member)


def test_a_lobby_that_is_lost_is_opened_again_for_the_next_client() -> None:
    found = house()
    connected(found)
    found.restart(lost=["1"])
    assert [*found.lobbies] == []
    client = connected(found)
    assert [*found.lobbies] == ["2"]
    assert b'"playerID":2' in found.heard(client)[-1]


def test_without_a_memory_of_this_version_newcomers_join_those_who_are_there() -> None:
    found = house()
    first = connected(found, "A")
    found.restart(forgetful=True)
    second = connected(found, "B")
    assert second.places == first.places
    ids = [b'"playerID":%d' % number for number in (1, 2)]
    frames = [b"".join(found.heard(client)).replace(b" ", b"") for client in (first, second)]
    assert [name in frame for name, frame in zip(ids, frames, strict=True)] == [True, True]
