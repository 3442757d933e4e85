"""Courses: the nineteen of the rulebook, and custom files."""

import copy
import hashlib
import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from games.roborally import courses, rendering
from games.roborally.courses.signs import HOLE, PLUS, field, sign, square
from games.roborally.rules import Cell, Direction, State, start
from games.roborally.rules.board import restart
from tests.games.roborally.boards import on

# Of the maps as JSON without blanks and with sorted keys, as collected from the rulebook.
DIGESTS = {
    "BurnRun": "55fb13cffd671f48",
    "Burnout": "374a938927678651",
    "ChopShopChallenge": "c3c954177a89051f",
    "CorridorBlitz": "5273406e653360ee",
    "DeathTrap": "8d437b5704ec847d",
    "DizzyHighway": "8f1a4bb12395a415",
    "DodgeThis": "0fda9067b4793f31",
    "ExtraCrispy": "a7f646bfc19d6f48",
    "Fractionation": "d61d904661f1dd85",
    "GearStripper": "e88773ab75e5bee1",
    "HeavyMergeArea": "9df5b9856126b251",
    "HighOctane": "8c6ca3e432fc9f87",
    "LostBearings": "020921c6529a0539",
    "PassingLane": "66f6cd18082941a8",
    "Pilgrimage": "6fd6907ca1e5b862",
    "RiskyCrossing": "219e1f4f597eae35",
    "SprintCramp": "e82d1df5ac160adc",
    "Twister": "834eec43d16604af",
    "Undertow": "67d65cae9797c910",
}

GameMap = list[list[list[Any]]]


def dizzy_highway() -> GameMap:
    return copy.deepcopy(courses.game_map(courses.load("DizzyHighway")))


def saved(path: Path, content: object) -> Path:
    file = path / "course.json"
    file.write_text(json.dumps(content), "utf-8")
    return file


def test_all_nineteen_courses_are_there() -> None:
    assert list(courses.NAMES) == sorted(DIGESTS)
    assert len(courses.NAMES) == 19


@pytest.mark.parametrize("name", courses.NAMES)
def test_maps_on_the_wire_are_exactly_the_collected_ones(name: str) -> None:
    text = json.dumps(courses.game_map(courses.load(name)), sort_keys=True, separators=(",", ":"))
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == DIGESTS[name]


@pytest.mark.parametrize("name", courses.NAMES)
def test_a_course_survives_the_wire(name: str) -> None:
    course = courses.load(name)
    received = json.loads(json.dumps(courses.game_map(course)))
    assert courses.recognise(received) is course
    assert courses.from_game_map(name, received).columns == course.columns


@pytest.mark.parametrize("name", courses.NAMES)
def test_courses_are_complete(name: str) -> None:
    course = courses.load(name)
    assert len(course.start_points) == 6
    assert all(cell in course.floor for cell in (*course.start_points, *course.restart_points))
    assert sum(board.width * board.height for board in course.boards) == sum(
        square is not None for column in course.columns for square in column
    )
    assert [board.is_start for board in course.boards].count(True) == 1


def test_moving_checkpoints_are_those_on_belts() -> None:
    found = {name: courses.load(name) for name in courses.NAMES}
    moving = [name for name, each in found.items() if each.belts.keys() & {*each.checkpoints}]
    assert moving == ["GearStripper", "Pilgrimage", "Twister"]


def test_the_four_courses_with_one_token_for_all() -> None:
    special = [name for name in courses.NAMES if courses.load(name).start_token]
    assert special == ["Burnout", "DeathTrap", "ExtraCrispy", "HeavyMergeArea"]


def test_field_objects_look_like_the_examples_of_the_protocol() -> None:
    """ "RotatingBelt" has two orientations, "PushPanel" registers, "Laser" a count."""
    grid = ["B^<x", "P<24", "W^>+L2v", "-"]
    objects = [courses.gamemap._objects(square(signs)) for signs in grid]
    assert objects == [
        [{"type": "RotatingBelt", "speed": 2, "isCrossing": True, "orientations": ["up", "left"]}],
        [{"type": "PushPanel", "orientations": ["left"], "registers": [2, 4]}],
        [
            {"type": "Wall", "orientations": ["up", "right"]},
            {"type": "Laser", "orientations": ["down"], "count": 2},
        ],
        [None],
    ]


def test_signs_are_reversible() -> None:
    for name in courses.NAMES:
        for column in courses.load(name).columns:
            for fields in column:
                signs = HOLE if fields is None else PLUS.join(map(sign, fields))
                assert square(signs) == fields


def test_unknown_signs_are_refused() -> None:
    with pytest.raises(ValueError, match="Q9"):
        field("Q9")
    assert sign(field("E3")) == "E3"


