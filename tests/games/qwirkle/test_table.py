"""A Qwirkle table without Trio: rare positions, refills, ends, orders."""

import random
from collections.abc import Iterable
from typing import Any

import attrs
import pytest

from games.qwirkle import rules
from games.qwirkle.configuration import BUILT_IN, Configuration, Milliseconds
from games.qwirkle.member import Admission
from games.qwirkle.messages import (
    AbortGame,
    ClientInfo,
    ClientType,
    CurrentPlayer,
    EndGame,
    GameDataRequest,
    GameDataResponse,
    GameJoinAccepted,
    LeavingPlayer,
    LeavingRequest,
    Message,
    MoveValid,
    PlayTiles,
    SendTiles,
    StartGame,
    StartTiles,
    TileOnPosition,
    TileSwapRequest,
    TileSwapResponse,
    TileSwapValid,
    Update,
    Winner,
)
from games.qwirkle.notices import Forget, GameOver, PlayerCame
from games.qwirkle.recipe import Recipe
from games.qwirkle.rules import Placement, Refill, Seat, State, Tile
from games.qwirkle.settings import Settings
from games.qwirkle.table import QwirkleTable
from ludothek.contract.clock import Clock
from ludothek.contract.effects import Close, Effect, Inform, Release, Send
from ludothek.contract.orders import (
    Abort,
    Arrange,
    Expel,
    Fault,
    OrderRefused,
    Pause,
    Resume,
    Shutdown,
    Start,
    Step,
)
from ludothek.testing.dummies import DummyClient

PLAYER = Admission(ClientType.PLAYER, spectator=False)


@attrs.define
class Time:
    seconds: float = 0.0

    def now(self) -> float:
        return self.seconds


@attrs.define(eq=False)
class Scene:
    """A table, its clock and its clients, called 1, 2, 3."""

    table: QwirkleTable
    time: Time
    clients: list[DummyClient]

    def heard(self, effects: Iterable[Effect]) -> list[tuple[int, Message]]:
        """Who hears what; other effects are ignored."""
        return [
            (client.number, effect.message)
            for effect in effects
            if isinstance(effect, Send)
            for client in (effect.to if isinstance(effect.to, Iterable) else [effect.to])
        ]

    def kinds(self, effects: Iterable[Effect]) -> list[tuple[int, type]]:
        return [(number, type(message)) for number, message in self.heard(effects)]

    def order(self, order: Any) -> list[tuple[int, type]]:
        return self.kinds(self.table.order(order))

    def say(self, number: int, message: Message) -> list[tuple[int, Message]]:
        return self.heard(self.table.receive(self.clients[number - 1], message))

    def pass_time(self) -> list[tuple[int, Message]]:
        self.time.seconds = self.table.timers.deadline
        timer = self.table.timers.take_due()
        assert timer is not None
        return self.heard(self.table.time_up(timer))


def informed(effects: Iterable[Effect]) -> list[Any]:
    """What the reception is told."""
    return [effect.notice for effect in effects if isinstance(effect, Inform)]


def scene(
    players: int = 2,
    config: Configuration = BUILT_IN,
    *,
    start: bool = True,
    position: State | None = None,
    tournament: str | None = None,
    **settings: Any,
) -> Scene:
    built = Settings(**settings)
    time = Time()
    config = attrs.evolve(config, max_player_number=0)
    recipe = Recipe(
        game_id=1, name="Test", config=config, settings=built.for_tables, tournament=tournament
    )
    table = QwirkleTable(recipe, Clock(time=time.now), random.Random(1))
    clients = [DummyClient(number, name=f"P{number}") for number in range(1, players + 1)]
    found = Scene(table, time, clients)
    for client in clients:
        effects = [*table.enter(client, PLAYER)]
        assert found.kinds(effects) == [(client.number, GameJoinAccepted)]
        assert informed(effects) == [PlayerCame()]
    if start or position:
        found.order(Start())
    if position:
        table.match.position = position
    return found


def lay(*placements: Placement) -> PlayTiles:
    return PlayTiles([TileOnPosition(p.x, p.y, p.tile) for p in placements])


def tile(color: int, shape: int, count: int = 6) -> Tile:
    """The first copy of a kind."""
    return Tile(color, shape, color * count + shape)


