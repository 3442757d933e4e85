"""What an organiser may tell a Robo Rally table."""

import pytest

from games.roborally import messages as m
from ludothek.contract.orders import (
    Abort,
    Fault,
    OrderRefused,
    Pause,
    Resume,
    Shutdown,
    Start,
    Step,
)
from ludothek.contract.table import Stage
from tests.games.roborally.scene import Scene, refusal


def stage(scene: Scene) -> Stage:
    return scene.table.summary.stage


def test_the_organiser_starts_with_those_who_are_ready() -> None:
    scene = Scene()
    ann, _, cid = scene.players(3, ready=False)
    scene.say(ann, m.SetStatus(True))
    scene.say(cid, m.SetStatus(True))
    scene.order(Start())
    assert scene.state.player_ids == (1, 3)


def test_who_was_not_ready_can_watch_and_leave_without_a_trace_in_the_game() -> None:
    scene = Scene()
    ann, bob, cid = scene.players(3, ready=False)
    for person in (ann, bob):
        scene.say(person, m.SetStatus(True))
    scene.order(Start())
    game = scene.state
    scene.forget()
    scene.leave(cid)
    assert ann.hears() == [m.ConnectionUpdate(3, False, "Remove")]
    assert scene.state is game


def test_the_organiser_starts_with_all_players_if_too_few_are_ready() -> None:
    scene = Scene()
    scene.players(2, ready=False)
    scene.order(Start())
    assert scene.state.player_ids == (1, 2)


def test_orders_that_cannot_be_obeyed_are_refused() -> None:
    scene = Scene()
    (ann,) = scene.players(1)
    for order in (Start(), Pause(), Resume(), Abort(), Abort(ann.client), Step()):
        with pytest.raises(OrderRefused):
            scene.order(order)
    bob = scene.enter()
    scene.say(bob, m.PlayerValues("Bob", 2))
    scene.say(bob, m.SetStatus(True))
    stranger = Scene().enter()
    for order in (Start(), Step(), Abort(stranger.client)):
        with pytest.raises(OrderRefused):
            scene.order(order)
    assert scene.running


def test_nobody_is_waited_for_before_the_game_and_while_it_is_paused() -> None:
    """Think times are measured with it."""
    scene = Scene()
    scene.players(1)
    assert scene.table.awaited == {}
    scene = Scene()
    ann, _ = scene.game()
    assert [*scene.table.awaited] == [ann.client.number]
    scene.order(Pause())
    assert scene.table.awaited == {}
    scene.order(Resume())
    assert [*scene.table.awaited] == [ann.client.number]


def test_a_pause_stops_the_clock_and_all_moves_but_not_the_chat() -> None:
    scene = Scene(play_seconds=10)
    ann, _ = scene.game()
    scene.wait(4)
    scene.order(Pause())
    assert stage(scene) is Stage.PAUSED
    scene.wait(1000)
    assert "paused" in refusal(scene.say(ann, m.SetStartingPoint(1, 1)))
    assert scene.say(ann, m.SendChat("Still there?", -1))
    scene.order(Resume())
    scene.wait(5.9)
    assert scene.state.deciding == (1,)
    scene.wait(0.1)
    assert scene.state.deciding == (2,)


def test_who_comes_back_does_not_end_the_pause() -> None:
    scene = Scene(on_disconnect="reconnect")
    people = scene.game()
    scene.order(Pause())
    for person in people:
        scene.leave(person)
    scene.enter("Gruppe 1")
    assert stage(scene) is Stage.PAUSED
    scene.order(Resume())
    assert stage(scene) is Stage.RUNNING


def test_the_organiser_cannot_resume_a_game_without_players() -> None:
    scene = Scene(on_disconnect="reconnect")
    for person in scene.game():
        scene.leave(person)
    scene.order(Pause())
    scene.order(Resume())
    assert stage(scene) is Stage.PAUSED


@pytest.mark.parametrize("deserted", [False, True])
def test_nothing_of_an_aborted_game_is_left_to_the_next_one(deserted: bool) -> None:
    scene = Scene(on_disconnect="reconnect", deserted_seconds=10, play_seconds=20)
    people = scene.game()
    scene.order(Pause())
    for person in people:
        if deserted:
            scene.leave(person)
        else:
            scene.say(person, m.SetStatus(True))
    scene.order(Abort())
    for person in scene.players(2) if deserted else people:
        scene.say(person, m.SetStatus(True))
    assert stage(scene) is Stage.RUNNING
    scene.wait(19)
    before = scene.state
    assert len(before.players) == 2
    assert before.deciding == before.player_ids[:1]
    scene.wait(1)
    assert scene.state.deciding == before.player_ids[1:]


def test_an_aborted_game_has_no_winner_and_the_lobby_goes_on() -> None:
    scene = Scene()
    ann, bob = scene.game()
    scene.order(Abort())
    told = [m.Error("The organiser has ended the game.")]
    assert ann.hears() == bob.hears() == [*told, m.PlayerStatus(1, False), m.PlayerStatus(2, False)]
    assert not scene.running


def test_the_organiser_can_name_a_winner() -> None:
    scene = Scene()
    ann, bob = scene.game()
    scene.order(Abort(bob.client))
    assert ann.hears()[0] == m.GameFinished(2)


@pytest.mark.parametrize("order", [Shutdown(), Fault()])
def test_the_end_of_the_server_is_told(order: Shutdown | Fault) -> None:
    scene = Scene()
    ann, bob = scene.game()
    scene.order(order)
    assert ann.names() == bob.names() == ["Error"]
    assert scene.closed