@pytest.mark.parametrize("name", ["DizzyHighway", "Dizzy Highway", "dizzyhighway"])
def test_names_are_tolerant(name: str) -> None:
    assert courses.load(name).name == "Dizzy Highway"


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(courses.BadCourse, match="ChopShopChallenge"):
        courses.load("Nowhere")


class TestFiles:
    def test_a_message_is_a_course(self, tmp_path: Path) -> None:
        message = {"messageType": "GameStarted", "messageBody": {"gameMap": dizzy_highway()}}
        course = courses.load_file(saved(tmp_path, message))
        assert course.name == "course"
        assert course.columns == courses.load("DizzyHighway").columns

    def test_meta_brings_boards_and_a_name(self, tmp_path: Path) -> None:
        meta = {
            "name": "Mine",
            "boards": [
                {"id": "A", "x": 0, "y": 0, "w": 3, "h": 10, "start": True},
                {"id": "5B", "x": 3, "y": 0, "w": 10, "h": 10},
            ],
        }
        course = courses.load_file(saved(tmp_path, {"gameMap": dizzy_highway(), "meta": meta}))
        assert course.name == "Mine"
        assert course.boards == courses.load("DizzyHighway").boards

    def test_without_boards_robots_reboot_on_the_nearest_token(self, tmp_path: Path) -> None:
        course = courses.load_file(saved(tmp_path, {"gameMap": dizzy_highway()}))
        player = on(course, {1: ((0, 7), "<")}).player(1)
        assert restart(course, player, Cell(0, 7)) == (Cell(7, 6), Direction.DOWN)

    @pytest.mark.parametrize(
        ("content", "reason"),
        [
            ([], "one JSON object"),
            ({}, "no gameMap"),
            ({"gameMap": 5}, "list of columns"),
            ({"gameMap": []}, "no fields"),
            ({"gameMap": [[[{"type": "Empty"}]]], "meta": 3}, "meta"),
            ({"gameMap": [[[{"type": "Empty"}]]], "meta": {"boards": 3}}, "boards"),
            ({"gameMap": [[[{"type": "Empty"}]]], "meta": {"boards": [{}]}}, "Board 1"),
            (
                {"gameMap": [], "meta": {"boards": [{"x": 1e999, "y": 0, "w": 1, "h": 1}]}},
                "Board 1 needs the numbers",
            ),
            ({"gameMap": [], "meta": {"rebootRule": "Standard"}}, 'rebootRule .* "standard" or'),
            ({"gameMap": [], "meta": {"rebootRule": None}}, "rebootRule"),
            ({"gameMap": [], "meta": {"rebootRule": ["standard"]}}, "rebootRule"),
        ],
    )
    def test_files_of_another_shape(self, tmp_path: Path, content: object, reason: str) -> None:
        with pytest.raises(courses.BadCourse, match=reason):
            courses.load_file(saved(tmp_path, content))

    @pytest.mark.parametrize(
        ("rule", "start_token"),
        [("standard", False), ("any robot reboots on the token on the start board", True)],
    )
    def test_the_two_reboot_rules(self, tmp_path: Path, rule: str, start_token: bool) -> None:
        content = {"gameMap": dizzy_highway(), "meta": {"rebootRule": rule}}
        assert courses.load_file(saved(tmp_path, content)).start_token is start_token

    @pytest.mark.parametrize(
        "content",
        [
            b"[" * 200_000,
            b'{"gameMap":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
            b'{"gameMap":' + b"9" * 5000 + b"}",
            b" " * 1024 * 1024 + b"{}",
            b"\xff{}",
            b"",
        ],
        ids=["deep", "deep and closed", "many digits", "long", "no text", "empty"],
    )
    def test_files_that_are_hard_to_read(self, tmp_path: Path, content: bytes) -> None:
        (tmp_path / "course.json").write_bytes(content)
        with pytest.raises(courses.BadCourse, match="cannot be read"):
            courses.load_file(tmp_path / "course.json")

    def test_what_could_keep_the_reader_waiting_is_no_file(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "fifo.json")
        (tmp_path / "zero.json").symlink_to("/dev/zero")
        (tmp_path / "folder.json").mkdir()
        for name in ("fifo", "zero", "folder"):
            with pytest.raises(courses.BadCourse, match="cannot be read"):
                courses.load_file(tmp_path / f"{name}.json")

    def test_files_that_cannot_be_read(self, tmp_path: Path) -> None:
        with pytest.raises(courses.BadCourse, match="cannot be read"):
            courses.load_file(tmp_path / "missing.json")
        (tmp_path / "broken.json").write_text("{", "utf-8")
        with pytest.raises(courses.BadCourse, match="cannot be read"):
            courses.load_file(tmp_path / "broken.json")


