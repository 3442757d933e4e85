"""Players who never get ready, or never do anything, do not keep seats from others."""

import random

import pytest

from games.roborally import messages as m
from games.roborally.messages import ConnectionUpdate, Error, PlayerValues, SetStatus, Welcome
from ludothek.contract.orders import Abort
from tests.games.roborally.scene import Scene, fill, programming

WAITED = Error("You were not ready, and the others have waited.")
WANTED = Error("You were not ready, and somebody else wants in.")
SILENT = Error("You have not done anything for too long.")

# Before the game


def test_who_is_not_ready_while_enough_others_are_is_sent_away() -> None:
    scene = Scene()
    ann, bob, carl = scene.players(3, ready=False)
    scene.say(ann, SetStatus(True))
    scene.say(bob, SetStatus(True))
    scene.forget()
    scene.wait(599)
    assert (scene.running, carl.released) == (False, False)
    scene.wait(1)
    assert carl.hears() == [WAITED]
    assert carl.released
    assert ann.hears()[0] == ConnectionUpdate(3, False, "Remove")
    assert scene.running


def test_nobody_is_sent_away_while_too_few_are_ready() -> None:
    """A friend may take any amount of time; without it there is nobody to play with."""
    scene = Scene()
    ann, bob = scene.players(2, ready=False)
    scene.say(ann, SetStatus(True))
    scene.wait(10**6)
    assert not bob.released


def test_whoever_has_waited_long_has_time_when_others_get_ready() -> None:
    scene = Scene()
    (ann,) = scene.players(1, ready=False)
    scene.wait(10_000)
    for n in (2, 3):
        other = scene.enter()
        scene.say(other, PlayerValues(f"Spieler {n}", n))
        scene.say(other, SetStatus(True))
    scene.wait(599)
    assert not ann.released
    scene.wait(1)
    assert ann.released


def test_whoever_has_just_come_has_time_although_others_wait() -> None:
    scene = Scene()
    ann, bob, carl = scene.players(3, ready=False)
    scene.say(ann, SetStatus(True))
    scene.say(bob, SetStatus(True))
    scene.wait(500)
    dora = scene.enter()
    scene.say(dora, PlayerValues("Dora", 4))
    scene.wait(100)
    assert (carl.released, dora.released, scene.running) == (True, False, False)
    scene.wait(500)
    assert (dora.released, scene.running) == (True, True)


def test_to_be_ready_in_turns_does_not_help() -> None:
    scene = Scene()
    ann, bob, carl, dora = scene.players(4, ready=False)
    scene.say(ann, SetStatus(True))
    scene.say(bob, SetStatus(True))
    for n in range(300):
        if scene.running:
            break
        first, second = (carl, dora) if n % 2 else (dora, carl)
        scene.say(first, SetStatus(False))
        scene.say(second, SetStatus(True))
        scene.wait(10)
    assert scene.running
    assert 1150 <= scene.time <= 1250


def test_to_leave_and_to_come_again_does_not_help() -> None:
    scene = Scene()
    for person in scene.players(3, ready=False)[:2]:
        scene.say(person, SetStatus(True))
    for n in range(3, 13):
        scene.wait(200)
        if scene.running:
            break
        nuisance = scene.enter()
        scene.say(nuisance, PlayerValues(f"Spieler {n + 1}", 4 + n % 2))
        scene.leave(scene.person(n))
    assert (scene.running, scene.time) == (True, 1200)


def test_a_newcomer_gets_the_seat_of_whoever_was_not_ready_for_longest() -> None:
    scene = Scene(max_players=2)
    ann, bob = scene.players(2, ready=False)
    scene.wait(300)
    scene.say(ann, SetStatus(True))
    scene.wait(299)
    assert scene.enter().released
    scene.wait(1)
    scene.forget()
    late = scene.enter()
    assert late.hears()[0] == Welcome(3)
    assert (ann.released, bob.released, late.released) == (False, True, False)
    assert bob.hears() == [WANTED]
    assert ann.hears() == [ConnectionUpdate(2, False, "Remove")]


def test_a_newcomer_may_be_all_that_others_have_waited_for() -> None:
    """When the only player who was not ready has left, the others begin; the newcomer watches."""
    scene = Scene(max_players=3)
    ann, bob, carl = scene.players(3, ready=False)
    scene.wait(600)
    scene.say(ann, SetStatus(True))
    scene.say(bob, SetStatus(True))
    scene.wait(100)
    late = scene.enter()
    assert (carl.released, late.released, scene.running) == (True, False, True)
    scene.wait(1000)


def test_a_seat_that_was_taken_away_is_not_taken_away_again() -> None:
    scene = Scene(max_players=4)
    *others, dora = scene.players(4, ready=False)
    scene.wait(600)
    for person in others[:2]:
        scene.say(person, SetStatus(True))
    scene.enter()
    assert [person.released for person in (*others, dora)] == [False, False, True, False]
    scene.wait(600)
    assert dora.released
    assert scene.running


