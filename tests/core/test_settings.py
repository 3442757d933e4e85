"""Settings from text and files, and errors that help."""

import enum
from pathlib import Path
from typing import Any

import attrs
import pytest

from ludothek import config
from ludothek.settings import SettingsError, Text, at_least, between, build, setting


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


@attrs.frozen
class Example:
    count: int = setting(3, "how many", check=at_least(1))
    seconds: float = setting(2.5, "how long")
    colour: Colour = setting(Colour.RED, "which")
    open: bool = setting(True, "whether")
    name: str = setting("x", "what")
    seed: int | None = setting(None, "from where", check=between(-5, 5))
    word: str | None = setting(None, "the secret")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, Example()),
        ({"count": 5}, Example(count=5)),
        ({"seconds": 3}, Example(seconds=3.0)),
        ({"colour": "blue"}, Example(colour=Colour.BLUE)),
        ({"count": Text.read("7")}, Example(count=7)),
        ({"seconds": Text.read("0.5")}, Example(seconds=0.5)),
        ({"colour": Text.read("blue")}, Example(colour=Colour.BLUE)),
        ({"colour": Text.read('"blue"')}, Example(colour=Colour.BLUE)),
        ({"open": Text.read("false")}, Example(open=False)),
        ({"name": Text.read("a/b.json")}, Example(name="a/b.json")),
        ({"name": Text.read("123")}, Example(name="123")),
        ({"seed": -5}, Example(seed=-5)),
        ({"seed": Text.read("5")}, Example(seed=5)),
        ({"word": Text.read("123")}, Example(word="123")),
    ],
)
def test_values_become_settings(values: dict[str, Any], expected: Example) -> None:
    assert build(Example, values, "here") == expected


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ({"cuont": 5}, "here: unknown setting 'cuont'; did you mean 'count'?"),
        (
            {"zzz": 5},
            "here: unknown setting 'zzz'; known are colour, count, name, open, seconds, seed, word",
        ),
        ({"count": 0}, "here: count: must be at least 1, not 0"),
        ({"count": True}, "here: count: expected a whole number, not True"),
        ({"count": 1.5}, "here: count: expected a whole number, not 1.5"),
        ({"count": Text.read("many")}, "here: count: expected a whole number, not 'many'"),
        ({"seconds": "x"}, "here: seconds: expected a number, not 'x'"),
        ({"colour": "green"}, "here: colour: expected one of red, blue, not 'green'"),
        ({"open": 1}, "here: open: expected true or false, not 1"),
        ({"name": 5}, "here: name: expected text, not 5"),
        ({"seed": 6}, "here: seed: must be from -5 to 5, not 6"),
        ({"seed": "x"}, "here: seed: expected a whole number, not 'x'"),
        ({"word": 5}, "here: word: expected text, not 5"),
    ],
)
def test_an_error_says_where_and_what_would_be_right(values: dict[str, Any], error: str) -> None:
    with pytest.raises(SettingsError) as caught:
        build(Example, values, "here")
    assert str(caught.value) == error


def test_assignments_belong_to_the_only_game_or_name_one() -> None:
    read = config.read_assignments(["max_strikes=3", "hexxagon.stuck=end"], ["hexxagon"])
    assert {key: text.value for key, text in read["hexxagon"].items()} == {
        "max_strikes": 3,
        "stuck": "end",
    }
    with pytest.raises(SettingsError, match=r"write GAME\.stuck"):
        config.read_assignments(["stuck=end"], ["hexxagon", "other"])
    with pytest.raises(SettingsError, match="expected KEY=VALUE"):
        config.read_assignments(["stuck"], ["hexxagon"])


CONFIG = """
grace_seconds = 2

[[host]]
game = "hexxagon"
host = "*"
port = 4445
settings = { max_strikes = 3, stuck = "end" }

[[host]]
game = "hexxagon"
"""


def test_a_file_describes_the_daemon(tmp_path: Path) -> None:
    path = tmp_path / "platform.toml"
    path.write_text(CONFIG)
    found = config.read(path)
    assert found.daemon.grace_seconds == 2
    first, second = found.hosts
    assert (first.game.name, first.host, first.port) == ("hexxagon", "*", 4445)
    assert (first.settings.max_strikes, first.settings.stuck.value) == (3, "end")
    assert (second.host, second.port, second.settings.max_strikes) == ("127.0.0.1", 4444, 10)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "expected at least one [[host]] with a game"),
        ("host = 5", "expected at least one [[host]] with a game"),
        ("grace = [", "not TOML"),
        ("[[host]]\ngame = 'hexagon'", "host 1: there is no game 'hexagon'; did you mean"),
        ("[[host]]\nport = 1", "host 1: game is missing; known are"),
        ("[[host]]\ngame = 'hexxagon'\nport = 70000", "host 1: port: must be from 0 to 65535"),
        ("[[host]]\ngame = 'hexxagon'\nport = -1", "host 1: port: must be at least 0"),
        ("[[host]]\ngame = 'hexxagon'\nprot = 1", "unknown setting 'prot'; did you mean 'port'?"),
        ("[[host]]\ngame = 'hexxagon'\nsettings = 1", "host 1: settings: expected a table"),
        (
            "[[host]]\ngame = 'hexxagon'\n[host.settings]\nmax_strikes = '3'",
            "host 1: max_strikes: expected a whole number",
        ),
        ("grace = 5\n[[host]]\ngame = 'hexxagon'", "unknown setting 'grace'; did you mean"),
    ],
)
def test_a_bad_file_is_refused_with_the_place_and_the_reason(
    tmp_path: Path, text: str, error: str
) -> None:
    path = tmp_path / "platform.toml"
    path.write_text(text)
    with pytest.raises(SettingsError) as caught:
        config.read(path)
    assert str(caught.value).startswith(str(path))
    assert error in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_named() -> None:
    with pytest.raises(SettingsError, match=r"nowhere.toml: No such file"):
        config.read(Path("nowhere.toml"))
