"""A Penguins table without sockets: what an organiser's orders and its summary do."""

import re
from collections.abc import AsyncIterator
from math import inf
from typing import Any

import pytest
from ludothek.runtime.client import Client

from games.penguins.messages import Joined, Left, Memento, MoveRequest, Paused, Result, Room
from games.penguins.rules import Team, generate, legal_actions, start
from games.penguins.seat import Seat
from games.penguins.settings import Settings
from games.penguins.table import PenguinsTable
from ludothek.contract import orders
from ludothek.contract.clock import Clock
from ludothek.contract.orders import OrderRefused
from ludothek.contract.reception import Organised
from ludothek.contract.table import Began, Close, Effects, Ended, Send
from tests.support.helpers import Fair, silent_link
from tests.support.penguins import connect, entries, penguins_fair

STATE = start(generate(42))


class Time:
    now = 0.0


def make_client(number: int) -> Client:
    return Client(number, silent_link(), codec=None)  # type: ignore[arg-type]


def make_table(time: type[Time] = Time, *, paused: bool = False, gap: float = 0.0) -> PenguinsTable:
    seats = (Seat(Team.ONE, "A", can_timeout=True), Seat(Team.TWO, "B", can_timeout=True))
    clock = Clock(time=lambda: time.now)
    settings = Settings(request_gap_seconds=gap)
    return PenguinsTable("R", STATE, settings, clock, seats=seats, paused=paused)


def sent(effects: Effects) -> list[tuple[tuple[int, ...], Any]]:
    """Who is sent what; room data without the packet around it."""
    found = []
    for effect in effects:
        if isinstance(effect, Send):
            to = (effect.to,) if isinstance(effect.to, Client) else tuple(effect.to)
            message = effect.message
            data = message.data if isinstance(message, Room) else message
            found.append((tuple(client.number for client in to), data))
        elif not isinstance(effect, Began | Ended):
            assert effect == Close()
            found.append(((), effect))
    return found


@pytest.fixture
async def players() -> tuple[Client, Client]:
    return make_client(1), make_client(2)


def begin(table: PenguinsTable, players: tuple[Client, Client]) -> None:
    for player in players:
        list(table.enter(player, None))


def result_of(effects: Effects) -> Result:
    found = sent(effects)
    (result,) = [data for _, data in found if isinstance(data, Result)]
    assert found[-2:] == [(found[-2][0], Left("R")), ((), Close())]
    return result


async def test_the_first_only_hears_that_it_has_joined(players: tuple[Client, Client]) -> None:
    assert sent(make_table().enter(players[0], None)) == [((1,), Joined("R"))]


async def test_pause_and_resume_are_orders_too(players: tuple[Client, Client]) -> None:
    table = make_table()
    begin(table, players)
    list(table.observe(make_client(3)))
    assert sent(table.order(orders.Pause())) == [((3,), Paused(True))]
    move = legal_actions(STATE)[0]
    ((to, memento),) = sent(table.receive(players[0], Room("R", move)))
    assert to == (3,)
    assert isinstance(memento, Memento)
    assert sent(table.order(orders.Resume())) == [
        ((3,), Paused(False)),
        ((3, 1, 2), memento),
        ((2,), MoveRequest()),
    ]


async def test_a_step_is_an_order_while_paused(players: tuple[Client, Client]) -> None:
    table = make_table(paused=True)
    with pytest.raises(OrderRefused):
        list(table.order(orders.Step()))
    begin(table, players)
    assert [data for _, data in sent(table.order(orders.Step()))] == [
        Memento(STATE),
        MoveRequest(),
    ]


async def test_a_step_without_a_pause_is_refused(players: tuple[Client, Client]) -> None:
    table = make_table()
    begin(table, players)
    with pytest.raises(OrderRefused):
        list(table.order(orders.Step()))


def test_a_start_is_refused() -> None:
    with pytest.raises(OrderRefused, match="begins by itself"):
        list(make_table().order(orders.Start()))


async def test_orders_that_are_not_for_this_game_are_refused() -> None:
    for order in (orders.Arrange(), orders.Expel(make_client(1))):
        with pytest.raises(OrderRefused, match="does not know this order"):
            list(make_table().order(order))


async def test_an_aborted_game_has_no_winner(players: tuple[Client, Client]) -> None:
    table = make_table()
    begin(table, players)
    result = result_of(table.order(orders.Abort()))
    assert result.winner is None
    assert entries(result) == [("REGULAR", "", 0, 0)] * 2


async def test_an_aborted_game_may_be_awarded(players: tuple[Client, Client]) -> None:
    table = make_table()
    begin(table, players)
    result = result_of(table.order(orders.Abort(players[1])))
    assert result.winner is Team.TWO
    assert entries(result) == [("REGULAR", "", 0, 0), ("REGULAR", "", 2, 0)]


