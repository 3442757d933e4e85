"""The pitch of Quidditch, and what teams bring to it."""

import itertools

import attrs
import pytest

from games.quidditch.rules import (
    ALL_GOALS,
    CELLS,
    CENTRE_CIRCLE,
    GOALS,
    HALVES,
    KEEPER_ZONES,
    MIDDLE,
    NEIGHBOURS,
    ON_PITCH,
    PLAYERS,
    START_CELLS,
    Broom,
    Cell,
    Entity,
    FanKind,
    Formation,
    LineUpMistake,
    Objection,
    Position,
    Role,
    Sex,
    Side,
    crossed,
    distance,
    fan_of,
    formation_refusal,
    goal_side,
    player_of,
    team_refusal,
)
from games.quidditch.rules.example import EXAMPLE_TEAM, LEFT_FORMATION, RIGHT_FORMATION

PICTURE = """\
   ...........
  l...........r
 lll.........rrr
 lll.........rrr
llgll.......rrGrr
lllll..CCC..rrrrr
llgll..CCC..rrGrr
lllll..CCC..rrrrr
llgll.......rrGrr
 lll.........rrr
 lll.........rrr
  l...........r
   ..........."""


def drawn(*letters: str) -> set[Cell]:
    return {
        Cell(x, y)
        for y, row in enumerate(PICTURE.splitlines())
        for x, letter in enumerate(row)
        if letter in letters
    }


def test_the_pitch_looks_as_it_is_drawn() -> None:
    assert set(CELLS) == drawn("l", "r", "g", "G", "C", ".") == ON_PITCH
    assert len(CELLS) == 193
    assert KEEPER_ZONES[Side.LEFT] == drawn("l", "g")
    assert KEEPER_ZONES[Side.RIGHT] == drawn("r", "G")
    assert {len(zone) for zone in KEEPER_ZONES.values()} == {39}
    assert GOALS[Side.LEFT] == drawn("g")
    assert GOALS[Side.RIGHT] == drawn("G")
    assert drawn("g", "G") == ALL_GOALS
    assert drawn("C") == CENTRE_CIRCLE


def test_column_8_belongs_to_neither_half() -> None:
    assert {cell.x for cell in HALVES[Side.LEFT]} == set(range(8))
    assert {cell.x for cell in HALVES[Side.RIGHT]} == set(range(9, 17))


@pytest.mark.parametrize("side", Side)
def test_84_start_cells(side: Side) -> None:
    """'Torfelder sind keine gültigen Startpositionen.'"""
    assert len(START_CELLS[side]) == 84
    assert not set(START_CELLS[side]) & (ALL_GOALS | CENTRE_CIRCLE)


def test_goals_know_their_defenders() -> None:
    assert goal_side(Cell(2, 6)) is Side.LEFT
    assert goal_side(Cell(14, 8)) is Side.RIGHT
    assert goal_side(MIDDLE) is None


@pytest.mark.parametrize(
    ("one", "other", "steps"),
    [((8, 6), (8, 6), 0), ((8, 6), (9, 7), 1), ((0, 4), (16, 8), 16), ((3, 0), (4, 12), 12)],
)
def test_distance_counts_diagonal_steps_as_one(
    one: tuple[int, int], other: tuple[int, int], steps: int
) -> None:
    assert distance(Cell(*one), Cell(*other)) == steps


def test_every_cell_can_be_reached_by_steps_that_come_closer() -> None:
    for start, goal in itertools.product(CELLS, CELLS):
        if start != goal:
            assert any(distance(c, goal) < distance(start, goal) for c in NEIGHBOURS[start])


@pytest.mark.parametrize(
    ("start", "end", "cells"),
    [
        ((5, 5), (6, 5), []),
        ((5, 5), (6, 6), []),  # only corners are touched
        ((4, 4), (6, 6), [(5, 5)]),
        ((5, 5), (8, 5), [(6, 5), (7, 5)]),
        ((5, 8), (5, 5), [(5, 7), (5, 6)]),
        ((5, 5), (7, 6), [(6, 5), (6, 6)]),
        ((7, 6), (5, 5), [(6, 5), (6, 6)]),
        ((5, 5), (8, 6), [(6, 5), (7, 6)]),
        ((5, 5), (8, 7), [(6, 5), (6, 6), (7, 6), (7, 7)]),
        ((5, 5), (9, 6), [(6, 5), (7, 5), (7, 6), (8, 6)]),
    ],
)
def test_crossed_cells(
    start: tuple[int, int], end: tuple[int, int], cells: list[tuple[int, int]]
) -> None:
    """Every cell cut by the line between the centres; touching a corner is not cutting."""
    assert sorted(crossed(Cell(*start), Cell(*end))) == sorted(cells)


def test_crossed_cells_go_outwards_and_are_the_same_both_ways() -> None:
    for start, end in itertools.product(CELLS[::3], CELLS[::2]):
        cells = crossed(start, end)
        assert set(cells) <= ON_PITCH - {start, end}
        assert sorted(cells) == sorted(crossed(end, start))
        way = (end.x - start.x, end.y - start.y)
        along = [(c.x - start.x) * way[0] + (c.y - start.y) * way[1] for c in cells]
        assert along == sorted(along)