class TestFlaws:
    @pytest.mark.parametrize(
        ("objects", "reason"),
        [
            ([{"type": "Trampoline"}], "at 5, 5 is wrong: 'Trampoline' is no type"),
            ([{"typ": "Pit"}], "None is no type"),
            ([{"type": []}], "no type"),
            (["Pit"], "needs a type"),
            ([], "list of objects"),
            ("Pit", "list of objects"),
            ([{"type": "Belt", "speed": 3, "orientations": ["up"]}], "speed from 1 to 2"),
            ([{"type": "Belt", "speed": 1}], "needs 1 orientations"),
            ([{"type": "Belt", "speed": 1, "orientations": ["north"]}], "no directions"),
            ([{"type": "Wall", "orientations": []}], "1 to 4 orientations"),
            ([{"type": "Gear", "orientations": ["up"]}], "right or left"),
            ([{"type": "PushPanel", "orientations": ["up"], "registers": [6]}], "from 1 to 5"),
            ([{"type": "PushPanel", "orientations": ["up"], "registers": [True]}], "from 1 to 5"),
            ([{"type": "PushPanel", "orientations": ["up"], "registers": [1.0]}], "from 1 to 5"),
            ([{"type": "Laser", "orientations": ["up"], "count": 0}], "count from 1"),
            ([{"type": "Laser", "orientations": ["up"], "count": True}], "count from 1"),
            (
                [{"type": "RotatingBelt", "speed": 1, "orientations": ["up", "left"]}],
                "isCrossing",
            ),
            (
                [
                    {
                        "type": "RotatingBelt",
                        "speed": 1,
                        "isCrossing": False,
                        "orientations": ["up", "down"],
                    }
                ],
                "quarter turn",
            ),
            ([{"type": "Pit"}, {"type": "Pit"}], "more than one Pit"),
            (
                [
                    {"type": "Belt", "speed": 1, "orientations": ["up"]},
                    {
                        "type": "RotatingBelt",
                        "speed": 2,
                        "isCrossing": False,
                        "orientations": ["up", "left"],
                    },
                ],
                "at 5, 5 has more than one belt",
            ),
            ([{"type": "Pit"}, {"type": "StartPoint"}], "field of its own"),
            ([{"type": "Antenna", "orientations": ["up"]}], "needs one Antenna; it has 2"),
            ([{"type": "CheckPoint", "count": 3}], "found: 1, 3"),
            ([{"type": "CheckPoint", "count": 1}], "found: 1, 1"),
        ],
    )
    def test_wrong_fields(self, objects: Any, reason: str) -> None:
        game_map = dizzy_highway()
        game_map[5][5] = objects
        with pytest.raises(courses.BadCourse, match=reason):
            courses.from_game_map("flawed", game_map)

    @pytest.mark.parametrize(
        ("x", "y", "reason"),
        [
            (0, 5, "needs one Antenna; it has 0"),
            (0, 3, "needs 6 StartPoints; it has 5"),
            (12, 6, "found: none"),
        ],
    )
    def test_missing_fields(self, x: int, y: int, reason: str) -> None:
        game_map = dizzy_highway()
        game_map[x][y] = [{"type": "Empty"}]
        with pytest.raises(courses.BadCourse, match=reason):
            courses.from_game_map("flawed", game_map)

    def test_ragged_columns(self) -> None:
        game_map = dizzy_highway()
        game_map[3].pop()
        with pytest.raises(courses.BadCourse, match="column 0 has 10, column 3 has 9"):
            courses.from_game_map("flawed", game_map)


class TestRendering:
    def game(self) -> State:
        return on(courses.load("Twister"), {1: ((1, 1), ">"), 2: ((10, 7), "v")})

    def test_a_board_shows_robots_and_axes(self) -> None:
        lines = rendering.render(self.game()).splitlines()
        assert lines[0] == "Twister, Intermediate, Medium"
        row = lines[2 + 9 - 1].split()
        assert row[:4] == ["1", "|", ".", "S+1>"]
        assert lines[2 + 9 - 7].split()[12] == "E+2v"

    def test_the_legend_explains_what_occurs(self) -> None:
        text = rendering.render(self.game())
        assert "walls on" in text
        assert "robot of player 1" in text
        assert "pit" not in text

    @pytest.mark.parametrize("name", courses.NAMES)
    def test_every_course_can_be_drawn(self, name: str) -> None:
        course = courses.load(name)
        lines = rendering.render_course(course).splitlines()
        assert lines[0].startswith(course.name)
        assert all(line.isascii() for line in lines)


def test_energy_that_is_on_the_course_is_not_in_the_bank() -> None:
    course = courses.load("DizzyHighway")
    state, _ = start(course, [1, 2], random.Random(1))
    assert state.bank == 48 - 2 * 5 - 6
