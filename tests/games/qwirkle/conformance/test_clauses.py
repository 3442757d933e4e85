"""Every clause of Qwirkle is broken over a real socket, and the server names it and no other."""

import random
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from math import inf
from typing import Any

import attrs
import pytest
from trio.testing import MockClock

from games.qwirkle import GAME, breaches, rules
from games.qwirkle.messages import PlayTiles, TileOnPosition
from games.qwirkle.refusals import MAX_NAME
from games.qwirkle.rules import Mistake
from ludothek.contract.orders import Pause, Start
from ludothek.runtime.lobby import Lobby
from ludothek.testing.breaches import (
    Case,
    Cases,
    breakable,
    broken,
    explanations,
    hear_of_breach,
    misnamed,
)
from tests.games.qwirkle.party import (
    CALM,
    ELSEWHERE,
    QUIET,
    STILL,
    Guest,
    Message,
    connected,
    open_game,
    party,
    placed,
    seat,
)
from tests.support.helpers import Peer, Server, open_fair, open_server

# Nobody can have six tiles of four kinds without having two that look the same.
FEW_KINDS: dict[str, Any] = {"colorShapeCount": 2, "tileCount": 10}

# The mistakes of organisers, and one for which clients have no message.
NOT_OF_CLIENTS = {Mistake.TOO_FEW_PLAYERS, Mistake.TOO_FEW_TILES, Mistake.CAN_MOVE}


@attrs.frozen
class Stage:
    """A server, three clients of type PLAYER and one of type SPECTATOR in the lobby."""

    server: Server
    anna: Guest
    bert: Guest
    carla: Guest
    xaver: Guest

    async def gather(self, **config: Any) -> Lobby:
        """Anna and Bert are in a game that has not started."""
        lobby = open_game(self.server.endpoint, **{"maxPlayerNumber": 0, **CALM, **config})
        seat(self.server.endpoint, lobby, self.anna, self.bert)
        for player in (self.anna, self.bert):
            await player.hear(303)
        return lobby

    async def start(self, **config: Any) -> Lobby:
        """They play, and it is Anna's turn."""
        lobby = await self.gather(**config)
        lobby.order(Start())
        for player in (self.anna, self.bert):
            await player.hear(400, 408, 409)
        return lobby

    async def move(self, **config: Any) -> None:
        """Anna has laid a tile."""
        await self.start(**config)
        await self.anna.lay_first()
        await self.bert.hear(416)

    async def watch(self, guest: Guest) -> None:
        await self.start()
        await guest.ask(304, 305, gameId=1)


CASES: Cases[Stage] = Cases()
breaks = CASES.breaks


def says(clause: str, pointer: str, message: bytes | Message, **settings: Any) -> None:
    """A message that is wrong by itself."""

    @breaks(clause, pointer, **settings)
    async def play(stage: Stage) -> None:
        await stage.anna.peer.say(message)


def says_inside(clause: str, pointer: str, unique_id: int, **fields: Any) -> None:
    """A message of Anna, whose turn it is."""

    @breaks(clause, pointer)
    async def play(stage: Stage) -> None:
        await stage.start()
        await stage.anna.say(unique_id, **fields)


# Messages that are wrong wherever they are sent

