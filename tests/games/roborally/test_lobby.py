"""The lobby of Robo Rally: who comes in, who is who, who is ready, and chat."""

from typing import Any

import pytest

from games.roborally.messages import (
    ConnectionUpdate,
    Error,
    PlayerAdded,
    PlayerStatus,
    PlayerValues,
    ReceivedChat,
    SendChat,
    SetStatus,
    Welcome,
)
from games.roborally.refusals import HINT
from ludothek.contract.codec import Malformed
from ludothek.contract.table import Stage
from ludothek.settings.fields import SettingsError
from tests.games.roborally.scene import HELLO, Scene, refusal

# Coming in


def test_ids_are_positive_and_go_up_in_the_order_of_arrival() -> None:
    scene = Scene()
    assert [scene.enter().hears() for _ in range(3)] == [[Welcome(1)], [Welcome(2)], [Welcome(3)]]


def test_who_comes_late_hears_of_all_players_and_their_status() -> None:
    scene = Scene()
    ann, _ = scene.players(2, ready=False)
    scene.say(ann, SetStatus(True))
    scene.enter()  # has said nothing, so there is nothing to tell about it
    assert scene.enter().hears() == [
        Welcome(4),
        PlayerAdded(1, "Spieler 1", 1),
        PlayerAdded(2, "Spieler 2", 2),
        PlayerStatus(1, True),
        PlayerStatus(2, False),
    ]


def test_nobody_comes_into_a_running_game() -> None:
    scene = Scene()
    scene.game()
    late = scene.enter()
    assert refusal(late.hears()) == "A game is running; come back when it is over."
    assert late.released


def test_the_seventh_player_is_sent_away() -> None:
    scene = Scene()
    scene.players(6, ready=False)
    late = scene.enter()
    assert refusal(late.hears()) == "There are 6 players already."
    assert late.released


def test_whoever_is_inside_when_the_last_seat_is_taken_can_only_watch() -> None:
    scene = Scene(max_players=2)
    slow = scene.enter()
    scene.players(2, ready=False)
    answer = scene.say(slow, PlayerValues("Slow", 3))
    assert "expected at most 2 players" in refusal(answer)
    assert not slow.released


# Name and figure


def test_values_are_confirmed_to_everybody() -> None:
    scene = Scene()
    ann, stranger = scene.enter(), scene.enter()
    scene.forget()
    scene.say(ann, PlayerValues("  Nr. 5 ", 5))
    assert ann.hears() == stranger.hears() == [PlayerAdded(1, "Nr. 5", 5)]
    assert ann.client.name == "Nr. 5"


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (PlayerValues("", 3), "The name is empty."),
        (PlayerValues(" \t ", 3), "The name is empty."),
        (PlayerValues("x" * 33, 3), "The name is longer than 32 characters."),
        (PlayerValues("a\nb", 3), "The name contains control characters."),
        (PlayerValues("Spieler 1", 3), "expected a name that no other player has"),
        (PlayerValues("SPIELER 1", 3), "expected a name that no other player has"),
        (PlayerValues("Spieler\u200b 1", 3), "expected a name that no other player has"),
        (PlayerValues("\uff33pieler 1", 3), "expected a name that no other player has"),
        (PlayerValues("New", 1), "expected a figure that no other player has"),
        (PlayerValues("New", 7), "expected a number from 0 to 6; came 7"),
        (PlayerValues("New", -1), "expected a number from 0 to 6; came -1"),
    ],
)
def test_bad_and_taken_values_are_refused_and_nobody_else_hears_of_it(
    values: PlayerValues, reason: str
) -> None:
    scene = Scene()
    (ann,) = scene.players(1, ready=False)
    bob = scene.enter()
    scene.forget()
    assert reason in refusal(scene.say(bob, values))
    assert ann.hears() == []
    assert "PlayerValues first" in refusal(scene.say(bob, SetStatus(True)))


def test_values_can_be_changed_until_ready_and_the_old_ones_are_free() -> None:
    scene = Scene()
    ann, bob = scene.enter(), scene.enter()
    scene.say(ann, PlayerValues("Ann", 1))
    for values in (("Ann", 1), ("Ann", 2), ("Anna", 2)):
        assert scene.say(ann, PlayerValues(*values)) == [PlayerAdded(1, *values)]
    assert scene.say(bob, PlayerValues("Ann", 1)) == [PlayerAdded(2, "Ann", 1)]
    scene.say(ann, SetStatus(True))
    assert "ready false" in refusal(scene.say(ann, PlayerValues("Ada", 3)))


# Ready


def test_a_status_is_told_to_everybody_and_can_be_taken_back() -> None:
    scene = Scene()
    ann, bob = scene.players(2, ready=False)
    scene.forget()
    scene.say(ann, SetStatus(True))
    scene.say(ann, SetStatus(False))
    scene.say(bob, SetStatus(True))
    statuses = [PlayerStatus(1, True), PlayerStatus(1, False), PlayerStatus(2, True)]
    assert ann.hears() == bob.hears() == statuses
    assert not scene.running


def test_one_player_alone_does_not_start() -> None:
    scene = Scene()
    scene.players(1)
    assert not scene.running


def test_the_game_starts_when_every_player_is_ready() -> None:
    scene = Scene()
    ann, bob, cid = scene.players(3, ready=False)
    for person in (ann, bob):
        scene.say(person, SetStatus(True))
    assert not scene.running
    scene.say(cid, SetStatus(True))
    assert scene.running
    assert scene.state.player_ids == (1, 2, 3)


