"""A lobby without a match, and what may be said in it at any time."""

from typing import Any

import pytest

from games.quidditch import messages as m
from games.quidditch import rules
from games.quidditch.mods import Mod
from games.quidditch.rules import Delta, DeltaType, Entity, Request
from ludothek.contract.codec import Malformed
from ludothek.contract.flaws import FlawKind
from ludothek.contract.table import Stage
from tests.games.quidditch.moments import picture
from tests.games.quidditch.scene import BADGERS, HERONS, LEFT, Scene, changed, flawed, match_config


def error(heard: list[Any]) -> tuple[int, bool]:
    """Code and triggerMatchFinish of the first thing heard, which is an error."""
    assert isinstance(heard[0], m.PrivateError)
    return heard[0].code, heard[0].trigger_match_finish


# Logging in


def test_a_login_is_answered_then_greeted_in_the_whole_lobby() -> None:
    """«Zuerst schickt der Server joinResponse dannach loginGreeting.»"""
    scene = Scene()
    peter = scene.enter("peter")
    assert peter.names() == ["JoinResponse", "LoginGreeting"]
    sandra = scene.enter("sandra")
    assert peter.hears() == [m.LoginGreeting("sandra")]
    assert sandra.hears()[1] == m.LoginGreeting("sandra")


def test_a_newer_login_is_warned_and_takes_the_place() -> None:
    scene = Scene()
    old = scene.enter("peter")
    new = scene.enter("peter", replaces_other=True)
    assert new.last.code == 301
    assert new.last.information.startswith("Warning: joinRequest-doublelogin: User logs in from")
    scene.leave(old)
    assert scene.table.summary.spectators == ("peter",)


def test_the_lobbies_come_after_the_greeting() -> None:
    lobbies = m.Lobbies([m.LobbyEntry(name="abc", match_started=False, connected_users=3)])
    peter = Scene().enter("peter", Mod.LOBBIES, lobbies=lobbies)
    assert peter.last == lobbies


def test_a_new_login_makes_a_mere_spectator_of_who_wanted_to_play() -> None:
    """«Bei einem erfolgreichen Login befindet man sich in einer Lobby und ist vorerst ein
    Zuschauer.»"""
    scene = Scene()
    scene.say(scene.enter("peter"), HERONS)
    assert list(scene.table.summary.players) == ["peter"]
    scene.enter("peter", replaces_other=True)
    assert list(scene.table.summary.players) == []


# Teams


def test_the_first_team_plays_left_and_the_second_right() -> None:
    """«norbert ist linker Spieler, sandra ist rechter Spieler»"""
    scene = Scene()
    peter, sandra, norbert = (scene.enter(name) for name in ("peter", "sandra", "norbert"))
    scene.say(norbert, HERONS)
    assert scene.table.summary.stage is Stage.WAITING
    scene.say(sandra, BADGERS)
    for person in (peter, sandra, norbert):
        start = person.last
        assert (start.left_team_user_name, start.right_team_user_name) == ("norbert", "sandra")
        assert (start.left_team_config, start.right_team_config) == (HERONS, BADGERS)
        assert start.match_config == match_config()
    summary = scene.table.summary
    assert (summary.stage, summary.state) == (Stage.RUNNING, "formation")
    assert scene.table.summary.spectators == ("peter",)


def test_a_second_team_of_the_same_user_replaces_the_first() -> None:
    scene = Scene()
    peter, sandra = scene.enter("peter"), scene.enter("sandra")
    scene.say(peter, HERONS)
    scene.say(peter, BADGERS)
    assert not scene.running
    scene.say(sandra, HERONS)
    assert (peter.last.left_team_user_name, peter.last.left_team_config) == ("peter", BADGERS)


def test_a_bad_team_costs_the_connection_and_nothing_else() -> None:
    scene = Scene()
    peter, sandra = scene.enter("peter"), scene.enter("sandra")
    scene.say(sandra, HERONS)
    wrong = changed(HERONS, {"colors.primary": "c80010"})
    heard = scene.say(peter, wrong)
    assert error(heard) == (207, False)
    assert heard[0].information.startswith(
        "Error: invalid teamConfig by player: 5.2.6.1 /payload/colors/primary: "
        "expected six digits or letters A to F; came 'c80010'"
    )
    assert peter.kicked
    assert not sandra.kicked
    assert scene.table.summary.players == ("sandra",)


def test_nobody_plays_against_somebody_who_was_kicked() -> None:
    scene = Scene()
    peter, sandra = scene.enter("peter"), scene.enter("sandra")
    scene.say(peter, HERONS)
    assert error(scene.say(peter, Malformed("x"))) == (251, False)
    scene.say(sandra, BADGERS)
    assert not scene.running
    assert scene.table.summary.players == ("sandra",)


def test_somebody_who_leaves_takes_the_team_along() -> None:
    scene = Scene()
    peter, sandra = scene.enter("peter"), scene.enter("sandra")
    scene.say(peter, HERONS)
    scene.leave(peter)
    scene.say(sandra, BADGERS)
    assert not scene.running


def test_the_mod_for_gender_counts_for_who_has_asked_for_it() -> None:
    sexes = {f"players.{place}.sex": "f" for place in ("keeper", "chaser2", "beater1")}
    witches = changed(HERONS, sexes)
    scene = Scene()
    assert scene.say(scene.enter("minerva", Mod.DISABLE_GENDER_BALANCE), witches) == []
    assert error(scene.say(scene.enter("peter"), witches)) == (207, False)


