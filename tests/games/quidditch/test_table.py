"""A match at the table: formations, turns, the pace of snapshots, late and wrong answers."""

from typing import Any

import pytest

from games.quidditch import messages as m
from games.quidditch.rules import Cell, DeltaType, Entity, Phase, Position, Request, TurnType
from ludothek.contract.clock import Clock
from ludothek.contract.codec import Malformed
from ludothek.contract.flaws import FlawKind
from tests.games.quidditch.scene import (
    HERONS,
    LEFT,
    RIGHT,
    Person,
    Scene,
    animated,
    flawed,
    match_config,
)


def types(messages: list[Any]) -> list[str]:
    """What was heard; of snapshots, the type of their delta."""
    return [
        str(each.snapshot.delta.type) if isinstance(each, m.Snapshot) else type(each).__name__
        for each in messages
    ]


def finish(person: Person) -> m.MatchFinish:
    (end,) = person.hears(m.MatchFinish)
    assert isinstance(end, m.MatchFinish)
    return end


def move(entity: Entity, x: int, y: int) -> m.DeltaRequest:
    return m.DeltaRequest.of(Request(DeltaType.MOVE, Cell(x, y), entity))


def test_a_turn_is_announced_with_its_full_time() -> None:
    """Also if the server was busy between starting the clock and the announcement."""
    scene = Scene()
    scene.table._arena._clock = Clock(time=scene.tick, date=scene.table._clock.date)
    left, _ = scene.game()
    (first,) = left.hears(m.Next)
    assert first.timeout == match_config().timings.player_turn_timeout
    scene.skip()
    assert {each.timeout for each in left.hears(m.Next)} <= {first.timeout}


# Formations


@pytest.mark.parametrize("first", ["left", "right"])
def test_the_first_snapshot_confirms_both_formations(first: str) -> None:
    """«Der erste Snapshot beinhaltet als lastDeltaBroadcast einen roundChange.»"""
    scene = Scene()
    watcher = scene.enter("peter")
    left, right = scene.players()
    scene.forget()
    orders = [(left, LEFT), (right, RIGHT)]
    for person, formation in orders if first == "left" else reversed(orders):
        assert watcher.heard == []
        scene.say(person, m.TeamFormation.of(formation))
    shown = watcher.heard[0].snapshot
    assert (shown.delta.type, shown.delta.round, shown.round) == (DeltaType.ROUND_CHANGE, 1, 1)
    assert shown.phase is Phase.BALL
    assert shown.player(Entity.LEFT_SEEKER).cell == LEFT[Position.SEEKER]
    assert watcher.heard[0].spectators == ("peter",)
    assert left.heard == right.heard == watcher.heard
    assert types(watcher.heard)[-2:] == ["phaseChange", "Next"]


@pytest.mark.parametrize(
    ("place", "cell", "words"),
    [
        (Position.SEEKER, Cell(2, 6), "is a goal"),
        (Position.SEEKER, Cell(7, 6), "centre circle"),
        (Position.SEEKER, Cell(8, 2), "not in the own half"),
        (Position.SEEKER, Cell(9, 2), "not in the own half"),
        (Position.SEEKER, Cell(0, 3), "no such cell"),
        (Position.SEEKER, Cell(-1, 40), "no such cell"),
        (Position.BEATER2, LEFT[Position.BEATER1], "same cell"),
    ],
)
def test_a_formation_against_the_rules_loses(place: Position, cell: Cell, words: str) -> None:
    scene = Scene()
    left, right = scene.players()
    scene.forget()
    scene.say(left, m.TeamFormation.of({**LEFT, place: cell}))
    error, end = left.heard
    assert (error.code, error.trigger_match_finish) == (101, True)
    assert error.information.startswith("Error:  invalid teamFormation by a player: ")
    assert words in error.information
    assert end == finish(right)
    assert (end.end_round, end.winner_user_name) == (0, "draco")
    assert end.victory_reason == "violationOfProtocol"
    assert left.kicked
    assert not right.kicked
    assert not scene.running


def test_a_second_formation_loses() -> None:
    """«if a player sends a second teamFormation this will be true»"""
    scene = Scene()
    left, right = scene.players()
    scene.say(left, m.TeamFormation.of(LEFT))
    error, *_ = scene.say(left, m.TeamFormation.of(LEFT))
    assert (error.code, error.trigger_match_finish) == (154, True)
    assert finish(right).winner_user_name == "draco"