def test_who_has_no_values_does_not_hold_up_the_others_but_may_watch() -> None:
    scene = Scene()
    stranger = scene.enter()
    scene.players(2)
    assert scene.state.player_ids == (2, 3)
    assert "GameStarted" in stranger.names()


def test_the_last_unready_player_leaves_and_the_others_start() -> None:
    scene = Scene()
    ann, bob, cid = scene.players(3, ready=False)
    scene.say(ann, SetStatus(True))
    scene.say(bob, SetStatus(True))
    scene.forget()
    scene.leave(cid)
    assert ann.names()[:2] == ["ConnectionUpdate", "GameStarted"]


def test_the_smallest_game_can_be_set() -> None:
    scene = Scene(min_players=1)
    scene.players(1)
    assert scene.running


# Leaving the lobby


def test_who_leaves_the_lobby_is_gone_and_leaves_name_and_figure() -> None:
    scene = Scene()
    ann, bob = scene.players(2, ready=False)
    scene.forget()
    scene.leave(ann)
    assert bob.hears() == [ConnectionUpdate(1, False, "Remove")]
    cid = scene.enter()
    assert scene.say(cid, PlayerValues("Spieler 1", 1)) == [PlayerAdded(3, "Spieler 1", 1)]


def test_nobody_misses_who_has_never_said_a_name() -> None:
    scene = Scene()
    ann, stranger = *scene.players(1, ready=False), scene.enter()
    scene.forget()
    scene.leave(stranger)
    assert ann.hears() == []


# Chat


@pytest.mark.parametrize("playing", [False, True])
def test_chat_for_all_reaches_all_and_the_speaker(playing: bool) -> None:
    scene = Scene()
    stranger = scene.enter()
    ann, bob = scene.players(2, ready=playing)
    scene.forget()
    scene.say(ann, SendChat("Hi all!", -1))
    chat = [ReceivedChat("Hi all!", 2, False)]
    assert ann.hears() == bob.hears() == stranger.hears() == chat


@pytest.mark.parametrize("playing", [False, True])
def test_private_chat_reaches_only_the_one(playing: bool) -> None:
    scene = Scene()
    ann, bob, cid = scene.players(3, ready=playing)
    scene.forget()
    scene.say(ann, SendChat("Yoh, Bob!", 2))
    assert (ann.hears(), cid.hears()) == ([], [])
    assert bob.hears() == [ReceivedChat("Yoh, Bob!", 1, True)]


@pytest.mark.parametrize("to", [0, -2, 3, 42])
def test_chat_with_nobody_is_refused(to: int) -> None:
    scene = Scene()
    ann, _ = scene.players(2, ready=False)
    assert refusal(scene.say(ann, SendChat("Hello?", to))).endswith(f"came {to}")


def test_chat_needs_a_name() -> None:
    scene = Scene()
    scene.players(1)
    stranger = scene.enter()
    assert "PlayerValues" in refusal(scene.say(stranger, SendChat("Hi", -1)))


def test_chat_is_not_endless() -> None:
    scene = Scene()
    (ann,) = scene.players(1)
    assert "1000" in refusal(scene.say(ann, SendChat("x" * 1001, -1)))


# Errors


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (Malformed("not JSON"), "not JSON"),
        (HELLO, "expected one HelloServer"),
    ],
)
def test_what_is_out_of_place_everywhere_is_refused(message: Any, reason: str) -> None:
    scene = Scene()
    (ann, _) = scene.players(2, ready=False)
    assert reason in refusal(scene.say(ann, message))


def test_errors_can_be_a_mere_hint() -> None:
    scene = Scene(detailed_errors=False)
    (ann,) = scene.players(1)
    assert scene.say(ann, Malformed("a secret")) == [Error(HINT)]
    assert scene.say(ann, SendChat("Hi", 42)) == [Error(HINT)]


def test_a_person_that_was_sent_away_is_not_heard() -> None:
    scene = Scene()
    ann, bob = scene.game()
    late = scene.enter()
    late.hears()
    assert scene.say(late, SetStatus(True)) == []
    scene.leave(late)
    assert (ann.hears(), bob.hears()) == ([], [])


# Settings


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"course": "DizzyLowway"}, "course: There is no course 'DizzyLowway'"),
        ({"course": "nowhere.json"}, "course: The course file cannot be read"),
        ({"min_players": 0}, "min_players: must be from 1 to 6, not 0"),
        ({"max_players": 7}, "max_players: must be from 1 to 6, not 7"),
        ({"min_players": 3, "max_players": 2}, "must not be more than max_players"),
        ({"on_disconnect": "weep"}, "expected one of remove, ignore, ai, reconnect, not 'weep'"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, Any], reason: str) -> None:
    with pytest.raises(SettingsError, match=reason):
        Scene(**settings)


def test_the_summary_tells_who_is_there() -> None:
    scene = Scene()
    scene.enter("Gaffer")
    scene.players(2)
    summary = scene.table.summary
    assert (summary.name, summary.stage) == ("Dizzy Highway", Stage.RUNNING)
    assert list(summary.players) == ["Spieler 1", "Spieler 2"]
    assert list(summary.spectators) == ["Gaffer"]
