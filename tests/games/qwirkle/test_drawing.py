"""What a terminal shows of games and tournaments."""

from games.qwirkle.drawing import draw
from games.qwirkle.member import Admission
from games.qwirkle.messages import ClientType
from games.qwirkle.notices import RoundOpened
from games.qwirkle.rules import Placement, Tile
from ludothek.contract.orders import Abort, Start
from ludothek.testing.dummies import DummyClient
from tests.games.qwirkle.test_table import SMALL, scene, small, state
from tests.games.qwirkle.test_tournament import cup

GAME = """\
Test: IN_PROGRESS

   1 |   .  A1
   0 |  A2  A0
  -1 |   .  B0
     +--------
        -1   0

> 1 P1     0 points  C1
  2 P2     0 points  B1 B2
1 tiles in the bag
watched by Zoe\\x1b[2J
A3 is a tile of colour 0, which is shown as a letter, and of shape 3"""

ENDED = """\
Test: ENDED

   0 |   .
     +----
         0

  1 P1     0 points
  2 P2     0 points
0 tiles in the bag
won by 1 P1
A3 is a tile of colour 0, which is shown as a letter, and of shape 3"""

WAITING = """\
Test: NOT_STARTED

> 1 P1     0 points
  2 P2     0 points
108 tiles in the bag"""

CUP = """\
Cup: IN_PROGRESS, round 1
games of this round: 4
still in: Ann, Bob"""


def test_a_game_shows_board_hands_and_whose_turn_it_is() -> None:
    board = [
        Placement(small(0, 0), 0, 0),
        Placement(small(0, 1), 0, 1),
        Placement(small(1, 0), 0, -1),
        Placement(small(0, 2), -1, 0),
    ]
    hands = [small(2, 1)], [small(1, 1), small(1, 2)]
    found = scene(config=SMALL, position=state(SMALL, board, *hands, bag=[small(2, 2)]))
    watcher = Admission(ClientType.SPECTATOR, spectator=True)
    assert [*found.table.enter(DummyClient(9, name="Zoe\x1b[2J"), watcher)]
    assert draw(found.table) == GAME


def test_an_ended_game_shows_who_has_won() -> None:
    found = scene(config=SMALL, position=state(SMALL, [], [], []))
    found.order(Abort())
    assert draw(found.table) == ENDED


def test_a_game_that_waits_shows_who_is_there() -> None:
    assert draw(scene(start=False).table) == WAITING


def test_colours_beyond_the_alphabet_are_numbers() -> None:
    tile = Tile(30, 7, 0)
    found = scene(config=SMALL, position=state(SMALL, [Placement(tile, 0, 0)], [], []))
    assert "   0 |30.7" in draw(found.table)


def test_a_tournament_shows_its_games() -> None:
    tournament, clients = cup(2)
    for client, name in zip(clients, ("Ann", "Bob"), strict=True):
        client.name = name
    assert [*tournament.order(Start())]
    tournament.told(RoundOpened(["4"]))
    assert draw(tournament) == CUP
    assert [*tournament.order(Abort(clients[1]))]
    assert draw(tournament).splitlines()[-1] == f"won by client {clients[1].number}"
