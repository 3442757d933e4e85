"""Pausing: who may, what stands still, and how the match resumes."""

from typing import Any

import orjson
import pytest

from games.quidditch import messages as m
from games.quidditch.mods import Mod
from games.quidditch.rules import DeltaType, Request
from ludothek.contract.orders import Abort
from tests.games.quidditch.scene import LEFT, RIGHT, Person, Scene, animated, match_config, skip


def response(person: Person) -> tuple[str, str, bool]:
    """The one pauseResponse that was heard."""
    (heard,) = person.hears(m.PauseResponse)
    return heard.message, heard.user_name, heard.pause


def test_a_player_pauses_and_any_player_continues() -> None:
    scene = Scene()
    watcher = scene.enter("peter")
    left, right = scene.game()
    scene.forget()
    scene.say(left, m.PauseRequest("brb"))
    for person in (left, right, watcher):
        assert response(person) == ("brb", "harry", True)
    assert scene.table.summary.stage.value == "paused"
    scene.say(right, m.ContinueRequest("come on"))
    for person in (left, right, watcher):
        assert person.heard[0] == m.PauseResponse(message="come on", user_name="draco", pause=False)
    assert scene.table.summary.stage.value == "running"


def test_every_request_is_answered_and_only_some_have_an_effect() -> None:
    """«In allen Fällen broadcastet der Server eine Pause-Response an alle Clients.»"""
    scene = Scene()
    watcher = scene.enter("peter")
    scene.say(watcher, m.PauseRequest("no match"))
    assert response(watcher) == ("no match", "peter", False)
    left, _ = scene.game()
    scene.forget()
    steps: list[tuple[Person, Any, bool]] = [
        (watcher, m.PauseRequest(""), False),
        (left, m.ContinueRequest(""), False),
        (left, m.PauseRequest(""), True),
        (left, m.PauseRequest(""), True),
        (watcher, m.ContinueRequest(""), True),
        (left, m.ContinueRequest(""), False),
    ]
    for person, request, paused in steps:
        scene.say(person, request)
        assert response(left) == ("", person.name, paused)
        assert not person.kicked


def test_an_artificial_intelligence_cannot_pause_but_continue() -> None:
    """«KI-Clients dürfen keine Pausen verlangen.»"""
    scene = Scene()
    left, _ = scene.game(ai=True)
    scene.forget()
    scene.say(left, m.PauseRequest("thinking"))
    assert response(left) == ("thinking", "harry", False)
    scene.match.pause("draco")
    scene.say(left, m.ContinueRequest(""))
    assert response(left) == ("", "harry", False)


def test_a_turn_goes_on_with_the_time_that_was_left() -> None:
    """«Nach einer Pause muss der Spieler wissen, wie viel Zeit er hat»"""
    scene = Scene(match_config(timings__player_turn_timeout=10_000))
    left, right = scene.game()
    asked = left.last
    scene.wait(4)
    scene.say(left, m.PauseRequest(""))
    scene.wait(10_000)
    scene.forget()
    scene.say(right, m.ContinueRequest(""))
    assert left.heard[1:] == [m.Next(asked.turn, asked.type, 6000)]
    scene.wait(5.9)
    assert len(left.heard) == 2
    scene.wait(0.2)
    assert left.heard[2].snapshot.delta.type is DeltaType.SKIP


def test_nobody_plays_in_a_pause() -> None:
    scene = Scene()
    left, right = scene.game()
    person, turn = scene.on_turn()
    scene.say(left, m.PauseRequest(""))
    for each in (left, right):
        (warning,) = scene.say(each, skip(turn))
        assert warning == m.PrivateWarning(
            304,
            "Warning: deltaRequest received while game is paused, please make a break: "
            "13.4.5.4 /payloadType: expected no deltaRequest during a pause; "
            f"came skip by {turn.entity}",
        )
    wrong = m.DeltaRequest.of(Request(DeltaType.MOVE))
    assert scene.say(person, wrong)[0].code == 304
    assert not person.kicked


def test_animations_stand_still_in_a_pause() -> None:
    scene = Scene(animated(1000))
    left, _ = scene.game()
    scene.wait(0.75)
    scene.say(left, m.PauseRequest(""))
    scene.forget()
    scene.wait(100)
    assert left.heard == []
    scene.say(left, m.ContinueRequest(""))
    assert len(left.heard) == 1  # the pauseResponse; there is no next to repeat
    scene.wait(1 / 8)
    assert len(left.heard) == 1
    scene.wait(1 / 8)
    assert isinstance(left.last, m.Snapshot)


@pytest.mark.parametrize("when", ["before", "between"])
def test_formations_may_be_paused(when: str) -> None:
    scene = Scene(match_config(timings__team_formation_timeout=2000))
    left, right = scene.players()
    if when == "between":
        scene.say(right, m.TeamFormation.of(RIGHT))
    scene.wait(1)
    scene.say(left, m.PauseRequest(""))
    scene.wait(1000)
    assert scene.running
    scene.say(left, m.TeamFormation.of(LEFT))
    scene.forget()
    scene.say(right, m.ContinueRequest(""))
    if when == "between":
        # Both had lined up when the pause was over.
        assert isinstance(left.heard[1], m.Snapshot)
        assert isinstance(left.last, m.Next)
    else:
        scene.wait(0.9)
        assert scene.running
        scene.wait(0.2)
        assert left.hears(m.MatchFinish)[0].winner_user_name == "harry"


def test_a_pause_is_no_reason_to_wait_for_ever() -> None:
    """The time to come back keeps running: a pause is for those who are there."""
    scene = Scene()
    left, right = scene.game()
    scene.say(left, m.PauseRequest(""))
    scene.leave(left)
    scene.wait(59)
    assert scene.running
    scene.wait(2)
    assert right.hears(m.MatchFinish)[0].winner_user_name == "draco"