TILE = {"color": 0, "shape": 0, "uniqueId": 0}
says("3.1", "", b"GameListRequest")
says("3.1", "", b"[300]")
says("3.1", "", b'{"uniqueId":300}{"uniqueId":300}')
says("3.2", "/uniqueId", {"messageType": "GameListRequest"})
says("3.5", "", b'{"uniqueId":306,"message":"' + b"\xe4" * 3000 + b'"}')
says("4.1.1", "/uniqueId", {"uniqueId": 301, "games": []})
says("4.1.1", "/uniqueID", {"uniqueID": 101, "clientId": 1})
says("4.2.4", "/gameId", {"uniqueId": 302, "gameId": "Spiel 7"})
says("4.2.4", "/gameId", {"uniqueId": 304, "gameId": 2**31})
says("4.2.4", "/gameID", {"uniqueId": 304, "gameID": None})
says("4.2.4", "/message", {"uniqueId": 306, "message": 5})
says("4.2.4", "/tiles", {"uniqueId": 411, "tiles": TILE})
says("4.2.4", "/tiles/1", {"uniqueId": 411, "tiles": [TILE, 17]})
says("4.2.4", "/tiles/0/color", {"uniqueId": 411, "tiles": [TILE | {"color": "red"}]})
says("4.2.4", "/tiles/0/x", {"uniqueId": 414, "tiles": [{"x": 0.5, "y": 0, "tile": TILE}]})
says("4.4.1", "/uniqueId", {"uniqueId": 200})
says("4.4.1", "/uniqueId", {"uniqueId": "GameListRequest"})
says("4.4.2", "/clientName", {"uniqueId": 100, "clientType": "PLAYER"})
says("4.4.2", "/clientType", {"uniqueId": 100, "clientName": "Anna"})
says("4.4.3", "/gameId", {"uniqueId": 302})
says("4.4.3", "/gameId", {"uniqueId": 304, "game": 7})
says("4.4.4", "/message", {"uniqueId": 306, "text": "hi"})
says("4.4.5", "/tiles", {"uniqueId": 411})
says("4.4.6", "/tiles", {"uniqueId": 414, "updates": []})
says("4.4.7", "/clientType", {"uniqueId": 100, "clientName": "Anna", "clientType": "OBSERVER"})
says("4.4.10", "/tiles/0/uniqueId", {"uniqueId": 411, "tiles": [{"color": 0, "shape": 0}]})
says("4.4.10", "/tiles/0/tile/shape", {"uniqueId": 414, "tiles": [placed({"color": 0})]})
says("4.4.12", "/tiles/0/coordY", {"uniqueId": 414, "tiles": [{"coordX": 0, "tile": TILE}]})
says("4.4.12", "/tiles/0/tile", {"uniqueId": 414, "tiles": [{"x": 0, "y": 0}]})
says("ours.many-values", "", {"uniqueId": 300, "padding": [[]] * 9000})
says("ours.too-long", "", {"uniqueId": 300, "padding": "x" * 70_000})

# Messages that are understood although they are not quite right


def says_so(clause: str, pointer: str, message: bytes | Message) -> None:
    """A message of somebody who arrives, in another dialect."""

    @breaks(clause, pointer, "corrected")
    async def play(stage: Stage) -> None:
        async with stage.server.connect() as peer:
            await peer.say(message)
            await Guest(peer, "Dora").hear(101)


def says_so_inside(clause: str, pointer: str, message: Message) -> None:
    """The same from Anna, in a game."""

    @breaks(clause, pointer, "corrected")
    async def play(stage: Stage) -> None:
        await stage.start()
        await stage.anna.peer.say(message)
        await stage.anna.hear(307)


DORA = {"clientName": "Dora", "clientType": "PLAYER"}
says_so("3.2", "/uniqueID", {**DORA, "uniqueID": 100})
says_so("3.5", "", b'{"clientName":"D\xf6ra","clientType":"PLAYER","uniqueId":100}')
says_so("4.2.4", "/uniqueId", {**DORA, "uniqueId": "100"})
says_so("4.4.7", "/clientType", {**DORA, "clientType": "player", "uniqueId": 100})
says_so("4.4.7", "/clientType", {**DORA, "clientType": "ENGINE_PLAYER", "uniqueId": 100})
says_so_inside("3.2", "/id", {"message": "hi", "id": 306})


@breaks("4.2.4", "/gameId", "corrected")
async def a_number_in_quotes(stage: Stage) -> None:
    await stage.start()
    await stage.carla.ask(304, 305, gameId="1")


@breaks("4.4.3", "/gameID", "corrected")
async def another_name_of_a_field(stage: Stage) -> None:
    await stage.start()
    await stage.carla.ask(304, 305, gameID=1)


@breaks("4.4.10", "/tiles/0/tile/id", "corrected")
async def another_name_of_the_id_of_a_tile(stage: Stage) -> None:
    await stage.start()
    tile = stage.anna.hand[0]
    tile["id"] = tile.pop("uniqueId")
    await stage.anna.lay_first()
    await stage.anna.hear(415, 416)


# Messages that are wrong in the lobby

says("2.1", "/uniqueId", {"uniqueId": 411, "tiles": []})
says("2.1", "/uniqueId", {"uniqueId": 414, "tiles": []})
says("4.2.1", "/gameId", {"uniqueId": 302, "gameId": 77})
says("4.2.1", "/gameId", {"uniqueId": 304, "gameId": -1})
says("5.2", "/uniqueId", {"uniqueId": 100, "clientName": "Anna", "clientType": "PLAYER"})
says("5.8", "/uniqueId", {"uniqueId": 306, "message": "hi"})
says("5.9", "/uniqueId", {"uniqueId": 405})
for question in (417, 419, 421, 423, 425, 498):
    says("5.13", "/uniqueId", {"uniqueId": question})

