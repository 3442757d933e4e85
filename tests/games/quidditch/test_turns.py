"""Answers that come too late or from the wrong side, and one match after another."""

from typing import Any

import pytest

from games.quidditch import messages as m
from games.quidditch.rules import Cell, DeltaType, Entity, Request, State, Turn, TurnType
from ludothek.contract.codec import Malformed
from tests.games.quidditch.scene import BADGERS, HERONS, LEFT, RIGHT, Person, Scene, animated, skip


def move(entity: Entity, x: int, y: int) -> m.DeltaRequest:
    return m.DeltaRequest.of(Request(DeltaType.MOVE, Cell(x, y), entity))


# Late answers


def test_it_is_not_your_turn() -> None:
    scene = Scene()
    left, right = scene.game()
    person, turn = scene.on_turn()
    other = right if person is left else left
    (warning,) = scene.say(other, skip(turn))
    assert warning.code == 303
    assert warning.information == (
        "Warning: It's not your turn - deltaRequest on other player's turn.: "
        f"9.1.1 expected an answer to a next of your side; came skip by {turn.entity}"
    )
    assert scene.on_turn() == (person, turn)


def test_before_the_first_snapshot_it_is_nobodys_turn() -> None:
    scene = Scene()
    left, _ = scene.players()
    (warning,) = scene.say(left, move(Entity.LEFT_SEEKER, 3, 3))
    assert warning.code == 303


def test_an_answer_for_another_player_of_the_team_is_late() -> None:
    scene = Scene()
    scene.game()
    person, turn = scene.on_turn()
    mate = next(e for e in Entity if e.is_player and e.side is turn.side and e is not turn.entity)
    assert scene.say(person, move(mate, 3, 3)) == []
    assert scene.on_turn() == (person, turn)


def test_an_answer_during_the_animations_is_late() -> None:
    scene = Scene(animated(1000))
    left, _ = scene.game()
    assert scene.say(left, move(Entity.LEFT_SEEKER, 3, 3)) == []
    assert scene.running


def late_turn(scene: Scene, late: Turn, current: Turn) -> Person:
    """A turn has been missed, and another one of the same team is open."""
    scene.match._missed.add(late)
    scene.match._turn = current
    scene.match._state = State(
        fixture=scene.state.fixture, snapshot=scene.state.snapshot, turn=current
    )
    return scene.side(current.side)


@pytest.mark.parametrize(
    ("late", "current", "answer"),
    [
        (
            Turn(Entity.LEFT_CHASER1, TurnType.MOVE),
            Turn(Entity.LEFT_CHASER1, TurnType.ACTION),
            move(Entity.LEFT_CHASER1, 6, 5),
        ),
        (
            Turn(Entity.LEFT_TROLL, TurnType.FAN),
            Turn(Entity.LEFT_ELF, TurnType.FAN),
            m.DeltaRequest.of(Request(DeltaType.TROLL_ROAR)),
        ),
        (
            Turn(Entity.LEFT_ELF, TurnType.FAN),
            Turn(Entity.LEFT_SEEKER, TurnType.MOVE),
            m.DeltaRequest.of(Request(DeltaType.ELF_TELEPORTATION, passive=Entity.RIGHT_SEEKER)),
        ),
    ],
)
def test_an_answer_that_was_right_a_moment_ago_is_late_and_not_wrong(
    late: Turn, current: Turn, answer: m.DeltaRequest
) -> None:
    """«Bei verspätet eintreffenden Deltas werden diese ignoriert und der Server kickt den Client
    nicht!»"""
    scene = Scene()
    scene.game()
    person = late_turn(scene, late, current)
    assert scene.say(person, answer) == []
    assert scene.running
    error, *_ = scene.say(person, answer)  # but only once for each missed turn
    assert error.code == 102


# One match after another


def test_after_a_match_everything_begins_again() -> None:
    """«In einer Lobby kann nachdem ein MatchFinish ausgelöst wurde wieder ein MatchStart
    ausgelöst werden»"""
    scene = Scene()
    left, right = scene.game()
    scene.say(left, Malformed("x"))
    assert scene.table.summary.players == ()
    luna = scene.enter("luna")
    scene.say(luna, HERONS)
    scene.say(right, BADGERS)
    assert luna.last.left_team_user_name == "luna"
    scene.say(luna, m.TeamFormation.of(LEFT))
    scene.say(right, m.TeamFormation.of(RIGHT))
    assert scene.state.snapshot.round == 1


@pytest.mark.parametrize("message", [move(Entity.LEFT_SEEKER, 3, 3), m.TeamFormation.of(RIGHT)])
def test_what_crosses_with_the_end_of_the_match_is_forgiven(message: Any) -> None:
    scene = Scene()
    left, right = scene.game()
    scene.say(left, Malformed("x"))
    assert scene.say(right, message) == []
    assert not right.kicked