def state(
    config: Configuration, board: list[Placement], *hands: list[Tile], bag: Any = ()
) -> State:
    seats = tuple(Seat(number, tuple(hand)) for number, hand in enumerate(hands, 1))
    variant = config.variant(6, Refill.OWN_TURN)
    return State(variant, seats, tuple(bag), rules.Board.of(board))


SMALL = attrs.evolve(BUILT_IN, color_shape_count=3, tile_count=1, max_hand_tiles=2)


def small(color: int, shape: int) -> Tile:
    return tile(color, shape, 3)


def test_a_player_who_goes_out_gets_the_bonus_when_the_bag_is_drawn_empty() -> None:
    """Vector 52: one tile in the bag, and the opponent's refill takes it."""
    position = state(
        SMALL,
        [Placement(small(0, 0), 0, 0)],
        [small(0, 1)],
        [small(1, 1)],
        bag=[small(2, 2)],
    )
    found = scene(config=SMALL, position=position)
    heard = found.say(1, lay(Placement(small(0, 1), 1, 0)))
    assert [type(m) for _, m in heard] == [MoveValid, Update, Update]
    heard = found.pass_time()
    assert [(n, type(m)) for n, m in heard] == [
        (2, SendTiles),
        (1, EndGame),
        (2, EndGame),
        (1, Winner),
        (2, Winner),
    ]
    winner = heard[-1][1]
    assert isinstance(winner, Winner)
    assert (winner.client.client_id, winner.score) == (1, 2 + 6)


def test_the_bonus_can_be_set() -> None:
    position = state(SMALL, [Placement(small(0, 0), 0, 0)], [small(0, 1)], [small(1, 1)])
    position = attrs.evolve(position, variant=SMALL.variant(0, Refill.OWN_TURN))
    found = scene(config=SMALL, position=position)
    found.say(1, lay(Placement(small(0, 1), 1, 0)))
    winner = found.pass_time()[-1][1]
    assert isinstance(winner, Winner)
    assert winner.score == 2


@pytest.mark.parametrize(("auto_skip", "turn"), [(False, 2), (True, 3)])
def test_a_player_who_can_do_nothing_may_be_passed_over(auto_skip: bool, turn: int) -> None:
    position = state(
        SMALL,
        [Placement(small(0, 0), 0, 0)],
        [small(0, 1), small(0, 2)],
        [small(1, 2)],  # fits neither 0.0 nor 0.1
        [small(2, 0)],
    )
    found = scene(3, SMALL, position=position, auto_skip=auto_skip)
    found.say(1, lay(Placement(small(0, 1), 1, 0)))
    news = found.pass_time()[0][1]
    assert isinstance(news, CurrentPlayer)
    assert news.client.client_id == turn


@pytest.mark.parametrize("auto_skip", [False, True])
def test_when_nobody_can_lay_anything_the_game_ends_without_a_bonus(auto_skip: bool) -> None:
    hands = [small(0, 1), small(1, 2)], [small(2, 2)]
    position = state(SMALL, [Placement(small(0, 0), 0, 0)], *hands)
    found = scene(config=SMALL, position=position, auto_skip=auto_skip)
    found.say(1, lay(Placement(small(0, 1), 1, 0)))
    heard = found.pass_time()
    assert [type(m) for _, m in heard] == [EndGame, EndGame, Winner, Winner]
    winner = heard[-1][1]
    assert isinstance(winner, Winner)
    assert [*winner.leaderboard.values()] == [2, 0]


def test_a_tie_is_won_by_who_comes_first() -> None:
    found = scene(3)
    winner = found.heard(found.table.order(Abort()))[-1][1]
    assert isinstance(winner, Winner)
    assert winner.client.client_id == 1


def test_hands_may_be_filled_up_right_after_a_move() -> None:
    found = scene(2, refill=Refill.AFTER_MOVE)
    hand = found.table.match.position.active.hand
    heard = found.say(1, lay(Placement(hand[0], 0, 0)))
    assert [(n, type(m)) for n, m in heard] == [
        (1, MoveValid),
        (1, Update),
        (2, Update),
        (1, SendTiles),
    ]
    update = heard[1][1]
    assert isinstance(update, Update)
    assert update.number_tiles_in_bag == 96
    assert len(found.table.match.position.bag) == 95


