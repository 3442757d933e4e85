"""Players who are gone: removed, ignored, played by the server, or back again."""

import attrs
import pytest

from games.roborally import messages as m
from games.roborally.knowledge import Knowledge
from games.roborally.rules import Card, Phase, Robot, State, Upgrade
from games.roborally.rules.state import NO_REGISTERS
from tests.games.roborally.scene import (
    WAITS,
    Person,
    Scene,
    activating,
    change,
    fill,
    programming,
    refusal,
)

# Too long for anybody to win it within a test.
LONG = "ChopShopChallenge"

every_wait = pytest.mark.parametrize("wait", WAITS)


POLICIES = {"remove": "Remove", "ignore": "Ignore", "ai": "AIControl", "reconnect": "Ignore"}
every_policy = pytest.mark.parametrize("policy", POLICIES)


@every_policy
@every_wait
def test_the_others_hear_of_who_is_gone_and_go_on(policy: str, wait: str) -> None:
    scene = Scene(course=LONG, on_disconnect=policy)
    scene.game(3)
    WAITS[wait](scene)
    gone = scene.person(scene.state.deciding[0])
    scene.forget()
    scene.leave(gone)
    for person in scene.people.values():
        assert person.hears()[0] == m.ConnectionUpdate(gone.id, False, POLICIES[policy])
    before = scene.state.round
    play_rounds(scene, 2)
    assert scene.state.round >= before + 2
    assert (gone.id in scene.state.player_ids) == (policy != "remove")


def play_rounds(scene: Scene, number: int) -> None:
    """Let those who are there play on; the clock runs for those who are not."""
    last = scene.state.round + number
    while scene.running and scene.state.round < last:
        present = {person.id for person in scene.people.values()}
        if scene.state.deciding and scene.state.deciding[0] in present:
            scene.go_on()
        else:
            scene.wait(1)


@every_policy
@every_wait
def test_six_players_who_vanish_one_after_the_other_leave_an_empty_lobby(
    policy: str, wait: str
) -> None:
    scene = Scene(course=LONG, on_disconnect=policy)
    people = scene.game(6)
    WAITS[wait](scene)
    for person in people:
        scene.leave(person)
        scene.wait(0.3)
    scene.wait(61)
    assert not scene.running
    assert scene.table.timers.deadline == float("inf")
    again = scene.game(2)
    assert [person.id for person in again] == [7, 8]


def test_the_last_player_plays_on_alone() -> None:
    scene = Scene()
    ann, _ = scene.game()
    scene.go_on_until(programming)
    scene.leave(next(person for person in scene.people.values() if person is not ann))
    play_rounds(scene, 2)
    assert scene.state.player_ids == (1,)


def test_an_onlooker_hears_that_all_players_have_left() -> None:
    scene = Scene()
    stranger = scene.enter()
    for person in scene.players(2):
        scene.leave(person)
    assert stranger.hears()[-1] == m.Error("All players have left.")
    assert not scene.running


def test_an_ignored_robot_stays_and_does_nothing() -> None:
    scene = Scene(on_disconnect="ignore")
    ann, bob = scene.game()
    scene.go_on_until(programming)
    scene.leave(bob)
    scene.forget()
    play_rounds(scene, 1)
    assert scene.state.player(2).position is not None
    assert not [x for x in ann.hears() if isinstance(x, m.CardPlayed) and x.player_id == 2]


def test_an_ignored_player_cannot_come_back() -> None:
    scene = Scene(on_disconnect="ignore")
    _, bob = scene.game()
    scene.leave(bob)
    assert scene.enter("Gruppe 2").released


def test_a_robot_of_the_server_plays_every_part_of_a_round() -> None:
    scene = Scene(course=LONG, on_disconnect="ai")
    ann, bob = scene.game()
    scene.leave(bob)
    scene.forget()
    play_rounds(scene, 2)
    told = {type(x) for x in ann.hears() if getattr(x, "player_id", 0) == 2}
    assert {m.StartingPointTaken, m.CardSelected, m.SelectionFinished, m.CardPlayed} <= told


def test_a_robot_of_the_server_takes_its_time() -> None:
    scene = Scene(on_disconnect="ai", ai_seconds=2)
    ann, bob = scene.game()
    scene.leave(ann)
    scene.wait(1.9)
    assert scene.state.deciding == (1,)
    scene.wait(0.1)
    assert scene.state.deciding == (2,)
    assert bob.names() == ["ConnectionUpdate", "StartingPointTaken", "CurrentPlayer"]


# Back again


@pytest.mark.parametrize("policy", ["ai", "reconnect"])
@every_wait
def test_who_comes_back_gets_the_robot_back(policy: str, wait: str) -> None:
    scene = Scene(course=LONG, on_disconnect=policy)
    scene.game(3)
    WAITS[wait](scene)
    gone = scene.person(scene.state.deciding[0])
    scene.leave(gone)
    scene.wait(0.1)
    scene.forget()
    back = scene.enter(f"Gruppe {gone.id}")
    others = [person for person in scene.people.values() if person is not back]
    for person in others:
        assert person.hears()[0] == m.ConnectionUpdate(gone.id, True, "Reconnect")
    assert back.hears()[0] == m.Welcome(gone.id)
    play_with(scene, back, gone.id)
    assert m.CardPlayed in {type(x) for x in back.heard if getattr(x, "player_id", 0) == gone.id}