def test_a_formation_in_the_middle_of_the_match_loses() -> None:
    scene = Scene()
    left, right = scene.game()
    error, *_ = scene.say(right, m.TeamFormation.of(RIGHT))
    assert (error.code, error.trigger_match_finish) == (154, True)
    assert finish(left).winner_user_name == "harry"


@pytest.mark.parametrize("missing", ["left", "right"])
def test_who_does_not_line_up_in_time_loses(missing: str) -> None:
    scene = Scene(match_config(timings__team_formation_timeout=2000))
    left, right = scene.players()
    late, other = (left, right) if missing == "left" else (right, left)
    scene.say(other, m.TeamFormation.of(RIGHT if missing == "left" else LEFT))
    scene.wait(1.9)
    assert scene.running
    scene.wait(0.2)
    assert late.heard[-2].code == 101
    assert late.kicked
    assert finish(other).winner_user_name == other.name


def test_nobody_wins_if_nobody_lines_up() -> None:
    scene = Scene(match_config(timings__team_formation_timeout=2000))
    watcher = scene.enter("peter")
    left, right = scene.players()
    scene.wait(3)
    assert (left.kicked, right.kicked) == (True, True)
    assert finish(watcher).winner_user_name == ""
    assert not watcher.kicked


# Turns


def test_next_tells_everybody_who_is_asked_and_for_how_long() -> None:
    scene = Scene(match_config(timings__player_turn_timeout=7500))
    left, right = scene.game()
    asked = left.last
    assert asked == right.last
    assert (asked.type, asked.timeout) == (TurnType.MOVE, 7500)
    assert asked.turn is scene.on_turn()[1].entity


def test_a_skip_is_shown_and_ends_the_turn() -> None:
    scene = Scene()
    left, _ = scene.game()
    entity = left.last.turn
    scene.forget()
    scene.skip()
    heard = left.heard
    assert types(heard)[0] == "skip"
    assert heard[0].snapshot.delta.active is entity
    assert types(heard)[-2:] == ["turnUsed", "Next"]


def test_who_says_nothing_is_skipped_once_for_every_next() -> None:
    """«wird dies so aufgefasst, dass er keinen Zug macht»"""
    scene = Scene(match_config(timings__player_turn_timeout=3000))
    left, _ = scene.game()
    scene.forget()
    scene.wait(2.9)
    assert left.heard == []
    scene.wait(0.2)
    assert types(left.heard).count("skip") == types(left.heard).count("Next") == 1


def test_one_may_be_idle_for_the_whole_match_without_being_kicked() -> None:
    """«Man kann somit das ganze Spiel über idle sein, ohne gekickt zu werden.»"""
    scene = Scene(match_config(max_rounds=13))
    left, right = scene.game()
    scene.skip_until(lambda state: False)
    end = finish(left)
    assert end == finish(right)
    assert 13 < end.end_round <= 28
    assert (left.kicked, right.kicked) == (False, False)


# The pace of snapshots


def test_there_is_a_gap_between_snapshots_and_next_comes_with_the_last() -> None:
    """«Der Mindestabstand zwischen Snapshots ist durch AnimationDuration gegeben.»"""
    scene = Scene(animated(1000))
    left, _ = scene.players()
    scene.say(left, m.TeamFormation.of(LEFT))
    scene.forget()
    scene.say(scene.side("right"), m.TeamFormation.of(RIGHT))
    times: list[tuple[float, str]] = [(0.0, each) for each in types(left.hears())]
    for tick in range(1, 80):
        scene.wait(1 / 8)
        times += [(tick / 8, each) for each in types(left.hears())]
        if times[-1][1] == "Next":
            break
    moments = [time for time, what in times if what != "Next"]
    assert moments == [float(n) for n in range(len(moments))]
    assert times[-1] == (moments[-1], "Next")
    assert len(moments) >= 4


def test_an_answer_during_the_animation_waits_for_its_end() -> None:
    scene = Scene(animated(1000))
    left, _ = scene.game()
    while not isinstance(left.last, m.Next):
        scene.wait(0.5)
    scene.forget()
    scene.wait(0.25)
    scene.skip()
    assert left.heard == []
    scene.wait(0.5)
    assert left.heard == []
    scene.wait(0.25)
    assert types(left.heard) == ["skip"]
    scene.wait(1)
    assert types(left.heard)[:2] == ["skip", "turnUsed"]