def test_entities_know_who_they_are() -> None:
    assert len(Entity) == 14 + 4 + 10
    assert [str(entity) for entity in PLAYERS[:3]] == ["leftSeeker", "leftKeeper", "leftChaser1"]
    assert player_of(Side.RIGHT, Position.CHASER2) is Entity("rightChaser2")
    assert fan_of(Side.LEFT, FanKind.NIFFLER) is Entity("leftNiffler")
    chaser = Entity("rightChaser2")
    assert (chaser.side, chaser.position, chaser.role) == ("right", "chaser2", Role.CHASER)
    assert Entity("leftNiffler").kind is FanKind.NIFFLER
    with pytest.raises(ValueError, match="quaffle"):
        _ = Entity.QUAFFLE.side
    assert [entity for entity in Entity if entity.handles_quaffle] == [
        entity for entity in PLAYERS if entity.role in ("chaser", "keeper")
    ]


@pytest.mark.parametrize("side", Side)
def test_the_example_formations_are_allowed(side: Side) -> None:
    formation = LEFT_FORMATION if side is Side.LEFT else RIGHT_FORMATION
    assert formation_refusal(side, formation) is None
    assert formation_refusal(side.opponent, formation) is not None


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({Position.SEEKER: Cell(0, 3)}, "no such cell"),
        ({Position.SEEKER: Cell(-1, 99)}, "no such cell"),
        ({Position.BEATER2: Cell(2, 4)}, "a goal"),
        ({Position.BEATER2: Cell(14, 4)}, "a goal"),
        ({Position.KEEPER: Cell(8, 2)}, "not in the own half"),
        ({Position.KEEPER: Cell(9, 2)}, "not in the own half"),
        ({Position.CHASER1: Cell(7, 6)}, "centre circle"),
        ({Position.CHASER1: LEFT_FORMATION[Position.CHASER3]}, "same cell"),
    ],
)
def test_bad_formations(change: Formation, reason: str) -> None:
    assert reason in str(formation_refusal(Side.LEFT, {**LEFT_FORMATION, **change}))


def test_every_player_needs_a_place() -> None:
    rest = {position: cell for position, cell in LEFT_FORMATION.items() if position != "beater1"}
    objection = formation_refusal(Side.LEFT, rest)
    assert objection == Objection(LineUpMistake.NO_PLACE, "nothing", Position.BEATER1)


def test_all_start_cells_can_be_used() -> None:
    for side, formation in ((Side.LEFT, LEFT_FORMATION), (Side.RIGHT, RIGHT_FORMATION)):
        others = set(formation.values()) - {formation[Position.SEEKER]}
        allowed = {
            cell
            for cell in CELLS
            if formation_refusal(side, {**formation, Position.SEEKER: cell}) is None
        }
        assert allowed == set(START_CELLS[side]) - others


def test_each_broom_must_be_used() -> None:
    assert team_refusal(EXAMPLE_TEAM) is None
    players = {
        position: attrs.evolve(member, broom=Broom.FIREBOLT)
        if member.broom is Broom.COMET260
        else member
        for position, member in EXAMPLE_TEAM.players.items()
    }
    reason = team_refusal(attrs.evolve(EXAMPLE_TEAM, players=players))
    assert "comet260" in str(reason)


@pytest.mark.parametrize(
    ("women", "allowed"), [(0, False), (2, False), (3, True), (4, True), (5, False), (7, False)]
)
def test_at_most_four_of_one_sex(women: int, allowed: bool) -> None:
    players = {
        position: attrs.evolve(member, sex=Sex.FEMALE if number < women else Sex.MALE)
        for number, (position, member) in enumerate(EXAMPLE_TEAM.players.items())
    }
    team = attrs.evolve(EXAMPLE_TEAM, players=players)
    assert (team_refusal(team) is None) is allowed
    assert team_refusal(team, gender_balance=False) is None


@pytest.mark.parametrize(
    ("fans", "reason"),
    [
        ((1, 1, 1, 1, 3), None),
        ((3, 1, 1, 1, 1), None),
        ((1, 1, 1, 1, 1), "5 fans. A team has seven fans."),
        ((2, 2, 2, 1, 1), "8 fans. A team has seven fans."),
        ((0, 2, 2, 2, 1), "no goblin."),
        ((-1, 2, 2, 2, 2), "no goblin."),
    ],
)
def test_seven_fans_of_five_kinds(fans: tuple[int, ...], reason: str | None) -> None:
    team = attrs.evolve(EXAMPLE_TEAM, fans=dict(zip(FanKind, fans, strict=True)))
    refused = team_refusal(team)
    assert refused is None if reason is None else reason in str(refused)


def test_a_kind_of_fan_that_is_not_mentioned_is_missing() -> None:
    team = attrs.evolve(EXAMPLE_TEAM, fans={FanKind.ELF: 7})
    assert "goblin" in str(team_refusal(team))