@pytest.mark.parametrize("image", ["a nice drawing", ""])
def test_pictures_are_looked_at_where_that_is_wanted(image: str) -> None:
    """Otherwise a team need not have one: a known web client saves teams without."""
    painted = changed(HERONS, {"image": image})
    lenient = Scene()
    assert lenient.say(lenient.enter("peter"), painted) == []
    strict = Scene(strict_images=True)
    assert error(strict.say(strict.enter("peter"), painted)) == (207, False)


# Things that are not allowed


MOVE = m.DeltaRequest.of(Request(DeltaType.MOVE, rules.Cell(3, 3), Entity.LEFT_SEEKER))
START = m.MatchStart(
    match_config=match_config(),
    left_team_config=HERONS,
    right_team_config=BADGERS,
    left_team_user_name="abc",
    right_team_user_name="def",
)


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (Malformed("binary"), 251),
        (flawed(FlawKind.SYNTAX), 251),
        (flawed(FlawKind.NO_TYPE), 252),
        (flawed(FlawKind.MISSING), 253),
        (m.TeamFormation.of(LEFT), 254),
        (MOVE, 254),
        (m.GetReplay(), 254),
        (m.JoinResponse("hello"), 254),
        (START, 254),
        (match_config(), 254),
        (m.Snapshot(picture({})), 254),
        (
            m.JoinRequest(
                lobby="abc",
                user_name="abc",
                password="",
                is_artificial_intelligence=False,
                mods=[],
            ),
            254,
        ),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, int) else str(value),
)
def test_a_spectator_who_breaks_the_protocol_is_kicked(message: Any, code: int) -> None:
    scene = Scene()
    peter, sandra = scene.enter("peter"), scene.enter("sandra")
    sandra.heard.clear()
    assert error(scene.say(peter, message)) == (code, False)
    assert peter.kicked
    assert sandra.heard == []


@pytest.mark.parametrize("message", [m.Undefined("yodel"), m.SendDebug("hagrid, I love Magic")])
def test_some_things_are_just_not_answered(message: Any) -> None:
    scene = Scene()
    peter = scene.enter("peter")
    assert scene.say(peter, message) == []
    assert not peter.kicked


# Mods


def test_chat_goes_to_all_who_have_it() -> None:
    scene = Scene()
    peter, sandra = scene.enter("peter", Mod.CHAT), scene.enter("sandra", Mod.CHAT)
    norbert = scene.enter("norbert")
    scene.forget()
    scene.say(peter, m.SendChat("hi"))
    assert peter.hears() == sandra.hears() == [m.GlobalChat("peter", "hi")]
    assert norbert.hears() == []


def test_chat_has_an_end() -> None:
    scene = Scene(chat_length=5)
    peter = scene.enter("peter", Mod.CHAT)
    assert scene.say(peter, m.SendChat("12345")) == [m.GlobalChat("peter", "12345")]
    (warning,) = scene.say(peter, m.SendChat("123456"))
    assert warning == m.PrivateWarning(
        300,
        "Warning: ours.text-length /payload/information: expected at most 5 characters; "
        "came 6 characters",
    )


@pytest.mark.parametrize(
    "message",
    [
        m.SendChat("hi"),
        m.GetReplayWithSnapshot(),
        m.TestRequest("", m.Snapshot(picture({})), m.DeltaBroadcast(delta_type=DeltaType.SKIP)),
    ],
    ids=lambda message: type(message).__name__,
)
def test_a_mod_that_was_not_asked_for_is_a_warning(message: Any) -> None:
    scene = Scene()
    (warning,) = scene.say(scene.enter("peter"), message)
    assert warning.code == 300


def test_who_comes_into_a_match_hears_the_last_ten() -> None:
    """«Die neuste Chat Nachricht ist am Ende des Arrays.»"""
    scene = Scene()
    peter = scene.enter("peter", Mod.CHAT)
    scene.game()
    for number in range(12):
        scene.say(peter, m.SendChat(str(number)))
    late = scene.enter("luna", Mod.CHAT)
    (history,) = late.hears(m.ReconnectChat)
    assert [said.information for said in history.last_ten_chat] == [*map(str, range(2, 12))]
    assert m.ReconnectChat not in map(type, scene.enter("cho").hears())


def test_the_test_mod_applies_a_delta() -> None:
    scene = Scene()
    peter = scene.enter("peter", Mod.TEST)
    before = picture({"leftSeeker": (5, 5)})
    seeker = Entity.LEFT_SEEKER
    delta = Delta(DeltaType.MOVE, old=rules.Cell(5, 5), new=rules.Cell(5, 6), active=seeker)
    wire = m.DeltaBroadcast(
        delta_type=DeltaType.MOVE,
        x_pos_old=5,
        y_pos_old=5,
        x_pos_new=5,
        y_pos_new=6,
        active_entity=seeker,
    )
    request = m.TestRequest("snapshot-delta-snapshot", m.Snapshot(before, ("abc",)), wire)
    (response,) = scene.say(peter, request)
    assert response.actual_snapshot.spectators == ("abc",)
    after = response.actual_snapshot.snapshot
    assert after.player(Entity.LEFT_SEEKER).cell == (5, 6)
    assert after.delta == delta


# Empty lobbies


def test_an_empty_lobby_waits_for_a_while_and_closes() -> None:
    scene = Scene(empty_lobby_seconds=100)
    peter = scene.enter("peter")
    scene.wait(1000)
    scene.leave(peter)
    scene.wait(99)
    assert not scene.closed
    scene.leave(scene.enter("peter"))
    scene.wait(99)
    assert not scene.closed
    scene.wait(2)
    assert scene.closed


def test_a_lobby_whose_last_member_was_kicked_is_empty() -> None:
    scene = Scene(empty_lobby_seconds=100)
    scene.say(scene.enter("peter"), Malformed("x"))
    scene.wait(101)
    assert scene.closed
