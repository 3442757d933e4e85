"""How a game of Robo Rally ended, according to the results."""

from games.roborally.messages import SetStatus
from games.roborally.rules import Card
from ludothek.contract.effects import Ended
from ludothek.contract.orders import Abort, Shutdown
from tests.games.roborally.scene import Scene, activating, change


def result(scene: Scene) -> Ended:
    """The one result of the one game."""
    assert [began.players for began in scene.began] == [["Spieler 1", "Spieler 2"]]
    (ended,) = scene.ended
    return ended


def ranks(ended: Ended) -> list[tuple[str, int | None, int | None]]:
    return [(place.name, place.score, place.rank) for place in ended.players]


def test_a_game_that_was_won_counts_the_moves_of_its_players() -> None:
    scene = Scene()
    scene.game()
    moves = 0
    while not activating(scene.state):
        scene.go_on()
        moves += 1
    for player_id in (1, 2):
        change(scene, player_id, registers=(Card.POWER_UP,) * 5)
    change(scene, 2, position=scene.state.checkpoints[0])
    scene.wait(60)  # the server plays for both, which does not count
    ended = result(scene)
    assert (ended.winner, ended.reason, ended.moves) == ("Spieler 2", "regular", moves)
    assert ranks(ended) == [("Spieler 1", 0, 2), ("Spieler 2", 1, 1)]


def test_a_second_game_counts_from_the_start() -> None:
    scene = Scene()
    scene.game()
    scene.go_on()
    scene.order(Abort())
    for person in [*scene.people.values()]:
        scene.say(person, SetStatus(True))
    scene.order(Abort())
    assert [ended.moves for ended in scene.ended] == [1, 0]


def test_a_game_of_so_many_rounds() -> None:
    scene = Scene(max_rounds=1)
    scene.game()
    while scene.running:
        scene.go_on()
    assert result(scene).reason == "max_rounds"


def test_a_game_that_everybody_leaves() -> None:
    scene = Scene()
    for person in scene.game():
        scene.leave(person)
    ended = result(scene)
    assert (ended.winner, ended.reason) == (None, "left")
    assert [rank for *_, rank in ranks(ended)] == [None, None]


def test_a_game_that_one_player_wins_alone() -> None:
    scene = Scene()
    _, bob = scene.game()
    scene.go_on_until(activating)
    scene.leave(bob)
    change(scene, 1, position=scene.state.checkpoints[0])
    while scene.running:
        scene.wait(30)
    ended = result(scene)
    assert (ended.winner, ended.reason) == ("Spieler 1", "left")
    assert ranks(ended)[1] == ("Spieler 2", None, 2)


def test_a_game_that_the_organiser_awards() -> None:
    scene = Scene()
    _, bob = scene.game()
    scene.order(Abort(bob.client))
    assert (result(scene).winner, result(scene).reason) == ("Spieler 2", "aborted")


def test_a_game_that_the_end_of_the_server_ends() -> None:
    scene = Scene()
    scene.game()
    scene.order(Shutdown())
    assert (result(scene).winner, result(scene).reason) == (None, "aborted")
