"""A lobby of Hexxagon as text."""

from random import Random

from games.hexxagon.drawing import draw
from games.hexxagon.member import Admission
from games.hexxagon.messages import GameMove, LeaveGame, Tile, Uuid
from games.hexxagon.recipe import Recipe
from games.hexxagon.settings import Settings
from games.hexxagon.table import HexxagonTable
from games.hexxagon.visitor import Visitor
from ludothek.contract.orders import Abort, Start
from ludothek.testing.dummies import DummyClient
from ludothek.testing.scene import Scene

AFTER_ONE_MOVE = r"""
             __
          __/OO\__
       __/19\__/36\__
    __/12\__/28\__/44\__
 __/ 6\__/20\__/37\__/51\__
/OO\__/13\__/##\__/45\__/OO\
\__/ 7\__/21\__/XX\__/52\__/
/ 2\__/##\__/XX\__/##\__/58\
\__/ 8\__/XX\__/XX\__/53\__/
/##\__/15\__/##\__/47\__/##\
\__/ 9\__/XX\__/XX\__/54\__/
/ 4\__/##\__/XX\__/##\__/60\
\__/10\__/24\__/41\__/55\__/
/OO\__/17\__/##\__/49\__/OO\
\__/11\__/25\__/42\__/56\__/
   \__/18\__/34\__/50\__/
      \__/26\__/43\__/
         \__/OO\__/
            \__/

XX Eins: 7
OO Zwei: 6, to move
Move 1 went from 30 to 38.
"""

ONE, TWO = Uuid("one"), Uuid("two")


class Lobby(Scene):
    """A lobby with two participants."""

    def __init__(self) -> None:
        recipe = Recipe(lobby_id=Uuid("lobby"), name="Finale", settings=Settings())
        super().__init__(lambda clock: HexxagonTable(recipe, clock, Random(1)))
        self.one = DummyClient(1, visitor=Visitor(ONE))
        self.two = DummyClient(2, visitor=Visitor(TWO))
        self.enter(self.one, Admission("Eins"))

    @property
    def game_id(self) -> Uuid:
        assert isinstance(self.table, HexxagonTable)
        assert self.table.match is not None
        return self.table.match.game_id

    def play(self) -> None:
        """The second participant comes, the game begins, and the first move is made."""
        self.enter(self.two, Admission("Zwei"))
        self.order(Start())
        move = GameMove(user_id=ONE, game_id=self.game_id, move_from=Tile(30), move_to=Tile(38))
        self.say(self.one, move)

    def last_lines(self, count: int) -> list[str]:
        return draw(self.table).splitlines()[-count:]


def test_a_lobby_shows_who_is_waiting() -> None:
    lobby = Lobby()
    assert draw(lobby.table) == "Lobby Finale, waiting\nXX Eins"
    lobby.order(Abort())
    assert draw(lobby.table) == "Lobby Finale, closed"


def test_a_game_shows_its_board_and_whose_turn_it_is() -> None:
    lobby = Lobby()
    lobby.play()
    assert draw(lobby.table) == AFTER_ONE_MOVE.strip("\n")


def test_a_game_that_is_over_shows_how_it_ended() -> None:
    lobby = Lobby()
    lobby.play()
    lobby.say(lobby.one, LeaveGame(user_id=ONE, game_id=lobby.game_id))
    assert lobby.last_lines(4) == [
        "XX Eins: 7, has left",
        "OO Zwei: 6",
        "Move 1 went from 30 to 38.",
        "Zwei has won.",
    ]


def test_a_game_that_an_organiser_has_ended_shows_it() -> None:
    lobby, other = Lobby(), Lobby()
    lobby.play()
    other.play()
    lobby.order(Abort())
    other.order(Abort(other.one))
    assert lobby.last_lines(1) == ["The game was ended without a winner."]
    assert other.last_lines(1) == ["Eins has won."]
