"""Settings from text and files, and errors that help."""

import enum
from datetime import date
from typing import Any

import attrs
import pytest

from ludothek.settings.fields import SettingsError, Text, at_least, between, build, setting
from ludothek.settings.overrides import read_assignments


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
        ({"name": Text.read('"a/b.json"')}, Example(name="a/b.json")),
        ({"name": Text.read("'C:\\dir'")}, Example(name="C:\\dir")),
        ({"name": Text.read(r'"a\tb"')}, Example(name="a\tb")),
        ({"name": Text.read('""')}, Example(name="")),
        ({"name": Text.read("123")}, Example(name="123")),
        ({"name": Text.read('"123"')}, Example(name="123")),
        ({"name": Text.read("007")}, Example(name="007")),
        ({"name": Text.read("1.0")}, Example(name="1.0")),
        ({"name": Text.read("true")}, Example(name="true")),
        ({"seed": -5}, Example(seed=-5)),
        ({"seed": Text.read("5")}, Example(seed=5)),
        ({"word": Text.read("123")}, Example(word="123")),
        ({"word": Text.read('"s3cret"')}, Example(word="s3cret")),
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
        ({"count": True}, "here: count: expected a whole number, not true"),
        ({"count": 1.5}, "here: count: expected a whole number, not 1.5"),
        ({"count": Text.read("many")}, "here: count: expected a whole number, not 'many'"),
        ({"seconds": "x"}, "here: seconds: expected a number, not 'x'"),
        ({"colour": "green"}, "here: colour: expected one of red, blue, not 'green'"),
        ({"open": 1}, "here: open: expected true or false, not 1"),
        ({"name": 5}, "here: name: expected text, not 5"),
        ({"seed": 6}, "here: seed: must be from -5 to 5, not 6"),
        ({"seed": "x"}, "here: seed: expected a whole number, not 'x'"),
        ({"word": 5}, "here: word: expected text, not 5"),
        ({"word": "x" * 3000, "seed": 0.5}, "here: seed: expected a whole number, not 0.5"),
        ({"seconds": 10**400}, "here: seconds: expected a number, not a huge number"),
        ({"seed": 10**5000}, "here: seed: must be from -5 to 5, not a huge number"),
        ({"colour": ["red"]}, "here: colour: expected one of red, blue, not ['red']"),
        ({"colour": "x" * 3000}, f"here: colour: expected one of red, blue, not '{'x' * 59}…"),
        ({"count": {}}, "here: count: expected a whole number, not a table"),
        ({"count": date(2024, 1, 2)}, "here: count: expected a whole number, not 2024-01-02"),
    ],
)
def test_an_error_says_where_and_what_would_be_right(values: dict[str, Any], error: str) -> None:
    with pytest.raises(SettingsError) as caught:
        build(Example, values, "here")
    assert str(caught.value) == error


@attrs.frozen
class Pair:
    least: int = setting(1, "at least")
    most: int = setting(2, "at most")

    def __attrs_post_init__(self) -> None:
        if self.least > self.most:
            raise SettingsError("least: must not be more than most")


def test_values_that_do_not_go_together_are_refused_with_the_place() -> None:
    with pytest.raises(SettingsError, match=r"^here: least: must not be more than most$"):
        build(Pair, {"least": 3}, "here")


@pytest.mark.parametrize("text", ["[" * 5000, "9" * 5000, "1\nx = 2", "=", ""])
def test_whatever_is_typed_as_a_value_is_at_least_a_word(text: str) -> None:
    assert Text.read(text).value == text


def test_assignments_belong_to_the_only_game_or_name_one() -> None:
    read = read_assignments(["max_strikes=3", "hexxagon.stuck=end"], ["hexxagon"])
    assert {key: text.value for key, text in read["hexxagon"].items()} == {
        "max_strikes": 3,
        "stuck": "end",
    }
    with pytest.raises(SettingsError, match=r"write GAME\.stuck"):
        read_assignments(["stuck=end"], ["hexxagon", "other"])
    with pytest.raises(SettingsError, match="expected KEY=VALUE"):
        read_assignments(["stuck"], ["hexxagon"])
