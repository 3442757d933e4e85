"""What an organiser may do, and what it looks like to the clients."""

from math import inf

import pytest

from games.quidditch import messages as m
from ludothek.contract.orders import (
    Abort,
    Arrange,
    Expel,
    Fault,
    OrderRefused,
    Pause,
    Resume,
    Shutdown,
    Start,
    Step,
)
from ludothek.contract.table import Stage
from tests.games.quidditch.scene import HERONS, Person, Scene, animated, match_config


def finish(person: Person) -> m.MatchFinish:
    (end,) = person.hears(m.MatchFinish)
    assert isinstance(end, m.MatchFinish)
    return end


def test_an_organisers_pause_is_ended_by_the_organiser() -> None:
    scene = Scene(match_config(timings__player_turn_timeout=10_000))
    left, right = scene.game()
    scene.wait(4)
    scene.forget()
    scene.order(Pause())
    (told,) = right.hears()
    assert (told.user_name, told.pause) == ("organiser", True)
    scene.wait(100)
    scene.say(left, m.ContinueRequest("please"))
    assert right.hears()[0].pause
    scene.order(Resume())
    told, again = right.hears()
    assert not told.pause
    assert again.timeout == 6000


def test_an_organiser_may_end_the_pause_of_a_player() -> None:
    scene = Scene()
    left, _ = scene.game()
    scene.say(left, m.PauseRequest(""))
    scene.order(Resume())
    assert scene.table.summary.stage is Stage.RUNNING


def test_a_later_match_is_not_paused_because_an_earlier_one_was() -> None:
    scene = Scene()
    scene.game()
    scene.order(Pause())
    scene.order(Abort())
    for person in tuple(scene.people.values()):
        scene.leave(person)
    left, right = scene.game()
    assert scene.table.summary.stage is Stage.RUNNING
    assert len(left.hears(m.Next)) == 1
    scene.say(left, m.PauseRequest(""))
    scene.say(right, m.ContinueRequest(""))
    assert scene.table.summary.stage is Stage.RUNNING


def test_a_match_that_is_over_leaves_no_timer_behind() -> None:
    scene = Scene(animated(100))
    scene.game()
    scene.order(Abort())
    assert scene.table.timers.deadline == inf


def test_abort_ends_the_match_without_a_winner() -> None:
    scene = Scene()
    left, right = scene.game()
    scene.forget()
    scene.order(Abort())
    assert [type(each).__name__ for each in left.heard] == [
        *("GlobalDebug", "Snapshot", "MatchFinish"),
    ]
    assert (finish(left).winner_user_name, right.kicked) == ("", False)
    assert not scene.closed


@pytest.mark.parametrize("phase", ["formation", "match"])
def test_abort_ends_the_match_with_a_winner(phase: str) -> None:
    scene = Scene()
    left, right = scene.players() if phase == "formation" else scene.game()
    scene.order(Abort(winner=right.client))
    assert finish(left).winner_user_name == "draco"


def test_abort_without_a_match_closes_the_lobby() -> None:
    scene = Scene()
    peter = scene.enter("peter")
    scene.order(Abort())
    assert scene.closed
    assert isinstance(peter.last, m.GlobalDebug)
    assert peter.kicked


def test_an_expelled_player_has_lost_and_an_expelled_spectator_is_just_gone() -> None:
    scene = Scene()
    watcher = scene.enter("peter")
    left, right = scene.game()
    scene.order(Expel(watcher.client))
    assert watcher.released
    assert scene.running
    scene.order(Expel(left.client))
    assert left.released
    assert finish(right).winner_user_name == "draco"
    assert scene.table.summary.spectators == ("draco",)


@pytest.mark.parametrize("order", [Shutdown(), Fault()])
@pytest.mark.parametrize("phase", ["waiting", "formation", "match", "paused"])
def test_at_the_end_of_the_daemon_matches_end_in_words(phase: str, order: Shutdown) -> None:
    scene = Scene()
    watcher = scene.enter("peter")
    if phase == "formation":
        scene.players()
    elif phase != "waiting":
        left, _ = scene.game()
        if phase == "paused":
            scene.say(left, m.PauseRequest(""))
    scene.forget()
    scene.order(order)
    assert isinstance(watcher.heard[0], m.GlobalDebug)
    ends = [each for each in watcher.heard if isinstance(each, m.MatchFinish)]
    assert len(ends) == (0 if phase == "waiting" else 1)
    assert watcher.kicked
    assert scene.closed
    assert len(scene.saved) == 2 * len(ends)


def test_orders_that_make_no_sense_are_refused() -> None:
    scene = Scene()
    peter = scene.enter("peter")
    stranger = Scene().enter("luna")
    for order in (
        *(Start(), Step(), Arrange(), Pause(), Resume()),
        *(Abort(winner=peter.client), Expel(stranger.client)),
    ):
        with pytest.raises(OrderRefused):
            scene.order(order)
    scene.game()
    for order in (Resume(), Abort(winner=peter.client), Abort(winner=stranger.client)):
        with pytest.raises(OrderRefused):
            scene.order(order)
    assert scene.running


def test_a_summary_tells_how_it_stands() -> None:
    scene = Scene()
    peter = scene.enter("peter")
    assert scene.table.summary.stage is Stage.WAITING
    scene.say(peter, HERONS)
    assert list(scene.table.summary.players) == ["peter"]
    scene = Scene()
    scene.enter("luna")
    scene.game()
    summary = scene.table.summary
    assert (summary.name, summary.stage, summary.state) == ("hogwarts", Stage.RUNNING, "")
    assert (summary.players, summary.spectators) == (("harry", "draco"), ("luna",))
    assert summary.facts == {"round": 1, "points": [0, 0]}