def test_no_tiles_are_sent_when_there_are_none() -> None:
    position = state(
        SMALL,
        [Placement(small(0, 0), 0, 0)],
        [small(0, 1), small(1, 1)],
        [small(0, 2), small(1, 0)],
    )
    found = scene(config=SMALL, position=position)
    found.say(1, lay(Placement(small(0, 1), 1, 0)))
    assert [type(m) for _, m in found.pass_time()] == [CurrentPlayer] * 2
    found.say(2, lay(Placement(small(0, 2), 2, 0)))
    assert [type(m) for _, m in found.pass_time()] == [CurrentPlayer] * 2


def test_without_time_to_look_the_next_turn_begins_at_once() -> None:
    found = scene(2, attrs.evolve(BUILT_IN, time_visualization=Milliseconds(0)))
    hand = found.table.match.position.active.hand
    heard = found.say(1, TileSwapRequest([*hand]))
    assert [(n, type(m)) for n, m in heard] == [
        (1, TileSwapValid),
        (1, TileSwapResponse),
        (1, CurrentPlayer),
        (2, CurrentPlayer),
    ]


# Orders


def test_the_organiser_chooses_the_order_of_players() -> None:
    """Wird ein Spiel vom Ausrichter gestartet, wird vom Ausrichter eine Reihenfolge der Spieler
    gewählt, nach dieser sind die Spieler pro Runde am Zug.
    """
    found = scene(3, start=False)
    one, two, three = found.clients
    found.order(Arrange([three, one, two]))
    effects = found.heard(found.table.order(Start()))
    start, first = effects[0][1], effects[-1][1]
    assert isinstance(start, StartGame)
    assert [client.client_id for client in start.clients] == [3, 1, 2]
    assert isinstance(first, CurrentPlayer)
    assert first.client.client_id == 3
    turns = []
    for _ in range(4):
        found.pass_time()
        news = found.pass_time()[-1][1]
        assert isinstance(news, CurrentPlayer)
        turns.append(news.client.client_id)
    assert turns == [1, 2, 3, 1]


def test_the_order_of_players_may_be_left_to_chance() -> None:
    found = scene(6, start=False)
    orders = set()
    for _ in range(5):
        found.order(Arrange())
        orders.add(tuple(player.client_id for player in found.table.match.players))
    assert len(orders) > 1
    assert {tuple(sorted(order)) for order in orders} == {(1, 2, 3, 4, 5, 6)}


def test_an_expelled_player_is_back_in_the_lobby() -> None:
    found = scene(3)
    effects = [*found.table.order(Expel(found.clients[0]))]
    assert found.kinds(effects) == [(n, LeavingPlayer) for n in (1, 2, 3)]
    assert Release(found.clients[0]) in effects
    assert not found.table.remembers(found.clients[0])


@pytest.mark.parametrize("players", [0, 1])
def test_a_start_needs_two_players(players: int) -> None:
    found = scene(players, start=False)
    with pytest.raises(OrderRefused, match=f"cannot start with {players} players"):
        found.order(Start())
    assert found.table.match.state.value == "NOT_STARTED"


def test_a_start_needs_tiles_for_all_hands() -> None:
    found = scene(5, SMALL, start=False)
    with pytest.raises(OrderRefused, match="cannot start with 5 players"):
        found.order(Start())


def stranger() -> DummyClient:
    return DummyClient(99)


@pytest.mark.parametrize(
    ("state", "order"),
    [
        ("waiting", Pause()),
        ("waiting", Resume()),
        ("waiting", Step()),
        ("waiting", Abort(stranger())),
        ("waiting", Arrange([stranger()])),
        ("waiting", Arrange([])),
        ("waiting", Expel(stranger())),
        ("running", Start()),
        ("running", Resume()),
        ("running", Step()),
        ("running", Arrange()),
        ("running", Abort(stranger())),
        ("paused", Start()),
        ("paused", Pause()),
        ("ended", Start()),
        ("ended", Pause()),
        ("ended", Resume()),
        ("ended", Abort()),
        ("ended", Arrange()),
        ("ended", Expel(stranger())),
    ],
)
def test_orders_at_the_wrong_time_are_refused_and_change_nothing(state: str, order: Any) -> None:
    found = scene(2, start=state != "waiting")
    if state == "paused":
        found.order(Pause())
    if state == "ended":
        found.order(Abort())
    before = found.table.summary
    with pytest.raises(OrderRefused):
        found.order(order)
    assert found.table.summary == before