def play_with(scene: Scene, back: Person, player_id: int) -> None:
    """Two rounds in which the player who is back answers for himself."""
    last = scene.state.round + 2
    answers = 0
    while scene.running and scene.state.round < last:
        answers += player_id in scene.state.deciding
        scene.go_on()
    assert answers > 5


def test_only_the_own_group_comes_back() -> None:
    scene = Scene(on_disconnect="reconnect")
    _, bob = scene.game()
    scene.leave(bob)
    assert scene.enter("Gruppe 7").released
    assert scene.enter("Gruppe 1").released  # still there
    assert scene.enter("Gruppe 2").hears()[0] == m.Welcome(2)


@every_wait
def test_who_comes_back_is_told_all_that_can_be_seen(wait: str) -> None:
    scene = Scene(course="Twister", on_disconnect="ai")
    _, bob = scene.game()
    if wait != "start point":
        play_rounds(scene, 1)
    WAITS[wait](scene)
    if wait != "start point":
        change(scene, 1, upgrades=(Upgrade.HACK, Upgrade.BOINK), checkpoint=2, energy=7)
        change(scene, 2, upgrades=(Upgrade.ADMIN_PRIVILEGE,), checkpoint=1)
    scene.leave(bob)
    heard = scene.enter("Gruppe 2").hears()
    assert [type(x).__name__ for x in heard[:6]] == [
        "Welcome",
        "PlayerAdded",
        "PlayerAdded",
        "PlayerStatus",
        "PlayerStatus",
        "GameStarted",
    ]
    known = Knowledge.of(2, heard[5])
    for message in heard[6:]:
        known.learn(message)
    assert_same(known, scene.state)


def assert_same(known: Knowledge, state: State) -> None:
    """Whether a robot has rebooted in this round is the only thing that cannot be retold."""
    seen = {number: attrs.evolve(robot, rebooted=False) for number, robot in known.robots.items()}
    for player in state.players:
        if player.start is not None:
            assert seen[player.player_id] == attrs.evolve(Robot.of(player), rebooted=False)
    assert tuple(known.checkpoints) == state.checkpoints
    assert (known.phase, sorted(known.shop)) == (state.phase, sorted(state.shop))
    if state.phase is Phase.PROGRAMMING:
        assert tuple(known.hand) == state.player(known.me).hand


def test_who_comes_back_hears_the_cards_of_this_register_but_none_of_rebooted_robots() -> None:
    scene = Scene(course=LONG, on_disconnect="ai")
    _, bob, _ = scene.game(3)
    scene.go_on_until(lambda state: state.register == 2 and activating(state))
    registers = (Card.MOVE_I, Card.TURN_LEFT, *[Card.POWER_UP] * 3)
    for player_id in (1, 2, 3):
        change(scene, player_id, registers=registers, rebooted=player_id == 3)
    scene.leave(bob)
    (revealed,) = [x for x in scene.enter("Gruppe 2").hears() if isinstance(x, m.CurrentCards)]
    assert revealed.active_cards == [m.ActiveCard(n, "TurnLeft") for n in (1, 2)]


def test_nobody_chats_with_a_player_who_is_gone() -> None:
    scene = Scene(on_disconnect="reconnect")
    ann, bob = scene.game()
    scene.leave(bob)
    assert refusal(scene.say(ann, m.SendChat("Bob?", 2))).endswith("came 2")


def test_a_robot_of_the_server_does_not_wait_for_others_to_do_nothing() -> None:
    scene = Scene(on_disconnect="ai", ai_seconds=2)
    ann, bob = scene.game()
    scene.go_on_until(programming)
    scene.leave(bob)
    for _ in range(3):
        scene.say(ann, m.SelectedCard(register=1))
        scene.wait(0.9)
    assert scene.state.player(2).finished


def test_a_robot_of_the_server_is_never_silent() -> None:
    """Its player has unlimited time after coming back, however slow the server was."""
    scene = Scene(course=LONG, on_disconnect="ai", ai_seconds=10**6)
    ann, bob = scene.game()
    scene.go_on_until(programming)
    scene.leave(bob)
    for _ in range(3):
        fill(scene, ann)
        play_rounds(scene, 1)
        while not programming(scene.state):
            scene.wait(1)
    back = scene.enter("Gruppe 2")
    fill(scene, ann)
    scene.wait(31)
    assert not programming(scene.state)
    assert not back.released


def test_a_deserted_game_stands_still_until_somebody_comes_back() -> None:
    scene = Scene(on_disconnect="ai", deserted_seconds=50)
    ann, bob = scene.game()
    scene.leave(ann)
    scene.leave(bob)
    before = scene.state
    scene.wait(49)
    assert scene.state is before
    back = scene.enter("Gruppe 1")
    scene.wait(49)
    assert scene.running
    assert back.hears()[0] == m.Welcome(1)


