"""A Penguins table without sockets: the organiser's orders and the summary."""

import re
from collections.abc import AsyncIterator, Iterable
from math import inf
from random import Random
from typing import Any

import attrs
import pytest
from trio.testing import wait_all_tasks_blocked

from games.penguins.member import Admission
from games.penguins.messages import Joined, Left, Memento, MoveRequest, Paused, Result, Room
from games.penguins.notices import ObserverLeft, Observing
from games.penguins.recipe import Recipe, Seat
from games.penguins.rules import Move, State, Team, apply, generate, legal_actions, start
from games.penguins.settings import Settings
from games.penguins.table import REQUEST, PenguinsTable
from games.penguins.visitor import Visitor
from ludothek.contract import orders
from ludothek.contract.clock import Clock
from ludothek.contract.effects import Began, Close, Effects, Ended, Send
from ludothek.contract.orders import OrderRefused
from ludothek.contract.table import Stage
from ludothek.control.messages import SeatRequest
from ludothek.control.organiser import Organiser
from ludothek.runtime.lobby import Lobby
from ludothek.testing.dummies import DummyClient
from tests.games.penguins.scene import connect, entries, penguins_fair
from tests.support.helpers import Fair

SEED = 42
STATE = start(generate(SEED))

Players = tuple[DummyClient, DummyClient]


@attrs.define
class Time:
    now: float = 0.0


def make_client(number: int) -> DummyClient:
    return DummyClient(number, visitor=Visitor())


def make_table(
    time: Time | None = None, *, paused: bool = False, gap: float = 0.0
) -> PenguinsTable:
    seats = (Seat(Team.ONE, "A", True, None), Seat(Team.TWO, "B", True, None))
    shown = time or Time()
    clock = Clock(time=lambda: shown.now)
    settings = Settings(request_gap_seconds=gap, board_seed=SEED)
    recipe = Recipe(room_id="R", settings=settings, seats=seats, paused=paused)
    return PenguinsTable(recipe, clock, Random(1))


def said(move: Move) -> Room:
    return Room("R", move)


def sent(effects: Effects) -> list[tuple[tuple[int, ...], Any]]:
    """Who is sent what; room data without the packet around it."""
    found = []
    for effect in effects:
        if isinstance(effect, Send):
            to = (effect.to,) if isinstance(effect.to, DummyClient) else effect.to
            assert isinstance(to, Iterable)
            message = effect.message
            data = message.data if isinstance(message, Room) else message
            found.append((tuple(client.number for client in to), data))
        elif not isinstance(effect, Began | Ended):
            assert effect == Close()
            found.append(((), effect))
    return found


def ring(table: PenguinsTable, time: Time) -> list[tuple[tuple[int, ...], Any]]:
    """Let time pass until a request is due; returns who is sent what then."""
    time.now = max(time.now, table.timers.deadline)
    timer = table.timers.take_due()
    assert timer == REQUEST
    return sent(table.time_up(timer))


@pytest.fixture
def players() -> Players:
    return make_client(1), make_client(2)


def begin(table: PenguinsTable, players: Players) -> None:
    for player in players:
        list(table.enter(player, Admission()))


def after_move(number: int) -> State:
    """The state after one of the first legal moves."""
    return apply(STATE, legal_actions(STATE)[number])


def result_of(effects: Effects) -> Result:
    found = sent(effects)
    (result,) = [data for _, data in found if isinstance(data, Result)]
    assert found[-2:] == [(found[-2][0], Left("R")), ((), Close())]
    return result


def test_the_first_only_hears_that_it_has_joined(players: Players) -> None:
    assert sent(make_table().enter(players[0], Admission())) == [((1,), Joined("R"))]


def test_pause_and_resume_are_orders_too(players: Players) -> None:
    table = make_table()
    begin(table, players)
    list(table.told(Observing(make_client(3))))
    assert sent(table.order(orders.Pause())) == [((3,), Paused(True))]
    move = legal_actions(STATE)[0]
    ((to, memento),) = sent(table.receive(players[0], said(move)))
    assert to == (3,)
    assert isinstance(memento, Memento)
    assert sent(table.order(orders.Resume())) == [
        ((3,), Paused(False)),
        ((3, 1, 2), memento),
        ((2,), MoveRequest()),
    ]


