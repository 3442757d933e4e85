"""A lobby as text, for a terminal."""

import attrs

from games.quidditch import GAME
from games.quidditch import messages as m
from ludothek.contract.orders import Abort, Pause
from tests.games.quidditch.moments import scene as moment
from tests.games.quidditch.scene import BADGERS, HERONS, LEFT, Scene, animated

PITCH = """\
   0   1   2   3   4   5   6   7   8   9   10  11  12  13  14  15  16
 0             S   K   C1  C2  C3  B1  .   .   .   .   *
 1         .   .   .   .   .   .   .   .   .   .   .   .   .
 2     .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
 3     .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
 4 .   .   []  .   .   .   .   .   .   .   .   .   .   .   []  .   .
 5 .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
 6 .   .   []+ .   .   .   .   .   c1o .   .   .   .   .   []  .   .
 7 .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
 8 .   .   []  .   .   .   .   .   .   .   .   .   .   .   []  .   .
 9     .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
10     .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
11         .   .   .   .   ~   .   .   .   .   .   .   .   .
12             s   k   .   c2  c3  b1  b2  .   .   .   *
o quaffle, * bludger, + snitch, ~ cube
"""

SITUATION = """\
harry (capitals) 10:0 draco (small letters), round 13, playerPhase
rightChaser1 holds the quaffle
knocked out: rightSeeker
banned: leftBeater2
asked: rightChaser1 for move (5 s left)
later in this phase: C2, b2
paused by harry
draco is gone (60 s left)
spectators: luna"""


def drawn(scene: Scene) -> str:
    return GAME.draw(scene.table)


def test_a_match_with_everything_that_can_be_seen_and_more() -> None:
    scene = Scene()
    left, right = scene.game()
    scene.enter("luna")
    scene.match._state = moment(
        "rightChaser1",
        players={"rightChaser1": (8, 6)},
        quaffle="rightChaser1",
        snitch=(2, 6),
        banned=["leftBeater2"],
        knockout=["rightSeeker"],
        cubes=[(6, 11)],
        points=(10, 0),
        number=13,
        then=["leftChaser2", "rightBeater2"],
    )
    scene.say(left, m.PauseRequest("brb"))
    scene.leave(right)
    assert drawn(scene) == PITCH + SITUATION


def test_a_lobby_before_its_match() -> None:
    scene = Scene()
    assert drawn(scene) == "hogwarts: nobody plays"
    harry, draco = scene.enter("harry"), scene.enter("draco")
    scene.say(harry, HERONS)
    expected = ["hogwarts: nobody plays", "want to play: harry", "spectators: draco"]
    assert drawn(scene).splitlines() == expected
    scene.say(draco, BADGERS)
    scene.say(harry, m.TeamFormation.of(LEFT))
    scene.wait(10)
    expected = ["harry against draco", "formations still missing: right (20 s left)"]
    assert drawn(scene).splitlines() == expected


def test_a_match_that_has_ended_as_it_was_in_the_end() -> None:
    scene = Scene()
    scene.game()
    before = drawn(scene).splitlines()
    scene.order(Abort())
    after = drawn(scene).splitlines()
    assert after[:-4] == before[: len(after) - 4]
    assert after[-4:] == [
        "harry (capitals) 0:0 draco (small letters), round 1, gameFinish",
        "won by nobody: violationOfProtocol",
        "hogwarts: nobody plays",
        "spectators: harry, draco",
    ]


def test_a_match_that_has_ended_before_anything_was_seen() -> None:
    scene = Scene()
    _, draco = scene.players()
    scene.order(Abort(winner=draco.client))
    expected = ["harry against draco", "won by draco: violationOfProtocol"]
    assert drawn(scene).splitlines()[:2] == expected


def test_what_is_decided_but_not_shown_yet() -> None:
    scene = Scene(animated(1000))
    scene.game()
    scene.order(Pause())
    lines = drawn(scene).splitlines()
    assert lines[-2].startswith("snapshots that nobody has seen yet: ")
    assert lines[-1] == "paused by organiser"
    assert not any("s left" in line for line in lines)  # nobody is asked yet
    turn = scene.state.turn
    scene.match._state = attrs.evolve(scene.state, extra_move=True)
    assert turn is not None
    assert f"asked: {turn.entity} for move, once more" in drawn(scene).splitlines()