# Messages that are wrong in a game

says_inside("5.2", "/uniqueId", 100, clientName="Anna", clientType="PLAYER")
says_inside("5.3", "/uniqueId", 300)
says_inside("5.4", "/uniqueId", 302, gameId=1)
says_inside("5.7", "/uniqueId", 304, gameId=1)
says_inside("5.12", "/tiles/0", 411, tiles=[TILE | {"uniqueId": 108}])
says_inside("5.12", "/tiles/1/tile", 414, tiles=[placed(TILE), placed(TILE | {"color": 5})])
says_inside("5.14", "/uniqueId", 423)
says_inside("5.14", "/uniqueId", 425)
says_inside("ours.long-chat", "/message", 306, message="x" * 1001)


async def arrive(stage: Stage, unique_id: int, **fields: Any) -> None:
    """The first message of another client."""
    async with stage.server.connect() as peer:
        await Guest(peer, "Dora").say(unique_id, **fields)
        await hear_of_breach(stage.server.endpoint)


@breaks("4.1.2", "/uniqueId")
async def the_list_before_the_connect_request(stage: Stage) -> None:
    await arrive(stage, 300)


@breaks("4.1.2", "/uniqueId")
async def a_move_before_the_connect_request(stage: Stage) -> None:
    await arrive(stage, 414, tiles=[])


@breaks("ours.long-names", "/clientName")
async def a_long_name(stage: Stage) -> None:
    await arrive(stage, 100, clientName="x" * (MAX_NAME + 1), clientType="PLAYER")


@breaks("5.1", "/uniqueId", "ignored")
async def an_error_in_the_lobby(stage: Stage) -> None:
    await stage.anna.say(910, message="I do not understand", causeId=301)


@breaks("5.1", "/uniqueId", "ignored")
async def an_error_in_a_game(stage: Stage) -> None:
    await stage.start()
    await stage.anna.say(920)


# Joining


@breaks("5.4", "/uniqueId")
async def playing_what_one_watches(stage: Stage) -> None:
    await stage.watch(stage.carla)
    await stage.carla.say(302, gameId=1)


@breaks("5.5", "/gameId")
async def joining_too_late(stage: Stage) -> None:
    await stage.start()
    await stage.carla.say(302, gameId=1)


@breaks("5.6", "/uniqueId")
async def a_spectator_that_joins(stage: Stage) -> None:
    await stage.gather()
    await stage.xaver.say(302, gameId=1)


@breaks("5.7", "/uniqueId")
async def watching_twice(stage: Stage) -> None:
    await stage.watch(stage.xaver)
    await stage.xaver.say(304, gameId=1)


@breaks("6.1", "/gameId")
async def joining_a_full_game(stage: Stage) -> None:
    await stage.gather(maxPlayerNumber=2)
    await stage.carla.say(302, gameId=1)


@breaks("ours.tournaments", "/gameId")
async def joining_a_tournament(stage: Stage) -> None:
    tournament = open_game(stage.server.endpoint, tournament=True, **CALM)
    seat(stage.server.endpoint, tournament, stage.anna, stage.bert)
    tournament.order(Start())
    await stage.anna.hear(303)
    await stage.carla.say(302, gameId=2)


# At the wrong time, or from whoever watches


@breaks("4.4.8", "/uniqueId")
async def a_move_before_the_start(stage: Stage) -> None:
    await stage.gather()
    await stage.anna.say(414, tiles=[])


@breaks("4.4.8", "/uniqueId")
async def a_move_while_the_game_is_paused(stage: Stage) -> None:
    (await stage.start()).order(Pause())
    await stage.anna.hear(403)
    await stage.anna.lay_first()


@breaks("4.4.9", "/uniqueId")
async def a_move_while_everybody_looks_at_another(stage: Stage) -> None:
    await stage.move(**STILL)
    await stage.bert.lay(placed(stage.bert.hand[0], 1))


@breaks("4.4.9", "/uniqueId")
async def two_moves_in_one_turn(stage: Stage) -> None:
    await stage.move(**STILL)
    await stage.anna.lay(placed(stage.anna.hand[1], 1))


@breaks("5.10", "/uniqueId")
async def a_move_out_of_turn(stage: Stage) -> None:
    await stage.start()
    await stage.bert.lay_first()