async def test_only_a_player_can_be_awarded_a_game(players: tuple[Client, Client]) -> None:
    table = make_table()
    list(table.enter(players[0], None))
    for winner in players:
        with pytest.raises(OrderRefused):
            list(table.order(orders.Abort(winner)))


@pytest.mark.parametrize("order", [orders.Shutdown(), orders.Fault()])
async def test_the_daemon_can_always_end_a_room(
    order: orders.Order, players: tuple[Client, Client]
) -> None:
    assert result_of(make_table().order(order)).winner is None
    table = make_table()
    begin(table, players)
    assert result_of(table.order(order)).winner is None
    assert [player.place for player in players] == [None, None]


async def test_the_summary_tells_who_is_there(players: tuple[Client, Client]) -> None:
    table = make_table()
    assert table.summary.state == "waiting"
    begin(table, players)
    assert [player.place for player in players] == ["R", "R"]
    list(table.observe(make_client(3)))
    summary = table.summary
    assert (summary.name, summary.state) == ("R", "running")
    assert list(summary.players) == ["ONE(A)", "TWO(B)"]
    assert list(summary.spectators) == ["3"]
    list(table.pause(True))
    assert table.summary.state == "paused"


async def test_the_deadline_is_that_of_the_move_that_is_waited_for(
    players: tuple[Client, Client],
) -> None:
    class Later(Time):
        now = 5.0

    table = make_table(Later)
    assert table.deadline == inf
    begin(table, players)
    assert table.deadline == 15.0
    Later.now = 6.5
    list(table.receive(players[0], Room("R", legal_actions(STATE)[0])))
    assert table.deadline == 16.5
    list(table.pause(True))
    assert table.deadline == 16.5


# The gap before a request


async def test_a_request_that_is_about_to_be_made_is_the_next_deadline(
    players: tuple[Client, Client],
) -> None:
    class Later(Time):
        now = 5.0

    table = make_table(Later, gap=0.5)
    begin(table, players)
    assert table.deadline == 5.5
    Later.now = 5.75  # a little late
    assert sent(table.time_up()) == [((1,), MoveRequest())]
    assert table.deadline == 15.75


async def test_players_of_this_server_are_asked_at_once(players: tuple[Client, Client]) -> None:
    table = make_table(gap=0.5)
    players[0].hosted = True
    list(table.enter(players[0], None))
    assert sent(table.enter(players[1], None))[-1] == ((1,), MoveRequest())
    after = sent(table.receive(players[0], Room("R", legal_actions(STATE)[0])))
    assert [type(data) for _, data in after] == [Memento]
    assert sent(table.time_up()) == [((2,), MoveRequest())]


async def test_an_order_that_is_refused_in_the_gap_takes_no_request_with_it(
    players: tuple[Client, Client],
) -> None:
    table = make_table(gap=0.5)
    begin(table, players)
    for order in (orders.Start(), orders.Step(), orders.Abort(make_client(3))):
        with pytest.raises(OrderRefused):
            tuple(table.order(order))
    assert sent(table.time_up()) == [((1,), MoveRequest())]


# Rooms that an organiser opens


@pytest.fixture
async def fair() -> AsyncIterator[Fair]:
    async with penguins_fair() as opened:
        yield opened


def reception(fair: Fair) -> Organised:
    assert isinstance(fair.endpoint.reception, Organised)
    return fair.endpoint.reception


async def test_an_organiser_opens_rooms_with_reserved_seats(fair: Fair) -> None:
    settings = {"one": "A", "two": "B", "paused": True}
    room = reception(fair).open(orders.Opening(name="Final", settings=settings))
    summary = room.table.summary
    assert (summary.name, summary.state) == ("Final", "paused")
    assert list(summary.facts) == ["ONE(A)", "TWO(B)"]
    for code in summary.facts.values():
        await connect(fair).join(f'<joinPrepared reservationCode="{code}"/>')
    assert list(room.table.summary.players) == ["ONE(A)", "TWO(B)"]
    assert room.table.summary.facts == {}


@pytest.mark.parametrize(
    ("opening", "why"),
    [
        (orders.Opening(tournament=True), "tournaments"),
        (orders.Opening(settings={"onne": "A"}), "did you mean 'one'?"),
        (orders.Opening(settings={"paused": "yes"}), "expected true or false"),
    ],
)
async def test_an_opening_that_makes_no_sense_is_refused(
    fair: Fair, opening: orders.Opening, why: str
) -> None:
    with pytest.raises(OrderRefused, match=re.escape(why)):
        reception(fair).open(opening)


async def test_no_more_rooms_are_opened_for_organisers_either() -> None:
    async with penguins_fair(max_rooms=1) as fair:
        reception(fair).open(orders.Opening())
        with pytest.raises(OrderRefused, match="too many rooms"):
            reception(fair).open(orders.Opening())


async def test_clients_are_not_seated_by_others(fair: Fair) -> None:
    room = reception(fair).open(orders.Opening())
    with pytest.raises(OrderRefused):
        reception(fair).seat(room, [make_client(1)], spectator=False)
