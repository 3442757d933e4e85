"""Qwirkle in another process: what is remembered, and that nobody notices."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from games.qwirkle import GAME, rules
from games.qwirkle.messages import (
    BagRequest,
    ClientType,
    ConnectRequest,
    GameJoinRequest,
    GameListRequest,
    LeavingRequest,
    MessageSend,
    PlayTiles,
    ScoreRequest,
    SpectatorJoinRequest,
    TileOnPosition,
    TileSwapRequest,
    TurnTimeLeftRequest,
)
from games.qwirkle.settings import Settings
from games.qwirkle.table import QwirkleTable
from games.qwirkle.tournament import Tournament
from ludothek.contract.orders import Abort, Arrange, Opening, Pause, Resume, Start
from ludothek.testing.dummies import DummyClient
from tests.support.house import House

# Small games, whose bags are soon empty, and nothing that depends on when a client has connected.
SMALL = {"colorShapeCount": 3, "tileCount": 2, "maxHandTiles": 3, "turnTime": 5000}
SETTINGS: dict[str, Any] = {
    "greeting_seconds": 0.0,
    "chats_per_second": 0.0,
    "open_games": 2,
    "ended_games": 3,
    "ended_seconds": 60.0,
}


def house(**settings: Any) -> House:
    return House(GAME, Settings(**SETTINGS | settings))


def connected(found: House, number: int = 1) -> list[DummyClient]:
    clients = [found.connect() for _ in range(number)]
    for client in clients:
        found.say(client, ConnectRequest(f"P{client.number}", ClientType.PLAYER))
    return clients


def open_tournament(found: House, *clients: DummyClient) -> str:
    opening = Opening(name="Cup", settings=SMALL | {"tournament": True, "maxPlayerNumber": 2})
    assert found.ask_reception("open", opening)
    key = [*found.lobbies][-1]
    assert found.ask_reception("seat", key, clients, False)
    return key


# Random play

STEPS = 400


def come(found: House, rng: random.Random) -> None:
    client = found.connect()
    if rng.random() < 0.9:
        kind = ClientType.SPECTATOR if rng.random() < 0.2 else ClientType.PLAYER
        found.say(client, ConnectRequest(f"P{client.number}", kind))


def go(found: House, rng: random.Random) -> None:
    if len(found.clients) > 8:
        found.hang_up(somebody(found, rng))


def somebody(found: House, rng: random.Random) -> DummyClient:
    return found.clients[rng.choice([*found.clients])] if found.clients else found.connect()


def talk(found: House, rng: random.Random) -> None:
    key = int(rng.choice([*found.lobbies, "999"]))
    messages = [
        GameListRequest(),
        GameJoinRequest(key),
        SpectatorJoinRequest(key),
        MessageSend("Hallo"),
        LeavingRequest(),
        ScoreRequest(),
        TurnTimeLeftRequest(),
        BagRequest(),
        ConnectRequest("Nobody", ClientType.PLAYER),
    ]
    found.say(somebody(found, rng), rng.choice(messages))


def join(found: House, rng: random.Random) -> None:
    found.say(somebody(found, rng), GameJoinRequest(int(rng.choice([*found.lobbies]))))


def move(found: House, rng: random.Random) -> None:
    for lobby in [*found.lobbies.values()]:
        table = lobby.table
        if isinstance(table, QwirkleTable) and table.match.started and not table.match.ended:
            position = table.match.position
            client = found.met[position.active.player]
            if action := next(iter(rules.legal_actions(position)), None):
                found.say(client, request(action))


def request(action: Any) -> Any:
    match action:
        case rules.Lay(placements=placements):
            return PlayTiles([TileOnPosition(each.x, each.y, each.tile) for each in placements])
        case rules.Swap(tiles=tiles):
            return TileSwapRequest([*tiles])
    return ScoreRequest()


def wait(found: House, rng: random.Random) -> None:
    found.wait(rng.choice([0.5, 1, 3, 8]))


def organise(found: House, rng: random.Random) -> None:
    tournament = rng.random() < 0.5
    settings = SMALL | {"tournament": tournament, "maxPlayerNumber": 2}
    found.ask_reception("open", Opening(settings=settings))
    guests = rng.sample([*found.clients.values()], min(len(found.clients), 5))
    key = [*found.lobbies][-1]
    for guest in guests if tournament else guests[:2]:
        found.ask_reception("seat", key, [guest], False)
    if rng.random() < 0.5:
        found.order(key, Start())


def order(found: House, rng: random.Random) -> None:
    orders = [*[Start()] * 3, *[Pause(), Resume()] * 4, Arrange(), Abort()]
    found.order(rng.choice([*found.lobbies]), rng.choice(orders))


HAPPENINGS: list[Callable[[House, random.Random], None]] = [
    *[come] * 2,
    go,
    *[talk] * 3,
    *[join] * 3,
    *[move] * 6,
    *[wait] * 2,
    organise,
    *[order] * 3,
]


@pytest.mark.parametrize("seed", range(12))
def test_nobody_notices_that_the_process_has_ended(seed: int) -> None:
    once = house().play(HAPPENINGS, random.Random(seed), STEPS)
    deaths = random.Random(-seed).sample(range(STEPS), 12)
    again = house().play(HAPPENINGS, random.Random(seed), STEPS, deaths)
    assert again.sent == once.sent
    assert again.ended == once.ended
    assert [*again.lobbies] == [*once.lobbies]


def test_random_play_reaches_second_rounds_and_every_kind_of_end() -> None:
    found = [house().play(HAPPENINGS, random.Random(seed), STEPS) for seed in range(12)]
    assert {each.reason for one in found for each in one.ended} == {"regular", "left", "aborted"}
    tables = [table for one in found for table in one.tables.values()]
    cups = [table for table in tables if isinstance(table, Tournament)]
    assert max(cup.summary.facts["round"] for cup in cups) > 1


# What does not come over


def test_who_has_not_said_hello_gets_the_whole_time_again() -> None:
    found = house(greeting_seconds=60.0)
    stranger, friend = found.connect(), connected(found)[0]
    found.wait(50)
    found.restart()
    found.wait(59)
    assert found.heard(stranger) == []
    found.wait(1)
    assert found.heard(stranger) == [b"kicked"]
    assert b"kicked" not in found.heard(friend)


def test_an_open_game_that_is_lost_is_opened_again() -> None:
    found = house()
    assert [*found.lobbies] == ["1", "2"]
    found.restart(lost=["1"])
    assert [*found.lobbies] == ["2", "3"]


def test_a_tournament_goes_on_without_a_game_that_is_lost() -> None:
    found = house(open_games=0)
    clients = connected(found, 4)
    key = open_tournament(found, *clients)
    assert found.order(key, Start())
    first, second = found.tables[key].summary.facts["games"]
    found.restart(lost=[str(first)])
    assert found.order(str(second), Abort(clients[2]))
    assert found.tables[key].summary.facts["winner"] == clients[2].number


def test_participants_of_a_lost_game_can_play_the_next_round() -> None:
    found = house(open_games=0)
    clients = connected(found, 3)
    key = open_tournament(found, *clients)
    found.say(clients[0], GameListRequest())
    assert found.ask_reception("open", Opening(settings=SMALL))
    other = [*found.lobbies][-1]
    assert found.ask_reception("seat", other, clients[:2], False)
    assert not found.order(key, Start())  # only one is in the lobby
    found.restart(lost=[other])
    assert found.order(key, Start())
    assert len(found.tables[key].summary.players) == 3


def test_participants_who_are_gone_are_not_taken_for_present() -> None:
    found = house(open_games=0)
    clients = connected(found, 2)
    key = open_tournament(found, *clients)
    found.hang_up(clients[0])
    found.restart()
    assert not found.order(key, Start())


def test_without_a_memory_of_this_version_no_id_is_used_twice() -> None:
    found = house(open_games=1)
    open_tournament(found, *connected(found, 2))
    keys = {*found.lobbies}
    found.restart(forgetful=True)
    connected(found)
    opening = Opening(name="Another", settings=SMALL)
    assert found.ask_reception("open", opening)
    assert {*found.lobbies} > keys