@breaks("5.10", "/uniqueId")
async def a_swap_out_of_turn(stage: Stage) -> None:
    await stage.start()
    await stage.bert.say(411, tiles=stage.bert.hand)


@breaks("5.11", "/uniqueId")
async def a_move_of_a_spectator(stage: Stage) -> None:
    await stage.watch(stage.xaver)
    await stage.xaver.say(414, tiles=[])


@breaks("5.11", "/uniqueId")
async def a_swap_of_a_player_that_watches(stage: Stage) -> None:
    await stage.watch(stage.carla)
    await stage.carla.say(411, tiles=[])


@breaks("ours.secret-hands", "/uniqueId", secret_hands=True)
async def looking_into_the_hands_of_players(stage: Stage) -> None:
    await stage.watch(stage.xaver)
    await stage.xaver.say(425)


@breaks("ours.much-chat", "/message", chat_burst=1)
async def chatting_too_fast(stage: Stage) -> None:
    await stage.start()
    for _ in range(2):
        await stage.anna.say(306, message="hi")


@breaks("4.3.3", "", "struck")
async def no_move_in_time(stage: Stage) -> None:
    await stage.start(**STILL | {"turnTime": 1})


# Moves that are against the rules


@breaks("4.3.1", "/tiles/1/tile", "struck")
async def laying_a_tile_of_another_hand(stage: Stage) -> None:
    await stage.start()
    await stage.anna.lay(placed(stage.anna.hand[0]), placed(stage.bert.hand[0], 1))


@breaks("4.3.1", "/tiles/0", "struck")
async def swapping_a_tile_of_another_hand(stage: Stage) -> None:
    await stage.start()
    await stage.anna.say(411, tiles=stage.bert.hand[:1])


@breaks("4.3.2", "/tiles", "struck")
async def a_first_move_elsewhere(stage: Stage) -> None:
    await stage.start()
    await stage.anna.lay_first(ELSEWHERE)


@breaks("4.3.2", "/tiles", "refused")
async def a_wrong_move_without_a_penalty(stage: Stage) -> None:
    await stage.start(wrongMove="NOTHING")
    await stage.anna.lay_first(ELSEWHERE)


@breaks("4.3.2", "/tiles", "struck")
async def a_wrong_move_that_costs_the_seat(stage: Stage) -> None:
    await stage.start(wrongMove="KICK")
    await stage.anna.lay_first(ELSEWHERE)


@breaks("4.3.4", "/tiles", "struck")
async def swapping_more_than_the_bag_has(stage: Stage) -> None:
    await stage.start(colorShapeCount=2, tileCount=2, maxHandTiles=3)
    await stage.anna.say(411, tiles=stage.anna.hand)


@breaks("4.4.11", "/tiles/1/tile", "struck")
async def laying_a_tile_twice(stage: Stage) -> None:
    await stage.start()
    await stage.anna.lay(placed(stage.anna.hand[0]), placed(stage.anna.hand[0], 1))


@breaks("4.4.11", "/tiles/2", "struck")
async def swapping_a_tile_twice(stage: Stage) -> None:
    await stage.start()
    await stage.anna.say(411, tiles=[*stage.anna.hand[:2], stage.anna.hand[0]])


@breaks("ours.some-tiles", "/tiles", "struck")
async def laying_nothing(stage: Stage) -> None:
    await stage.start()
    await stage.anna.lay()


@breaks("ours.some-tiles", "/tiles", "struck")
async def swapping_nothing(stage: Stage) -> None:
    await stage.start()
    await stage.anna.say(411, tiles=[])


@breaks("ours.free-cells", "/tiles/1", "struck")
async def two_tiles_on_one_cell(stage: Stage) -> None:
    await stage.start()
    await stage.anna.lay(placed(stage.anna.hand[0]), placed(stage.anna.hand[1]))


@breaks("ours.free-cells", "/tiles/0", "struck")
async def a_tile_on_another(stage: Stage) -> None:
    await stage.move()
    await stage.bert.hear(409)
    await stage.bert.lay_first()


@breaks("ours.one-line", "/tiles", "struck")
async def tiles_across(stage: Stage) -> None:
    await stage.start()
    await stage.anna.lay(placed(stage.anna.hand[0]), placed(stage.anna.hand[1], 1, 1))


