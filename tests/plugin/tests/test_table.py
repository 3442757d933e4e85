"""Reactions to everything that can happen in a lobby."""

import random

import pytest
from ludothek.api import (
    Abort,
    Arrange,
    Began,
    Client,
    Close,
    Ended,
    Expel,
    Kick,
    Malformed,
    OrderRefused,
    Pause,
    Release,
    Resume,
    Shutdown,
    Stage,
    Start,
    plain,
)
from ludothek.testing.dummies import DummyClient
from ludothek.testing.scene import Scene

from tictactoe.drawing import draw
from tictactoe.member import Admission
from tictactoe.messages import (
    Closed,
    Hello,
    Joined,
    Leave,
    Left,
    Mark,
    NotJoined,
    Over,
    Position,
    Refused,
    Started,
)
from tictactoe.recipe import Recipe
from tictactoe.settings import Settings
from tictactoe.table import TicTacToeTable
from tictactoe.visitor import Visitor

SETTINGS = Settings(move_seconds=30.0, waiting_seconds=60.0, max_refusals=3)
RECIPE = Recipe(key="key", name="Lobby", settings=SETTINGS)


@pytest.fixture
def scene() -> Scene:
    return Scene(lambda clock: TicTacToeTable(RECIPE, clock, random.Random(1)))


def visitor(number: int) -> Client:
    return DummyClient(number, name=f"P{number}", visitor=Visitor())


def begin(scene: Scene) -> tuple[Client, Client]:
    """Let a match begin; returns X and O."""
    players = {player.name: player for player in map(visitor, (1, 2))}
    for player in players.values():
        scene.enter(player, Admission(spectator=False))
    (began,) = [each for each in scene.others if isinstance(each, Began)]
    for player in players.values():
        scene.heard(player)
    x, o = (players[name] for name in began.players)
    return x, o


def mark(scene: Scene, client: Client, move: int, cell: int) -> None:
    scene.say(client, Mark(lobby="key", move=move, cell=cell))


def ended(scene: Scene) -> Ended:
    result, close = scene.others[-2:]
    assert close == Close()
    assert isinstance(result, Ended)
    return result


# Coming together


def test_a_recipe_survives_as_plain_data() -> None:
    assert plain.read(plain.write(RECIPE), "tictactoe", lambda number: None) == RECIPE


def test_the_first_player_waits(scene: Scene) -> None:
    ann = visitor(1)
    scene.enter(ann, Admission(spectator=False))
    assert scene.heard(ann) == [Joined(lobby="key", spectator=False)]
    assert scene.table.summary.stage is Stage.WAITING


def test_the_match_begins_with_the_second_player(scene: Scene) -> None:
    ann, bob = visitor(1), visitor(2)
    scene.enter(ann, Admission(spectator=False))
    scene.heard(ann)
    scene.enter(bob, Admission(spectator=False))
    joined, *news = scene.heard(bob)
    assert joined == Joined(lobby="key", spectator=False)
    assert news == scene.heard(ann)
    started, position = news
    assert {started.x, started.o} == {"P1", "P2"}
    assert position == Position(board="." * 9, move=0, active="X", paused=False, seconds=30)
    assert scene.others == [Began([started.x, started.o])]


def test_there_is_no_third_seat(scene: Scene) -> None:
    begin(scene)
    carl = visitor(3)
    scene.enter(carl, Admission(spectator=False))
    assert scene.heard(carl) == [NotJoined(reason="All seats are taken.")]
    assert scene.others[-1] == Release(carl)


def test_spectators_see_the_board_and_whatever_follows(scene: Scene) -> None:
    x, o = begin(scene)
    mark(scene, x, 0, 4)
    carl = visitor(3)
    scene.enter(carl, Admission(spectator=True))
    assert scene.heard(carl) == [
        Joined(lobby="key", spectator=True),
        Started(x=x.name, o=o.name),
        Position(board="....X....", move=1, active="O", paused=False, seconds=30),
    ]
    mark(scene, o, 1, 0)
    assert [message.board for message in scene.heard(carl)] == ["O...X...."]
    scene.hang_up(carl)
    assert scene.open


def test_a_lobby_where_nothing_begins_is_closed(scene: Scene) -> None:
    ann = visitor(1)
    scene.enter(ann, Admission(spectator=False))
    scene.wait(59)
    assert scene.open
    scene.wait(1)
    assert scene.heard(ann)[-1] == Closed(lobby="key", reason="Nobody has come to play.")
    assert not scene.open


def test_a_match_takes_as_long_as_it_takes(scene: Scene) -> None:
    x, o = begin(scene)
    for move, cell in enumerate([0, 1, 2, 4]):
        scene.wait(29)
        mark(scene, (x, o)[move % 2], move, cell)
    assert scene.open


def test_a_lobby_closes_with_its_last_player(scene: Scene) -> None:
    ann, bob = visitor(1), visitor(2)
    scene.enter(ann, Admission(spectator=False))
    scene.enter(bob, Admission(spectator=True))
    scene.say(ann, Leave(lobby="key"))
    assert scene.heard(ann)[-1] == Left(lobby="key")
    assert scene.heard(bob)[-1] == Closed(lobby="key", reason="The last player has left.")


# Playing


def test_three_in_a_row_win(scene: Scene) -> None:
    x, o = begin(scene)
    for move, (player, cell) in enumerate([(x, 0), (o, 3), (x, 1), (o, 4), (x, 2)]):
        mark(scene, player, move, cell)
    over = Over(board="XXXOO....", winner=x.name, reason="regular")
    assert (scene.heard(x)[-1], scene.heard(o)[-1]) == (over, over)
    result = ended(scene)
    assert (result.winner, result.reason, result.moves) == (x.name, "regular", 5)
    assert [(place.name, place.score, place.rank) for place in result.players] == [
        (x.name, 1, 1),
        (o.name, 0, 2),
    ]