def test_the_time_for_a_turn_begins_with_its_next() -> None:
    scene = Scene(animated(1000))
    left, _ = scene.game()
    while not isinstance(left.last, m.Next):
        scene.wait(0.5)
    seconds = left.last.timeout / 1000
    scene.forget()
    scene.wait(seconds - 1 / 8)
    assert left.heard == []
    scene.wait(1 / 8)
    assert types(left.heard) == ["skip"]


# Wrong answers


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (lambda turn, cell: Request(DeltaType.MOVE, Cell(cell.x + 2, cell.y), turn.entity), "one"),
        (lambda turn, cell: Request(DeltaType.MOVE, Cell(99, -5), turn.entity), "pitch"),
        (lambda turn, cell: Request(DeltaType.MOVE, None, turn.entity), "no cell"),
        (lambda turn, cell: Request(DeltaType.MOVE, cell, Entity.QUAFFLE), "another entity"),
        (lambda turn, cell: Request(DeltaType.MOVE, cell, None), "another entity"),
        (lambda turn, cell: Request(DeltaType.UNBAN, cell, turn.entity), "move or a skip"),
        (lambda turn, cell: Request(DeltaType.TROLL_ROAR), "another entity"),
        (lambda turn, cell: Request(DeltaType.SNITCH_CATCH, cell, turn.entity), "move or a skip"),
        (lambda turn, cell: Request(DeltaType.ROUND_CHANGE, None, turn.entity), "move or a skip"),
    ],
)
def test_a_wrong_answer_loses(request_: Any, words: str) -> None:
    """«Der Server kickt den Client bei falsch eintreffenden deltaRequest»"""
    scene = Scene()
    watcher = scene.enter("peter")
    scene.game()
    person, turn = scene.on_turn()
    cell = scene.state.snapshot.player(turn.entity).cell
    scene.forget()
    scene.say(person, m.DeltaRequest.of(request_(turn, cell)))
    error, last, end = person.heard
    assert (error.code, error.trigger_match_finish) == (102, True)
    assert error.information.startswith("Error: invalid deltaRequest by active player: ")
    assert words in error.information
    assert last.snapshot.delta.type is DeltaType.PHASE_CHANGE
    assert last.snapshot.phase is last.snapshot.delta.phase is Phase.FINISH
    assert watcher.hears() == [last, end]
    other = "draco" if person.name == "harry" else "harry"
    assert (end.winner_user_name, end.victory_reason) == (other, "violationOfProtocol")
    assert (end.end_round, end.left_points, end.right_points) == (1, 0, 0)
    assert person.kicked


def test_an_answer_for_the_other_team_loses() -> None:
    scene = Scene()
    scene.game()
    person, turn = scene.on_turn()
    foreign = Entity(turn.entity.replace(turn.side, turn.side.opponent))
    error, *_ = scene.say(person, m.DeltaRequest.of(Request(DeltaType.SKIP, None, foreign)))
    assert error.code == 102


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (Malformed("binary"), 151),
        (flawed(FlawKind.NO_TYPE), 152),
        (flawed(FlawKind.WRONG), 153),
        (m.JoinResponse("x"), 154),
        (m.GetReplay(), 154),
    ],
)
@pytest.mark.parametrize("phase", ["formation", "match"])
def test_a_player_who_breaks_the_protocol_loses(message: Any, code: int, phase: str) -> None:
    scene = Scene()
    left, right = scene.players() if phase == "formation" else scene.game()
    error, *_ = scene.say(right, message)
    assert (error.code, error.trigger_match_finish) == (code, True)
    assert finish(left).winner_user_name == "harry"
    assert right.kicked


@pytest.mark.parametrize("message", [m.TeamFormation.of(LEFT), move(Entity.LEFT_SEEKER, 3, 3)])
def test_a_spectator_who_plays_is_kicked_and_the_match_goes_on(message: Any) -> None:
    scene = Scene()
    watcher = scene.enter("peter")
    left, _ = scene.game()
    scene.forget()
    (error,) = scene.say(watcher, message)
    assert (error.code, error.trigger_match_finish) == (254, False)
    assert watcher.kicked
    assert left.heard == []
    assert scene.running


def test_a_team_is_too_late_in_a_running_match() -> None:
    scene = Scene()
    watcher = scene.enter("peter")
    left, _ = scene.game()
    for person in (watcher, left):
        (warning,) = scene.say(person, HERONS)
        assert warning == m.PrivateWarning(
            302,
            "Warning: teamConfig sent while game is running: 4.5.5 /payloadType: "
            "expected teamConfig when no match is running; came one during a match",
        )
        assert not person.kicked