@every_wait
def test_who_comes_back_first_to_a_deserted_game_hears_what_it_waits_for(wait: str) -> None:
    scene = Scene(course=LONG, on_disconnect="reconnect", play_seconds=10, idle_rounds=0)
    scene.game()
    WAITS[wait](scene)
    current = scene.person(scene.state.deciding[0])
    (other,) = (person for person in scene.people.values() if person is not current)
    number = current.id
    scene.leave(other)
    scene.leave(current)
    back = scene.enter(f"Gruppe {number}")
    asked = {"damage": m.PickDamage, "programming": m.YourCards}.get(wait, m.CurrentPlayer)
    told = [x for x in back.hears() if isinstance(x, m.PickDamage | m.CurrentPlayer | m.YourCards)]
    assert type(told[-1]) is asked
    assert getattr(told[-1], "player_id", number) == number
    assert getattr(told[-1], "count", 2) == 2
    before = scene.state.round
    play_rounds(scene, 2)
    assert scene.state.round == before + 2


@pytest.mark.parametrize("policy", ["ai", "reconnect"])
def test_who_comes_back_while_all_program_hears_who_has_finished_and_of_the_timer(
    policy: str,
) -> None:
    scene = Scene(on_disconnect=policy)
    ann, bob, _ = scene.game(3)
    scene.go_on_until(programming)
    scene.leave(bob)
    before = [*scene.enter("Gruppe 2").hears()]
    assert not [x for x in before if isinstance(x, m.SelectionFinished | m.TimerStarted)]
    scene.leave(scene.person(2))
    fill(scene, ann)
    heard = scene.enter("Gruppe 2").hears()
    finished = heard.index(m.SelectionFinished(ann.id))
    assert heard[finished - 1] == m.CardSelected(ann.id, 5)
    assert heard.index(m.TimerStarted()) > finished
    assert [x for x in heard if isinstance(x, m.SelectionFinished)] == [heard[finished]]


def test_nobody_gets_other_cards_by_hanging_up() -> None:
    scene = Scene(on_disconnect="reconnect")
    _, bob = scene.game()
    scene.go_on_until(programming)
    before = scene.state.player(2)
    fill(scene, bob, first=4)
    for _ in range(3):
        scene.leave(scene.person(2))
        back = scene.enter("Gruppe 2")
        (hand,) = (x.cards_in_hand for x in back.hears() if isinstance(x, m.YourCards))
        assert sorted(hand) == sorted(before.hand)
        assert sorted(scene.state.player(2).hand) == sorted(before.hand)
        assert scene.state.player(2).deck == before.deck
    fill(scene, back, player_id=2)
    assert m.SelectionFinished(2) in back.hears()


def test_a_finished_program_stays_as_it_is() -> None:
    scene = Scene(on_disconnect="reconnect")
    ann, bob = scene.game()
    scene.go_on_until(programming)
    fill(scene, bob)
    program = scene.state.player(2).registers
    scene.leave(bob)
    back = scene.enter("Gruppe 2")
    (error,) = scene.say(back, m.SelectedCard(register=1))
    assert isinstance(error, m.Error)
    fill(scene, ann)
    assert scene.state.phase is Phase.ACTIVATION
    assert scene.state.player(2).registers == program


def test_a_swap_of_cards_is_over_when_its_player_is_lost() -> None:
    scene = Scene(on_disconnect="reconnect")
    _, bob = scene.game()
    scene.go_on_until(programming)
    change(scene, 2, upgrades=(Upgrade.MEMORY_SWAP,))
    before = scene.state.player(2)
    scene.say(bob, m.PlayCard("MemorySwap"))
    scene.leave(bob)
    back = scene.enter("Gruppe 2")
    assert sorted(scene.state.player(2).hand) == sorted(before.hand)
    fill(scene, back, player_id=2)
    assert m.SelectionFinished(2) in back.hears()


@pytest.mark.parametrize("finished", [False, True])
def test_who_is_lost_while_programming_and_not_back_in_time_stands_still(finished: bool) -> None:
    scene = Scene(on_disconnect="reconnect")
    ann, bob = scene.game()
    scene.go_on_until(programming)
    fill(scene, bob, first=1 if finished else 3)
    scene.leave(bob)
    fill(scene, ann)
    lost = scene.state.player(2)
    assert scene.state.phase is Phase.ACTIVATION
    assert (lost.hand, lost.registers, len(lost.discard)) == ((), NO_REGISTERS, 9)


def test_in_the_lobby_nobody_is_waited_for() -> None:
    scene = Scene(on_disconnect="reconnect")
    ann, bob = scene.players(2, ready=False)
    scene.forget()
    scene.leave(bob)
    assert ann.hears() == [m.ConnectionUpdate(2, False, "Remove")]
    assert scene.enter("Gruppe 2").hears()[0] == m.Welcome(3)