@breaks("ours.one-line", "/tiles", "struck")
async def a_gap(stage: Stage) -> None:
    await stage.start()
    await stage.anna.lay(placed(stage.anna.hand[0]), placed(stage.anna.hand[1], 2))


@breaks("ours.contact", "/tiles", "struck")
async def a_tile_far_away(stage: Stage) -> None:
    await stage.move()
    await stage.bert.hear(409)
    await stage.bert.lay_first(ELSEWHERE)


@breaks("ours.matching", "/tiles", "struck")
async def two_tiles_that_look_the_same(stage: Stage) -> None:
    await stage.start(**FEW_KINDS)
    kinds: dict[tuple[int, int], list[Message]] = {}
    for tile in stage.anna.hand:
        kinds.setdefault((tile["color"], tile["shape"]), []).append(tile)
    one, two, *_ = max(kinds.values(), key=len)
    await stage.anna.lay(placed(one), placed(two, 1))


# The tests


@asynccontextmanager
async def open_stage(settings: Mapping[str, Any]) -> AsyncIterator[Stage]:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(open_server("qwirkle", {**QUIET, **settings}))
        players = await stack.enter_async_context(connected(server, "Anna", "Bert", "Carla"))
        watching = connected(server, "Xaver", client_type="SPECTATOR")
        yield Stage(server, *players, *await stack.enter_async_context(watching))


@pytest.mark.parametrize("case", CASES, ids=str)
async def test_a_breach_names_its_clause_and_no_other(case: Case[Stage]) -> None:
    async with open_stage(case.settings) as stage:
        await case.play(stage)
        await hear_of_breach(stage.server.endpoint)
        assert broken(stage.server.endpoint) == {case.broken}
        (explanation,) = explanations(stage.server.endpoint)
        assert explanation.breach.came


async def test_whoever_does_not_say_who_it_is_is_told_which_clause_ends_it(
    autojump_clock: MockClock,
) -> None:
    async with open_fair("qwirkle") as fair:
        await Peer(fair.connect(), limit=inf).hear_end()
        assert broken(fair.endpoint) == {("ours.greeting", "", "kicked")}


async def test_a_silent_player_is_told_which_clauses_cost_its_seat(
    autojump_clock: MockClock,
) -> None:
    async with (
        open_fair("qwirkle", settings={"idle_turns": 1}) as fair,
        connected(fair, "Anna", "Bert") as players,
    ):
        for player in players:
            await player.say(302, gameId=1)
        await players[0].hear(303, 400, 408, 409, 406)
        assert [
            (each.breach.clause.id, each.consequence.value) for each in explanations(fair.endpoint)
        ] == [
            ("4.3.3", "struck"),
            ("ours.idle-turns", "struck"),
        ]


async def test_a_game_with_too_many_clients_is_crowded() -> None:
    async with party(players=2, spectators=0, limits={"max_clients_per_lobby": 2}) as found:
        async with connected(found.server, "Carla") as (carla,):
            await carla.refused(920, 304, gameId=1)
        assert broken(found.endpoint) == {("ours.crowded", "/gameId", "refused")}


def test_every_bad_example_that_cannot_be_read_breaks_its_clause() -> None:
    assert misnamed(GAME, lambda message: breaches.unreadable(message.flaw)) == {}


def test_every_clause_that_can_be_broken_is_broken_here() -> None:
    elsewhere = {"ours.greeting", "ours.idle-turns", "ours.crowded"}
    assert breakable(GAME.clauses) == CASES.clauses | elsewhere


async def test_people_read_what_is_wrong_and_programmers_read_which_clause_says_so() -> None:
    async with open_stage({}) as stage:
        await stage.start()
        error = await stage.bert.refused(920, 411, tiles=[])
        assert error["message"] == (
            "Der Spieler ist nicht am Zug. (5.10 /uniqueId: expected 411 (TileSwapRequest) of "
            f"client {stage.anna.client_id}; came that of client {stage.bert.client_id})"
        )


@pytest.mark.parametrize("mistake", [each for each in Mistake if each not in NOT_OF_CLIENTS])
def test_every_mistake_of_players_breaks_a_clause(mistake: Mistake) -> None:
    state = rules.start(rules.Variant(), (1, 2), random.Random(1))
    move = PlayTiles([TileOnPosition(0, 0, state.active.hand[0])] * 2)
    breach = breaches.against_the_rules(mistake, move, state)
    assert GAME.clauses[breach.clause.id] is breach.clause
    assert breach.expected
    assert breach.came
