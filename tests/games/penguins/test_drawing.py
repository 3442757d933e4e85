"""A room of Penguins as text."""

from random import Random

from games.penguins.drawing import draw
from games.penguins.member import Admission
from games.penguins.messages import Pause, Room
from games.penguins.notices import Observing
from games.penguins.recipe import Recipe, Seat
from games.penguins.rules import Coordinates, Move, Team
from games.penguins.settings import Settings
from games.penguins.table import PenguinsTable
from ludothek.contract.clock import Clock
from ludothek.contract.orders import Abort
from ludothek.testing.dummies import DummyClient

AFTER_TWO_MOVES = """
    0   2   4   6   8   10  12  14
0   R   1   3   1   3   1   2   2
1     B   1   2   1   .   2   2   1
2   2   2   1   1   2   1   .   2
3     .   1   1   1   1   1   .   1
4   1   .   1   1   1   1   1   .
5     2   .   1   2   1   1   2   2
6   1   2   2   .   1   2   1   1
7     2   2   1   3   1   3   1   1
      1   3   5   7   9   11  13  15

R 'Anna': 1 fish, to move
B TWO: 1 fish
Move 2 has set a penguin on 1|1.
Clients that observe: 3.
"""

SEATS = (Seat(Team.ONE, "Anna", True, None), Seat(Team.TWO, "", True, "a-code"))
ONE, TWO, OBSERVER = (DummyClient(number) for number in (1, 2, 3))


def make_table() -> PenguinsTable:
    settings = Settings(board_seed=42, request_gap_seconds=0)
    recipe = Recipe(room_id="R", settings=settings, seats=SEATS, paused=True)
    return PenguinsTable(recipe, Clock(lambda: 0.0), Random(1))


def play() -> PenguinsTable:
    """Two penguins are set while somebody observes."""
    table = make_table()
    list(table.told(Observing(OBSERVER)))
    list(table.told(Pause("R", False)))
    list(table.enter(ONE, Admission()))
    list(table.enter(TWO, Admission("a-code")))
    list(table.receive(ONE, Room("R", Move(None, Coordinates(0, 0)))))
    list(table.receive(TWO, Room("R", Move(None, Coordinates(1, 1)))))
    return table


def last_lines(table: PenguinsTable, count: int) -> list[str]:
    return draw(table).splitlines()[-count:]


def test_a_prepared_room_shows_its_seats() -> None:
    assert last_lines(make_table(), 3) == [
        "R 'Anna': 0 fish, free",
        "B TWO: 0 fish, reserved under a-code",
        "The game is paused.",
    ]


def test_a_game_shows_its_board_and_whose_turn_it_is() -> None:
    assert draw(play()) == AFTER_TWO_MOVES.strip("\n")


def test_a_slide_shows_where_it_began() -> None:
    table = play()
    places = [Coordinates(x, y) for x, y in [(2, 0), (3, 1), (5, 3), (7, 3), (9, 3), (11, 3)]]
    for number, place in enumerate(places):
        list(table.receive((ONE, TWO)[number % 2], Room("R", Move(None, place))))
    slide = Move(Coordinates(9, 3), Coordinates(10, 4))
    list(table.receive(ONE, Room("R", slide)))
    assert last_lines(table, 4) == [
        "R 'Anna': 5 fish",
        "B TWO: 4 fish, to move",
        "Move 9 went from 9|3 to 10|4.",
        "Clients that observe: 3.",
    ]


def test_a_game_that_is_over_shows_how_it_ended() -> None:
    lost, ended = play(), play()
    list(lost.leave(ONE))
    list(ended.order(Abort()))
    reason = "'Der Spieler hat das Spiel verlassen: LOST_CONNECTION'"
    assert last_lines(lost, 5)[0] == f"R 'Anna': 1 fish, LEFT: {reason}"
    assert last_lines(lost, 2)[0] == "B has won."
    assert last_lines(ended, 2)[0] == "Nobody has won."