def test_whoever_takes_over_a_turn_is_asked_for_the_move(players: Players) -> None:
    time = Time()
    past, table = make_table(time), make_table(time)
    begin(past, players)
    time.now = 1.5
    others = make_client(4), make_client(5)
    begin(table, others)
    *_, (to, message) = sent(table.take_over(past))
    assert (to, message) == ((4,), MoveRequest())
    assert table.thought == 1.5  # the time that has passed is not given back


def test_a_step_is_an_order_while_paused(players: Players) -> None:
    table = make_table(paused=True)
    with pytest.raises(OrderRefused):
        list(table.order(orders.Step()))
    begin(table, players)
    assert [data for _, data in sent(table.order(orders.Step()))] == [
        Memento(STATE),
        MoveRequest(),
    ]


def test_a_step_without_a_pause_is_refused(players: Players) -> None:
    table = make_table()
    begin(table, players)
    with pytest.raises(OrderRefused):
        list(table.order(orders.Step()))


def test_a_start_is_refused() -> None:
    with pytest.raises(OrderRefused, match="begins by itself"):
        list(make_table().order(orders.Start()))


def test_orders_that_are_not_for_this_game_are_refused() -> None:
    for order in (orders.Arrange(), orders.Expel(make_client(1))):
        with pytest.raises(OrderRefused, match="does not know this order"):
            list(make_table().order(order))


def test_an_aborted_game_has_no_winner(players: Players) -> None:
    table = make_table()
    begin(table, players)
    result = result_of(table.order(orders.Abort()))
    assert result.winner is None
    assert entries(result) == [("REGULAR", "", 0, 0)] * 2


def test_an_aborted_game_may_be_awarded(players: Players) -> None:
    table = make_table()
    begin(table, players)
    result = result_of(table.order(orders.Abort(players[1])))
    assert result.winner is Team.TWO
    assert entries(result) == [("REGULAR", "", 0, 0), ("REGULAR", "", 2, 0)]


def test_only_a_player_can_be_awarded_a_game(players: Players) -> None:
    table = make_table()
    list(table.enter(players[0], Admission()))
    for winner in players:
        with pytest.raises(OrderRefused):
            list(table.order(orders.Abort(winner)))


@pytest.mark.parametrize("order", [orders.Shutdown(), orders.Fault()])
def test_the_daemon_can_always_end_a_room(order: orders.Order, players: Players) -> None:
    assert result_of(make_table().order(order)).winner is None
    table = make_table()
    begin(table, players)
    assert result_of(table.order(order)).winner is None


def test_the_summary_tells_who_is_there(players: Players) -> None:
    table = make_table()
    assert table.summary.stage is Stage.WAITING
    begin(table, players)
    list(table.told(Observing(observer := make_client(3))))
    summary = table.summary
    assert (summary.name, summary.stage) == ("", Stage.RUNNING)
    assert list(summary.players) == ["ONE(A)", "TWO(B)"]
    assert list(summary.spectators) == ["3"]
    list(table.order(orders.Pause()))
    assert table.summary.stage.value == "paused"
    list(table.told(ObserverLeft(observer)))
    assert list(table.summary.spectators) == []


def test_the_deadline_is_that_of_the_move_that_is_waited_for(
    players: Players,
) -> None:
    time = Time(5.0)
    table = make_table(time)
    assert table.timers.deadline == inf
    begin(table, players)
    assert table.timers.deadline == 15.0
    time.now = 6.5
    list(table.receive(players[0], said(legal_actions(STATE)[0])))
    assert table.timers.deadline == 16.5
    list(table.order(orders.Pause()))
    assert table.timers.deadline == 16.5
    list(table.receive(players[1], said(legal_actions(after_move(0))[0])))
    assert table.timers.deadline == inf  # nobody is asked during the pause


# The gap before a request


def test_a_request_that_is_about_to_be_made_is_the_next_deadline(
    players: Players,
) -> None:
    time = Time(5.0)
    table = make_table(time, gap=0.5)
    begin(table, players)
    assert table.timers.deadline == 5.5
    time.now = 5.75  # a little late
    assert ring(table, time) == [((1,), MoveRequest())]
    assert table.timers.deadline == 15.75


