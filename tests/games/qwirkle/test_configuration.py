"""Configuration files and endpoint settings: what is read, and what the errors say."""

import os
from pathlib import Path
from typing import Any

import attrs
import orjson
import pytest

from games.qwirkle import configuration
from games.qwirkle.configuration import (
    BUILT_IN,
    FOR_TWO,
    ConfigurationError,
    Milliseconds,
    SlowMove,
    WrongMove,
)
from games.qwirkle.settings import Settings
from ludothek.settings.fields import SettingsError, build

# As deep as JSON may be; Python's own encoder could not write it.
NESTED = b'{"%b":' + b"[" * 1000 + b"]" * 1000 + b"}"

READY_MADE = sorted((Path(__file__).parents[3] / "config" / "qwirkle").glob("*.json"))


def write(path: Path, values: Any) -> Path:
    path.write_bytes(values if isinstance(values, bytes) else orjson.dumps(values))
    return path


@pytest.mark.parametrize("path", READY_MADE, ids=lambda path: str(path.name))
def test_ready_made_files_are_as_the_library_would_write_them(path: Path, tmp_path: Path) -> None:
    """Die Konfiguration wird gespeichert, indem die Configuration Klasse serialisiert in einer
    .json Datei gespeichert wird.
    """
    copy = tmp_path / "copy.json"
    configuration.save(configuration.load(path), copy)
    assert copy.read_bytes() == path.read_bytes()


def test_there_are_ready_made_files() -> None:
    assert "two-players.json" in [path.name for path in READY_MADE]


def test_a_file_has_two_spaces_and_the_library_s_order(tmp_path: Path) -> None:
    configuration.save(BUILT_IN, tmp_path / "c.json")
    lines = (tmp_path / "c.json").read_text().splitlines()
    assert lines[:2] == ["{", '  "colorShapeCount": 6,']
    assert lines[-2:] == ['  "maxPlayerNumber": 4', "}"]


def test_what_a_file_leaves_out_is_built_in(tmp_path: Path) -> None:
    path = write(tmp_path / "c.json", {"turnTime": 5, "wrongMove": "kick", "max_hand_tiles": 4})
    assert configuration.load(path) == attrs.evolve(
        BUILT_IN, turn_time=Milliseconds(5), wrong_move=WrongMove.KICK, max_hand_tiles=4
    )


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        (b"{", "not JSON"),
        (b"\xff", "not JSON"),
        (b"[]", "expected a JSON object"),
        ({"turntime": 5}, "unknown attribute 'turntime'; did you mean 'turnTime'?"),
        ({"turnTime": "5"}, "turnTime: expected a whole number, not '5'"),
        ({"turnTime": True}, "turnTime: expected a whole number, not True"),
        ({"turnTime": 1.5}, "turnTime: expected a whole number, not 1.5"),
        (NESTED % b"turnTime", "turnTime: expected a whole number, not a list"),
        (NESTED % b"wrongMove", "wrongMove: expected one of NOTHING, POINT_LOSS, KICK, not a list"),
        ({"x" * 60_000: 1}, "unknown attribute '" + "x" * 40 + "'…; known are"),
        ({"turnTime": "5" * 60_000}, "expected a whole number, not '" + "5" * 40 + "'…"),
        ({"turnTime": 0}, "turnTime: must be from 1 to"),
        ({"timeVisualization": -1}, "timeVisualization: must be from 0 to"),
        ({"colorShapeCount": 1}, "colorShapeCount: must be from 2 to"),
        ({"tileCount": 0}, "tileCount: must be from 1 to"),
        ({"maxHandTiles": 0}, "maxHandTiles: must be from 1 to"),
        ({"wrongMovePenalty": -1}, "wrongMovePenalty: must be from 0 to"),
        ({"slowMove": "NOTHING"}, "slowMove: expected one of POINT_LOSS, KICK, not 'NOTHING'"),
        ({"wrongMove": None}, "wrongMove: expected one of NOTHING, POINT_LOSS, KICK, not None"),
        ({"maxPlayerNumber": 1}, "maxPlayerNumber: must be 0 (no limit) or at least 2"),
        ({"maxPlayerNumber": -2}, "maxPlayerNumber: must be from 0 to"),
        ({"colorShapeCount": 1000}, "3000000 tiles are too many"),
        ({"colorShapeCount": 2, "tileCount": 1}, "4 tiles are too few for two hands of 6"),
    ],
)
def test_a_wrong_file_is_refused_with_a_clear_sentence(
    values: Any, complaint: str, tmp_path: Path
) -> None:
    path = write(tmp_path / "c.json", values)
    with pytest.raises(ConfigurationError) as refused:
        configuration.load(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert complaint in str(refused.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"none\.json: No such file"):
        configuration.load(tmp_path / "none.json")
    with pytest.raises(ConfigurationError, match="No such file"):
        configuration.save(BUILT_IN, tmp_path / "none" / "c.json")
    with pytest.raises(ConfigurationError, match="Is a directory"):
        configuration.load(tmp_path)


def test_more_kinds_than_clients_can_draw_are_allowed() -> None:
    assert configuration.build(BUILT_IN, {"colorShapeCount": 13}, "x").color_shape_count == 13


# Settings


def test_the_defaults_are_the_contract_s() -> None:
    settings = Settings()
    assert settings.standard == FOR_TWO
    assert settings.organised == BUILT_IN
    assert (settings.open_games, settings.auto_start, settings.end_bonus) == (1, True, 6)
    assert (settings.coordinates.value, settings.refill.value) == ("both", "own_turn")


def test_a_configuration_file_can_be_set(tmp_path: Path) -> None:
    path = write(tmp_path / "c.json", {"slowMove": "KICK", "maxPlayerNumber": 3})
    settings = build(Settings, {"configuration": str(path)}, "test")
    assert settings.standard.slow_move is SlowMove.KICK
    assert settings.full_at(settings.standard) == 3


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"configuration": "/nowhere/c.json"}, "/nowhere/c.json: No such file"),
        ({"configuration": 5}, "configuration: expected text"),
        ({"coordinates": "xy"}, "expected one of both, library, document"),
        ({"refill": "never"}, "expected one of own_turn, after_move"),
        ({"open_games": -1}, "open_games: must be at least 0"),
        ({"start_players": 1}, "start_players: must be 0"),
        ({"start_players": 3}, "open games cannot start with 3 players"),
        ({"endbonus": 3}, "did you mean 'end_bonus'?"),
    ],
)
def test_wrong_settings_are_refused_with_a_clear_sentence(
    settings: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(SettingsError) as refused:
        build(Settings, settings, "test")
    assert complaint in str(refused.value)


def test_open_games_need_tiles_for_everybody_who_makes_them_full(tmp_path: Path) -> None:
    path = write(tmp_path / "c.json", {"colorShapeCount": 3, "maxPlayerNumber": 5})
    with pytest.raises(SettingsError, match="cannot start with 5 players"):
        build(Settings, {"configuration": str(path)}, "test")
    build(Settings, {"configuration": str(path), "open_games": 0}, "test")
    build(Settings, {"configuration": str(path), "start_players": 4}, "test")


def test_what_could_keep_the_daemon_waiting_is_no_configuration_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "long").write_bytes(b" " * 100_000)
    for name, reason in (("fifo", "not a regular file"), ("long", "longer than"), ("\0", "null")):
        with pytest.raises(ConfigurationError, match=reason):
            configuration.load(tmp_path / name)
