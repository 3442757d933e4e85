"""A player who never answers does not hold anybody up."""

import pytest

from games.roborally import messages as m
from tests.games.roborally.audit import audit
from tests.games.roborally.scene import (
    WAITS,
    Scene,
    activating,
    fill,
    in_setup,
    in_shop,
    programming,
)

SINGLE = [wait for wait in WAITS if wait != "programming"]


@pytest.mark.parametrize("wait", SINGLE)
def test_the_server_decides_for_who_does_not_answer_in_time(wait: str) -> None:
    scene = Scene(play_seconds=7)
    scene.game()
    WAITS[wait](scene)
    before = scene.state
    scene.wait(6.9)
    assert scene.state is before
    scene.wait(0.1)
    assert scene.state.pending != before.pending


@pytest.mark.parametrize("wait", SINGLE)
def test_with_no_limit_the_game_waits_for_ever(wait: str) -> None:
    scene = Scene(play_seconds=0)
    scene.game()
    WAITS[wait](scene)
    before = scene.state
    scene.wait(10**6)
    assert scene.state is before


def test_who_answers_in_time_gives_the_next_one_the_whole_time() -> None:
    scene = Scene(play_seconds=10)
    scene.game()
    scene.wait(9)
    scene.go_on()
    scene.wait(9)
    assert scene.state.deciding == (2,)
    assert in_setup(scene.state)
    scene.wait(1)
    assert in_shop(scene.state)


def test_mistakes_do_not_lengthen_the_time() -> None:
    scene = Scene(play_seconds=10)
    ann, _ = scene.game()
    scene.wait(9)
    scene.say(ann, m.SetStartingPoint(99, 99))
    scene.wait(1)
    assert scene.state.deciding == (2,)


def test_the_timer_fills_the_registers_of_the_slow_blindly() -> None:
    scene = Scene()
    ann, bob, cid = scene.game(3)
    scene.go_on_until(programming)
    fill(scene, bob, first=4)
    fill(scene, ann)
    scene.forget()
    scene.wait(29.9)
    assert not bob.heard
    scene.wait(0.1)
    for person, drawn in ((ann, 0), (bob, 3), (cid, 5)):
        heard = [message for message in person.hears() if not isinstance(message, m.ShuffleCoding)]
        assert heard[0] == m.TimerEnded([2, 3])
        got = [message for message in heard if isinstance(message, m.CardsYouGotNow)]
        assert [len(message.cards) for message in got] == ([drawn] if drawn else [])
        names = [type(message).__name__ for message in heard[1 + len(got) :]]
        assert names == ["ActivePhase", "CurrentCards", "CurrentPlayer"]


def test_the_timer_can_be_set() -> None:
    scene = Scene(timer_seconds=3)
    ann, _ = scene.game()
    scene.go_on_until(programming)
    fill(scene, ann)
    scene.wait(2.9)
    assert programming(scene.state)
    scene.wait(0.1)
    assert activating(scene.state)


def test_when_nobody_programs_the_registers_are_filled_after_a_while() -> None:
    scene = Scene(programming_seconds=100)
    scene.game()
    scene.go_on_until(programming)
    scene.wait(99)
    assert programming(scene.state)
    scene.wait(1)
    assert activating(scene.state)


def test_a_game_of_silent_players_can_go_on_for_ever() -> None:
    scene = Scene(idle_rounds=0)
    scene.game(6)
    beginning = scene.state
    scene.watch = lambda state: audit(state, beginning)
    scene.wait(3600)
    assert scene.state.round > 2