def test_a_draw_has_no_winner(scene: Scene) -> None:
    x, o = begin(scene)
    for move, cell in enumerate([0, 1, 2, 4, 3, 5, 7, 6, 8]):
        mark(scene, (x, o)[move % 2], move, cell)
    result = ended(scene)
    assert (result.winner, [place.rank for place in result.players]) == (None, [1, 1])


@pytest.mark.parametrize(
    ("who", "move", "cell", "clause"),
    [
        ("O", 0, 0, "Mark.1 /move"),
        ("spectator", 0, 0, "Mark.1 /move"),
        ("X", 1, 0, "Mark.1 /move"),
        ("X", 0, 9, "ours.free-cell /cell"),
    ],
)
def test_a_mark_that_is_refused(scene: Scene, who: str, move: int, cell: int, clause: str) -> None:
    x, o = begin(scene)
    carl = visitor(3)
    scene.enter(carl, Admission(spectator=True))
    scene.heard(carl)
    client = {"X": x, "O": o, "spectator": carl}[who]
    mark(scene, client, move, cell)
    (refused,) = scene.heard(client)
    assert refused.reason.startswith(f"{clause}: expected ")
    assert [scene.heard(each) for each in (x, o, carl)] == [[], [], []]


def test_a_mark_that_was_made_already_is_ignored(scene: Scene) -> None:
    x, o = begin(scene)
    mark(scene, x, 0, 4)
    scene.heard(x)
    mark(scene, x, 0, 5)
    mark(scene, o, 0, 5)
    assert scene.heard(x) == []
    assert x.visitor.refusals == o.visitor.refusals == 0


def test_whoever_thinks_too_long_loses(scene: Scene) -> None:
    x, o = begin(scene)
    scene.wait(29)
    mark(scene, x, 0, 0)
    scene.wait(29)
    assert scene.open
    scene.wait(1)
    assert scene.heard(o)[-1] == Over(board="X........", winner=x.name, reason="timeout")
    assert ended(scene).reason == "timeout"


def test_whoever_leaves_loses(scene: Scene) -> None:
    x, o = begin(scene)
    scene.say(x, Leave(lobby="key"))
    assert scene.heard(x) == [Left(lobby="key")]
    assert scene.heard(o) == [Over(board="." * 9, winner=o.name, reason="left")]
    assert ended(scene).reason == "left"


def test_too_many_refusals_end_the_connection(scene: Scene) -> None:
    x, o = begin(scene)
    scene.say(x, Malformed("nonsense"))
    scene.say(x, Hello(name="again"))
    unreadable, out_of_place = scene.heard(x)
    assert unreadable == Refused(reason="1.1 expected a text in UTF-8; came nonsense")
    assert out_of_place.reason.startswith("ours.places /type: expected Hello elsewhere")
    scene.say(x, Malformed("nonsense"))
    assert any(isinstance(effect, Kick) and effect.client is x for effect in scene.others)
    assert scene.heard(o)[-1] == Over(board="." * 9, winner=o.name, reason="left")


# Records


def test_a_table_as_text(scene: Scene) -> None:
    assert draw(scene.table) == "Lobby: nobody waits"
    x, o = begin(scene)
    mark(scene, x, 0, 4)
    assert draw(scene.table).splitlines() == [
        ". . .",
        ". X .",
        ". . .",
        f"X {x.name}",
        f"O {o.name} is next",
    ]
    scene.hang_up(o)
    assert draw(scene.table).splitlines()[3:] == [f"X {x.name}", f"O {o.name}", f"{x.name} has won"]


# Organisers


def test_a_pause_stops_the_clock(scene: Scene) -> None:
    x, o = begin(scene)
    scene.wait(20)
    scene.order(Pause())
    assert scene.table.summary.stage is Stage.PAUSED
    mark(scene, x, 0, 0)  # it may have crossed with the news
    scene.wait(1000)
    paused = Position(board="." * 9, move=0, active="X", paused=True, seconds=10)
    assert scene.heard(o) == [paused]
    scene.order(Resume())
    assert scene.heard(o)[-1].seconds == 10
    scene.wait(9)
    assert scene.open
    scene.wait(1)
    assert ended(scene).reason == "timeout"


def test_orders_that_are_refused(scene: Scene) -> None:
    ann = visitor(1)
    scene.enter(ann, Admission(spectator=False))
    for order in (Pause(), Resume(), Start(), Arrange(), Abort(ann), Expel(visitor(9))):
        with pytest.raises(OrderRefused):
            scene.order(order)
    assert scene.open


def test_an_organiser_chooses_the_winner(scene: Scene) -> None:
    _, o = begin(scene)
    scene.order(Abort(winner=o))
    assert (ended(scene).winner, ended(scene).reason) == (o.name, "aborted")


def test_a_client_that_is_expelled_loses_but_stays_connected(scene: Scene) -> None:
    x, o = begin(scene)
    scene.order(Expel(x))
    assert scene.heard(x) == [Left(lobby="key")]
    assert ended(scene).winner == o.name
    assert not any(isinstance(effect, Kick) for effect in scene.others)


def test_the_daemon_ends_a_match_without_a_winner(scene: Scene) -> None:
    x, _ = begin(scene)
    scene.order(Shutdown())
    assert scene.heard(x)[-1] == Over(board="." * 9, reason="aborted")
    assert [place.rank for place in ended(scene).players] == [None, None]