def test_players_of_this_server_are_asked_at_once(players: Players) -> None:
    table = make_table(time := Time(), gap=0.5)
    players[0].hosted = True
    list(table.enter(players[0], Admission()))
    assert sent(table.enter(players[1], Admission()))[-1] == ((1,), MoveRequest())
    after = sent(table.receive(players[0], said(legal_actions(STATE)[0])))
    assert [type(data) for _, data in after] == [Memento]
    assert ring(table, time) == [((2,), MoveRequest())]


def test_an_order_that_is_refused_in_the_gap_takes_no_request_with_it(
    players: Players,
) -> None:
    table = make_table(time := Time(), gap=0.5)
    begin(table, players)
    for order in (orders.Start(), orders.Step(), orders.Abort(make_client(3))):
        with pytest.raises(OrderRefused):
            tuple(table.order(order))
    assert ring(table, time) == [((1,), MoveRequest())]


def test_a_request_that_is_repeated_begins_the_time_of_the_move_anew(players: Players) -> None:
    table = make_table(time := Time(), paused=True, gap=0.5)
    begin(table, players)
    list(table.order(orders.Step()))
    assert ring(table, time) == [((1,), MoveRequest())]
    assert table.timers.deadline == 10.5
    time.now = 10.25
    list(table.order(orders.Step()))
    assert ring(table, time) == [((1,), MoveRequest())]
    assert (time.now, table.timers.deadline) == (10.75, 20.75)


def test_a_pause_in_the_gap_comes_after_the_request(players: Players) -> None:
    table = make_table(gap=0.5)
    begin(table, players)
    list(table.told(Observing(players[0])))
    asked, paused = sent(table.order(orders.Pause()))
    assert (asked, paused) == (((1,), MoveRequest()), ((1,), Paused(True)))
    assert sent(table.order(orders.Resume())) == [((1,), Paused(False))]


def test_a_game_awarded_in_the_gap_ends_after_the_request(players: Players) -> None:
    table = make_table(gap=0.5)
    begin(table, players)
    asked, *end = table.order(orders.Abort(players[1]))
    assert sent([asked]) == [((1,), MoveRequest())]
    assert result_of(end).winner is Team.TWO


# Rooms that an organiser opens


@pytest.fixture
async def fair() -> AsyncIterator[Fair]:
    async with penguins_fair() as opened:
        yield opened


def open_room(fair: Fair, opening: orders.Opening) -> Lobby:
    return fair.endpoint.hall.foyer.open_lobby(opening)


async def test_an_organiser_opens_rooms_with_reserved_seats(fair: Fair) -> None:
    settings = {"one": "A", "two": "B", "paused": True}
    room = open_room(fair, orders.Opening(name="Final", settings=settings))
    summary = room.table.summary
    assert (summary.name, summary.stage) == ("Final", Stage.PAUSED)
    assert list(summary.facts) == ["ONE(A)", "TWO(B)"]
    for code in summary.facts.values():
        await connect(fair).join(f'<joinPrepared reservationCode="{code}"/>')
    assert list(room.table.summary.players) == ["ONE(A)", "TWO(B)"]
    assert room.table.summary.facts == {}


@pytest.mark.parametrize(
    ("opening", "why"),
    [
        (orders.Opening(settings={"tournament": True}), "tournament"),
        (orders.Opening(file=orders.File("f", b"")), "needs no file"),
        (orders.Opening(settings={"onne": "A"}), "did you mean 'one'?"),
        (orders.Opening(settings={"paused": "yes"}), "expected true or false"),
    ],
)
async def test_an_opening_that_makes_no_sense_is_refused(
    fair: Fair, opening: orders.Opening, why: str
) -> None:
    with pytest.raises(OrderRefused, match=re.escape(why)):
        open_room(fair, opening)


async def test_no_more_rooms_are_opened_for_organisers_either() -> None:
    async with penguins_fair(max_rooms=1) as fair:
        open_room(fair, orders.Opening())
        with pytest.raises(OrderRefused, match="too many rooms"):
            open_room(fair, orders.Opening())


async def test_clients_are_not_seated_by_others(fair: Fair) -> None:
    room = open_room(fair, orders.Opening())
    connect(fair)
    await wait_all_tasks_blocked()
    organiser = Organiser([fair.endpoint], Clock())
    request = SeatRequest(game="penguins", lobby=room.key, clients=["1"])
    with pytest.raises(OrderRefused, match="join a lobby by themselves"):
        organiser.seat(request)
    assert list(room.table.summary.players) == []