def test_paused_cut_off_back_and_played_to_the_end() -> None:
    scene = Scene(match_config(timings__player_turn_timeout=10_000))
    left, right = scene.game()
    scene.say(left, m.PauseRequest(""))
    scene.leave(left)
    scene.wait(30)
    back = scene.enter("harry")
    assert back.names() == ["JoinResponse", "LoginGreeting", "Reconnect", "PauseResponse"]
    scene.wait(1000)
    scene.say(back, m.ContinueRequest(""))
    (again,) = back.hears(m.Next)
    assert again.timeout == 10_000
    while scene.running:
        scene.skip()
    assert len(back.hears(m.MatchFinish)) == len(right.hears(m.MatchFinish)) == 1


def test_a_long_text_is_cut() -> None:
    scene = Scene(chat_length=10)
    left, _ = scene.game()
    scene.forget()
    scene.say(left, m.PauseRequest("0123456789 and more"))
    assert response(left) == ("0123456789", "harry", True)


def test_nobody_pauses_again_and_again_against_the_others_will() -> None:
    """A player who is about to lose could otherwise keep its match from ending."""
    scene = Scene(match_config(timings__player_turn_timeout=10_000))
    left, right = scene.game()
    for text, paused in (("first", True), ("again", False), ("and again", False)):
        scene.forget()
        scene.say(left, m.PauseRequest(text))
        assert response(right) == (text, "harry", paused)
        scene.say(right, m.ContinueRequest(""))
    scene.skip()
    scene.forget()
    scene.say(left, m.PauseRequest("next turn"))
    assert response(right) == ("next turn", "harry", True)


def test_who_has_ended_its_own_pause_may_pause_again() -> None:
    scene = Scene()
    left, right = scene.game()
    for _ in range(3):
        scene.forget()
        scene.say(left, m.PauseRequest("tea"))
        assert response(right) == ("tea", "harry", True)
        scene.say(left, m.ContinueRequest(""))


@pytest.mark.parametrize("request_", [m.PauseRequest("x"), m.ContinueRequest("x"), m.SendChat("x")])
def test_nobody_floods_the_others(request_: Any) -> None:
    """Slow readers would be disconnected because of that, and lose their match."""
    scene = Scene()
    left, _ = scene.game()
    watcher, listener = scene.enter("peter", Mod.CHAT), scene.enter("lily", Mod.CHAT)
    scene.forget()
    for _ in range(1000):
        scene.say(watcher, request_)
    assert 20 <= len(listener.heard) <= 40
    assert watcher.last.code == 300
    assert scene.say(left, m.PauseRequest(""))[0] == m.PauseResponse(
        message="", user_name="harry", pause=True
    )
    for _ in range(5):
        scene.time += 1
        scene.forget()
        scene.say(watcher, request_)
        assert len(listener.heard) == 1


def test_a_player_is_not_louder_by_saying_much_at_once() -> None:
    """Clients do not read while they think; chat by the other player must not disconnect them."""
    scene = Scene()
    left, right = scene.game()
    scene.forget()
    for _ in range(60):
        scene.say(left, m.PauseRequest("\U0001f600" * 500))
        scene.time += 1
    heard = right.hears(m.PauseResponse)
    assert 4 <= len(heard) <= 10
    scene.say(left, m.ContinueRequest(""))
    assert response(right) == ("", "harry", False)


def test_any_text_that_may_be_said_can_be() -> None:
    scene = Scene(chat_length=10_000)
    speaker, listener = scene.enter("peter", Mod.CHAT), scene.enter("lily", Mod.CHAT)
    scene.forget()
    scene.say(speaker, m.SendChat("x" * 10_000))
    assert len(listener.hears(m.GlobalChat)) == 1


def test_coming_back_makes_nobody_louder() -> None:
    scene = Scene()
    listener = scene.enter("lily")
    for _ in range(20):
        watcher = scene.enter("peter")
        for _ in range(50):
            scene.say(watcher, m.PauseRequest("x"))
        scene.leave(watcher)
    assert 20 <= len(listener.hears(m.PauseResponse)) <= 40


def test_a_newer_login_makes_nobody_louder() -> None:
    scene = Scene()
    listener = scene.enter("lily")
    for _ in range(20):
        watcher = scene.enter("peter", replaces_other=True)
        for _ in range(50):
            scene.say(watcher, m.PauseRequest("x"))
    assert 20 <= len(listener.hears(m.PauseResponse)) <= 40


@pytest.mark.parametrize(("text", "most"), [("x", 100), ("x" * 500, 20), ("ä" * 250, 20)])
def test_many_watchers_are_not_louder_than_a_few(text: str, most: int) -> None:
    """Somebody may have a hundred names; players can still read what all of them say together."""
    scene = Scene()
    left, right = scene.game()
    crowd = [scene.enter(f"peter{n}") for n in range(100)]
    scene.forget()
    for watcher in crowd * 10:
        scene.say(watcher, m.PauseRequest(text))
    assert most / 2 <= len(left.hears(m.PauseResponse)) <= most
    right.heard.clear()
    scene.say(left, m.PauseRequest("brb"))
    assert response(right) == ("brb", "harry", True)


def test_a_flood_of_pauses_does_not_fill_the_replay() -> None:
    scene = Scene()
    left, _ = scene.game()
    for _ in range(1000):
        scene.say(left, m.PauseRequest(""))
        scene.say(left, m.ContinueRequest(""))
    scene.order(Abort())
    log = orjson.loads(scene.saved[1].content())["payload"]["log"]
    assert sum(entry["payloadType"] == "next" for entry in log) < 50