def test_the_end_of_the_daemon_aborts_games_in_the_protocol_s_words() -> None:
    found = scene(2)
    effects = [*found.table.order(Shutdown())]
    assert found.kinds(effects) == [(1, AbortGame), (2, AbortGame), (1, Winner), (2, Winner)]
    assert effects[-1] == Close()
    assert informed(effects) == []  # nobody is told to open another


def test_a_table_that_fails_tells_its_members_and_the_reception() -> None:
    found = scene(2)
    effects = [*found.table.order(Fault())]
    assert found.kinds(effects)[:2] == [(1, AbortGame), (2, AbortGame)]
    assert informed(effects) == [GameOver("1", 1, None)]
    assert Close() in effects


def test_a_table_that_cannot_even_name_a_winner_tells_them_too() -> None:
    found = scene(2, tournament="7")
    found.table.match.players.clear()
    found.table.match.players.append(ClientInfo(99, "nobody", ClientType.PLAYER))
    effects = [*found.table.order(Fault())]
    assert found.kinds(effects) == [(1, AbortGame), (2, AbortGame)]
    assert informed(effects) == [GameOver("1", None, "7")]
    assert Close() in effects


def test_an_ended_game_is_not_aborted_again_when_the_daemon_ends() -> None:
    found = scene(2)
    found.order(Abort())
    assert [*found.table.order(Shutdown())] == [Close()]


def test_a_summary_tells_an_organiser_what_is_going_on() -> None:
    found = scene(2)
    hand = found.table.match.position.active.hand
    found.say(1, lay(Placement(hand[0], 0, 0)))
    summary = found.table.summary
    assert (summary.name, summary.state, summary.players) == ("Test", "IN_PROGRESS", ["P1", "P2"])
    assert summary.facts["scores"] == [
        {"client": 1, "name": "P1", "score": 1},
        {"client": 2, "name": "P2", "score": 0},
    ]
    assert summary.facts["configuration"]["turnTime"] == 30_000


def test_start_tiles_go_to_their_player_only() -> None:
    found = scene(3, start=False)
    heard = found.heard(found.table.order(Start()))
    hands = {number: m.tiles for number, m in heard if isinstance(m, StartTiles)}
    assert hands == {n: [*found.table.match.position.seat(n).hand] for n in (1, 2, 3)}


def test_the_player_who_has_just_moved_is_current_until_the_next_turn() -> None:
    """Also if somebody left in the previous turn."""
    found = scene(3)
    found.say(1, LeavingRequest())
    found.pass_time()
    hand = found.table.match.position.active.hand
    found.say(2, lay(Placement(hand[0], 0, 0)))
    ((_, data),) = found.say(3, GameDataRequest())
    assert isinstance(data, GameDataResponse)
    assert data.current_client is not None
    assert data.current_client.client_id == 2


# The end, and after it


def test_everybody_is_released_before_the_reception_hears_of_the_end() -> None:
    """By then, it must be known who is free for the next game of a tournament."""
    found = scene(2)
    effects = [*found.table.order(Abort(found.clients[1]))]
    one, two = found.clients
    assert effects[-3:] == [Release(one), Release(two), Inform(GameOver("1", 2, None))]


def test_whoever_was_there_at_the_end_is_remembered_until_it_goes_elsewhere() -> None:
    found = scene(2)
    one, two = found.clients
    found.order(Abort())
    assert [*found.table.leave(one)] == []  # as the core does for clients that are released
    assert found.say(1, GameDataRequest())
    assert [*found.table.told(Forget(one))] == []
    assert not found.table.remembers(one)
    assert found.table.remembers(two)
    assert found.say(1, GameDataRequest()) == []


def test_a_game_of_a_tournament_starts_or_is_over() -> None:
    """A participant may hang up at the moment it should come in."""
    found = scene(2, start=False, tournament="7")
    effects = [*found.table.told(Start())]
    assert found.kinds(effects)[:2] == [(1, StartGame), (2, StartGame)]
    found = scene(1, start=False, tournament="7")
    effects = [*found.table.told(Start())]
    assert found.kinds(effects) == [(1, AbortGame), (1, Winner)]
    assert informed(effects) == [GameOver("1", 1, "7")]
