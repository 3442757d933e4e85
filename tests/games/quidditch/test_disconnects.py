"""Players who vanish, in every phase; and what they find when they come back."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import attrs
import pytest

from games.quidditch import messages as m
from games.quidditch import rules
from games.quidditch.mods import Mod
from games.quidditch.rules import (
    BanReason,
    Cell,
    Delta,
    DeltaType,
    Entity,
    Phase,
    Position,
    Side,
    State,
)
from ludothek.contract.codec import Malformed
from tests.games.quidditch.scene import LEFT, RIGHT, Person, Scene, animated, match_config


def _reach_fans(scene: Scene) -> None:
    scene.game()
    scene.skip_until(lambda state: state.snapshot.phase is Phase.FAN)


def _reach_returns(scene: Scene) -> None:
    """One player of each team is banned, and a goal brings both back."""
    scene.game()
    state = scene.state
    for entity in (Entity.LEFT_CHASER1, Entity.RIGHT_CHASER1):
        ban = Delta(DeltaType.BAN, passive=entity, ban_reason=BanReason.BLATCHING)
        state = attrs.evolve(state, snapshot=rules.apply_delta(state.snapshot, ban))
    goal = Delta(DeltaType.GOAL_POINTS_CHANGE, left_points=10, right_points=0)
    snapshot = rules.apply_delta(state.snapshot, goal)
    queue = tuple(each for each in state.queue if not snapshot.players[each.number].banned)
    scene.match._state = attrs.evolve(state, snapshot=snapshot, queue=queue)
    scene.skip_until(lambda state: state.snapshot.phase is Phase.UNBAN)


# Moments when somebody may vanish; each leaves two players named harry (left) and draco.
PHASES: dict[str, Callable[[Scene], Any]] = {
    "before any formation": Scene.players,
    "between the formations": lambda scene: scene.say(scene.players()[0], m.TeamFormation.of(LEFT)),
    "in the player phase": Scene.game,
    "in the fan phase": _reach_fans,
    "in the unban phase": _reach_returns,
}
every_phase = pytest.mark.parametrize("phase", PHASES)

SLOW = match_config(timings__team_formation_timeout=600_000)


def finish(person: Person) -> m.MatchFinish:
    (end,) = person.hears(m.MatchFinish)
    assert isinstance(end, m.MatchFinish)
    return end


@every_phase
@pytest.mark.parametrize("gone", list(Side))
def test_who_vanishes_has_a_minute_to_come_back(phase: str, gone: Side) -> None:
    scene = Scene(SLOW)
    PHASES[phase](scene)
    lost, other = scene.side(gone), scene.side(gone.opponent)
    scene.leave(lost)
    scene.wait(59.9)
    assert scene.running
    scene.wait(0.2)
    end = finish(other)
    assert (end.winner_user_name, end.victory_reason) == (other.name, "violationOfProtocol")
    assert not scene.running
    assert not other.kicked


@every_phase
@pytest.mark.parametrize("gone", list(Side))
def test_who_comes_back_in_time_plays_on(phase: str, gone: Side) -> None:
    scene = Scene(SLOW)
    PHASES[phase](scene)
    lost = scene.side(gone)
    scene.leave(lost)
    scene.wait(59)
    scene.say(scene.side(gone.opponent), m.SendDebug("waiting"))
    back = scene.enter(lost.name)
    assert back.names()[:3] == ["JoinResponse", "LoginGreeting", "Reconnect"]
    scene.wait(600 if phase.startswith("in") else 61)
    assert scene.running
    assert scene.match.side_of(back.name) is gone


@every_phase
def test_when_both_vanish_the_one_who_stayed_longer_wins(phase: str) -> None:
    scene = Scene(SLOW)
    PHASES[phase](scene)
    watcher = scene.enter("peter")
    scene.leave(scene.side("left"))
    scene.wait(20)
    scene.leave(scene.side("right"))
    scene.wait(45)
    assert scene.running  # draco might still be back
    scene.wait(20)
    assert finish(watcher).winner_user_name == "draco"


@pytest.mark.parametrize("first", list(Side))
def test_when_both_vanish_at_the_same_moment_the_first_one_loses(first: Side) -> None:
    scene = Scene(SLOW)
    scene.game()
    watcher = scene.enter("peter")
    second = scene.side(first.opponent)
    scene.leave(scene.side(first))
    scene.leave(second)
    scene.wait(61)
    assert finish(watcher).winner_user_name == second.name


def test_who_did_not_come_back_has_lost_before_its_turn_is_skipped() -> None:
    scene = Scene(match_config(timings__player_turn_timeout=60_000))
    scene.game()
    lost, _ = scene.on_turn()
    watcher = scene.enter("peter")
    scene.leave(lost)
    scene.forget()
    scene.wait(60)
    assert watcher.names() == ["Snapshot", "MatchFinish"]


def test_when_both_vanish_the_first_who_comes_back_after_the_others_time_wins() -> None:
    scene = Scene(SLOW)
    scene.game()
    scene.leave(scene.side("left"))
    scene.wait(20)
    scene.leave(scene.side("right"))
    scene.wait(45)
    back = scene.enter("draco")
    assert finish(back).winner_user_name == "draco"


def test_when_both_vanish_and_both_come_back_the_match_goes_on() -> None:
    scene = Scene(SLOW)
    scene.game()
    scene.leave(scene.side("left"))
    scene.leave(scene.side("right"))
    scene.wait(59)
    scene.enter("harry")
    scene.enter("draco")
    scene.wait(300)
    assert scene.running


def test_nobody_is_waited_for_where_nobody_wants_that() -> None:
    scene = Scene(SLOW, reconnect_seconds=0)
    left, right = scene.game()
    scene.leave(left)
    scene.wait(0)
    assert finish(right).winner_user_name == "draco"


def test_who_did_not_come_back_is_forgotten_with_the_match() -> None:
    scene = Scene(SLOW)
    left, _ = scene.game()
    scene.leave(left)
    scene.wait(61)
    assert "harry" not in scene.table.summary.players
    assert scene.table._members.find("harry") is None


def test_meanwhile_turns_run_out_one_by_one() -> None:
    scene = Scene(match_config(timings__player_turn_timeout=1000))
    left, right = scene.game()
    scene.leave(left)
    scene.forget()
    scene.wait(10)
    skips = [s for s in right.hears(m.Snapshot) if s.snapshot.delta.type is DeltaType.SKIP]
    assert len(skips) == 10


def test_an_empty_lobby_keeps_its_match_until_nobody_can_come_back() -> None:
    scene = Scene(SLOW, empty_lobby_seconds=100)
    left, right = scene.game()
    scene.leave(left)
    scene.leave(right)
    scene.wait(61)
    assert not scene.running
    assert not scene.closed
    scene.wait(100)
    assert scene.closed


# What newcomers are told


def shown(scene: Scene, back: Person) -> m.Reconnect:
    (message,) = back.hears(m.Reconnect)
    assert isinstance(message, m.Reconnect)
    assert message.match_start.message == scene.match.start
    return message


def test_reconnect_tells_the_match_the_snapshot_and_the_time_left() -> None:
    scene = Scene(match_config(timings__player_turn_timeout=10_000))
    left, right = scene.game()
    asked = right.last
    last = right.hears(m.Snapshot)[-1]
    scene.leave(left)
    scene.wait(4)
    message = shown(scene, scene.enter("harry"))
    assert message.snapshot is not None
    assert message.snapshot.message == last
    assert message.next is not None
    assert message.next.message == m.Next(asked.turn, asked.type, 6000)


def test_a_spectator_who_comes_late_is_told_the_same() -> None:
    """«So erhält der Zuschauer oder Spieler welcher später sich zu dem Spiel verbindet mit nur
    einem json die gesamten Informationen.»"""
    scene = Scene()
    scene.game()
    watcher = scene.enter("peter")
    assert watcher.names() == ["JoinResponse", "LoginGreeting", "Reconnect"]
    scene.skip()
    assert watcher.heard[0].spectators == ("peter",)


def test_before_the_first_snapshot_there_is_none() -> None:
    scene = Scene()
    scene.players()
    message = shown(scene, scene.enter("peter"))
    assert (message.snapshot, message.next) == (None, None)


@pytest.mark.parametrize("both", [False, True])
def test_who_comes_back_among_formations_may_send_one_again(both: bool) -> None:
    """Nothing tells whether the first one has arrived, so repeating it breaks no rule."""
    scene = Scene(SLOW)
    left, right = scene.players()
    scene.say(left, m.TeamFormation.of(LEFT))
    scene.leave(left)
    back = scene.enter("harry")
    other = {**LEFT, Position.SEEKER: Cell(7, 3)}
    if both:  # it crosses with the first snapshot, which shows the first formation
        scene.say(right, m.TeamFormation.of(RIGHT))
        (warning,) = scene.say(back, m.TeamFormation.of(other))
        assert warning.code == 300
    else:
        assert not scene.say(back, m.TeamFormation.of(other))
        scene.say(right, m.TeamFormation.of(RIGHT))
    seeker = scene.state.snapshot.player(Entity.LEFT_SEEKER)
    assert seeker.cell == (7, 2 if both else 3)
    if not both:
        error, *_ = scene.say(back, m.TeamFormation.of(other))
        assert (error.code, error.trigger_match_finish) == (154, True)


def test_a_formation_of_somebody_back_in_the_middle_of_a_match_is_ignored() -> None:
    """As a web client sends it after a page reload."""
    scene = Scene()
    left, _ = scene.game()
    scene.skip()
    scene.leave(left)
    back = scene.enter("harry")
    for _ in range(2):
        (warning,) = scene.say(back, m.TeamFormation.of(LEFT))
        assert warning == m.PrivateWarning(
            300,
            "Warning: ours.formation-again /payloadType: expected no teamFormation once the match "
            "has begun; came one more, which is ignored",
        )
    assert scene.running
    assert not back.kicked
    scene.skip()


def test_a_wrong_formation_is_wrong_for_who_comes_back_too() -> None:
    scene = Scene(SLOW)
    left, _ = scene.players()
    scene.leave(left)
    back = scene.enter("harry")
    error, *_ = scene.say(back, m.TeamFormation.of(RIGHT))
    assert (error.code, error.trigger_match_finish) == (101, True)


@pytest.mark.parametrize("gone", list(Side))
def test_who_vanishes_while_snapshots_wait_comes_back_to_them(gone: Side) -> None:
    scene = Scene(animated(1000))
    scene.game()
    lost = scene.side(gone)
    scene.leave(lost)
    scene.wait(1.5)
    back = scene.enter(lost.name)
    *_, reconnect = back.hears(m.Reconnect)
    assert reconnect.next is None
    first = reconnect.snapshot.message
    scene.wait(60)
    seen = [first, *back.hears(m.Snapshot)]
    assert len(seen) > 3
    for one, next_ in pairwise(seen):  # none is missing, none comes twice
        assert rules.apply_delta(one.snapshot, next_.snapshot.delta) == next_.snapshot


def test_while_snapshots_wait_nobody_is_asked() -> None:
    """«Falls es kein next gibt wird dies so auf null gesetzt»"""
    scene = Scene(animated(1000))
    scene.game()
    message = shown(scene, scene.enter("peter"))
    assert message.snapshot is not None
    assert message.snapshot.message.snapshot.delta.type is DeltaType.ROUND_CHANGE
    assert message.next is None


def test_a_newer_login_of_a_player_takes_over_the_match() -> None:
    scene = Scene()
    old, right = scene.game()
    new = scene.enter("harry", Mod.CHAT, replaces_other=True)
    assert new.names() == [
        *("JoinResponse", "LoginGreeting", "Reconnect", "ReconnectChat", "PrivateWarning"),
    ]
    scene.leave(old)
    scene.wait(120)
    assert scene.running
    while scene.on_turn()[0] is right:
        scene.skip()
    new.heard.clear()
    assert isinstance(scene.skip()[0], m.Snapshot)


def test_who_has_been_kicked_has_lost_and_comes_back_as_a_spectator() -> None:
    scene = Scene()
    left, _ = scene.game()
    scene.say(left, Malformed("x"))
    back = scene.enter("harry")
    assert back.names() == ["JoinResponse", "LoginGreeting"]


# The end of a match that is already decided


def decided(scene: Scene) -> tuple[Person, Person]:
    """The winner is known by the rules, but the snapshots have not been shown yet."""
    left, right = scene.game()

    def over(state: State) -> bool:
        return state.over

    scene.skip_until(over)
    assert scene.match.decided
    scene.forget()
    return left, right


@pytest.mark.parametrize("how", ["garbage", "gone"])
@pytest.mark.parametrize("side", list(Side))
def test_nobody_loses_a_match_that_is_decided(how: str, side: Side) -> None:
    scene = Scene(animated(400))
    decided(scene)
    assert scene.state.result is not None
    winner, other = scene.side(scene.state.result.winner), scene.side(side.opponent)
    if how == "gone":
        scene.leave(scene.side(side))
    else:
        (error,) = scene.say(scene.side(side), Malformed("x"))
        assert (error.code, error.trigger_match_finish) == (251, False)
    scene.wait(30)
    end = finish(other)
    assert (end.winner_user_name, end.victory_reason) == (winner.name, "mostPoints")


def test_a_decided_match_that_is_paused_and_deserted_ends_as_decided() -> None:
    scene = Scene(animated(400))
    left, right = decided(scene)
    assert scene.state.result is not None
    winner = scene.side(scene.state.result.winner).name
    watcher = scene.enter("peter")
    scene.say(left, m.PauseRequest(""))
    scene.leave(left)
    scene.leave(right)
    scene.wait(61)
    assert finish(watcher).winner_user_name == winner