def test_whoever_watches_gets_such_a_seat_as_well() -> None:
    scene = Scene(max_players=2)
    watcher = scene.enter()
    _, bob, *_ = scene.players(2, ready=False)
    scene.wait(600)
    answer = scene.say(watcher, PlayerValues("Watcher", 5))
    assert [type(each) for each in answer] == [ConnectionUpdate, m.PlayerAdded]
    assert not bob.released  # one seat was enough


def test_nobody_loses_a_seat_that_nobody_wants() -> None:
    scene = Scene(max_players=2)
    people = scene.players(2, ready=False)
    scene.wait(10**6)
    assert not any(person.released for person in people)


def test_after_a_game_everybody_has_time_again() -> None:
    scene = Scene(max_players=2, max_rounds=1, idle_rounds=0)
    ann, bob = scene.players(2, ready=False)
    scene.wait(590)
    for person in (ann, bob):
        scene.say(person, SetStatus(True))
    while scene.running:
        scene.wait(1)
    scene.wait(590)
    assert scene.enter().released
    assert (ann.released, bob.released) == (False, False)


def test_seats_can_be_had_for_ever() -> None:
    scene = Scene(idle_seat_seconds=0, max_players=3)
    ann, bob, carl = scene.players(3, ready=False)
    scene.say(ann, SetStatus(True))
    scene.say(bob, SetStatus(True))
    scene.wait(10**6)
    assert scene.enter().released
    assert not carl.released


# In the game


def next_programming(scene: Scene) -> None:
    """On to the next programming phase; the server makes all pending decisions."""
    while scene.running and programming(scene.state):
        scene.wait(1)
    while scene.running and not programming(scene.state):
        scene.wait(1)


def test_who_does_nothing_for_two_rounds_is_gone() -> None:
    scene = Scene()
    ann, bob = scene.game()
    for _ in range(2):
        next_programming(scene)
        assert not bob.released
        fill(scene, ann)
    scene.forget()
    scene.wait(29)
    assert not bob.released
    scene.wait(1)
    assert (bob.released, bob.hears()[-1]) == (True, SILENT)
    heard = ann.hears()
    assert ConnectionUpdate(2, False, "Remove") in heard
    assert SILENT not in heard
    assert not ann.released


def test_who_stops_doing_anything_is_gone_after_two_rounds() -> None:
    scene = Scene()
    ann, bob = scene.game()
    next_programming(scene)
    scene.say(bob, m.SelectedCard(card=scene.state.player(2).hand[0].value, register=2))
    for _ in range(3):
        assert not bob.released
        fill(scene, ann)
        next_programming(scene)
    assert bob.released


def test_whoever_programs_too_slowly_but_plays_is_there() -> None:
    """People who never finish in time may still play the cards they are given."""
    scene = Scene()
    ann, bob = scene.game()
    for _ in range(4):
        next_programming(scene)
        fill(scene, ann)
        while programming(scene.state):
            scene.wait(1)
        while not programming(scene.state):
            scene.go_on()
    assert not bob.released


def test_one_card_is_a_sign_of_life() -> None:
    scene = Scene()
    ann, bob = scene.game()
    for _ in range(4):
        next_programming(scene)
        card = scene.state.player(bob.id).hand[0]
        scene.say(bob, m.SelectedCard(card=card.value, register=2))
        fill(scene, ann)
    assert not bob.released


def test_a_silent_player_can_come_back_where_that_is_possible() -> None:
    scene = Scene(on_disconnect="ai")
    ann, bob = scene.game()
    for _ in range(2):
        next_programming(scene)
        fill(scene, ann)
    scene.wait(30)
    assert bob.released
    del scene.people[bob.client]
    back = scene.enter("Gruppe 2")
    assert back.hears()[0] == Welcome(2)
    scene.wait(100)
    assert not back.released


def test_a_game_of_silent_players_comes_to_an_end() -> None:
    scene = Scene()
    people = scene.game(6)
    scene.wait(3600)
    assert not scene.running
    assert all(person.released for person in people)


@pytest.mark.parametrize("seed", range(20))
def test_whoever_comes_and_goes_nobody_is_sent_away_twice(seed: int) -> None:
    rng = random.Random(seed)
    scene = Scene(max_players=3, max_rounds=1, programming_seconds=20, play_seconds=5)
    for step in range(300):
        here = [person for person in scene.people.values() if not person.released]
        person = rng.choice(here) if here else scene.enter()
        match rng.randrange(6):
            case 0:
                scene.enter(f"Gruppe {step}")
            case 1:
                scene.say(person, PlayerValues(f"Spieler {step}", rng.randrange(7)))
            case 2 | 3:
                scene.say(person, SetStatus(rng.random() < 0.5))
            case 4:
                scene.wait(rng.choice((1, 50, 300, 599, 700)))
            case _ if rng.random() < 0.3:
                scene.leave(person)
        for gone in [each for each in scene.people.values() if each.released]:
            scene.leave(gone)


def test_who_only_watches_has_watched_before_the_latest_game_too() -> None:
    scene = Scene(idle_seat_seconds=600)
    watcher = scene.enter()
    scene.wait(500)
    scene.game()
    scene.order(Abort())
    scene.wait(99)
    assert scene.table.longest_watching("192.0.2.1") is None
    scene.wait(1)
    assert scene.table.longest_watching("192.0.2.1") is watcher.client
