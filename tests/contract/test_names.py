"""Names that are meant to deceive, and where they must not show."""

from collections.abc import Iterator

import pytest
import structlog

from games.hexxagon.member import is_name
from games.roborally.member import name_objection
from ludothek.contract.names import has_control_characters, printable, skeleton
from ludothek.observe import log

REAL = [
    "Max Mustermann",
    "Jürgen",
    "李小龍",
    "דוד",
    "🤖",
    "👩\u200d🚀",
    "T0m_99",
    "O'Neill",
    "a" * 32,
]
INVISIBLE = ["\u200b", "\u2060\u200b", "\ufeff", "\u00ad", "\u200e"]
UNSEEN = ["\u3164", "\uffa0", "\u115f", "\u2800", "\ufe0f", "\u034f \u3164", "\U000e0101"]
HARMFUL = ["a\nb", "a\x1b[31mb", "a\x00b", "abc\u202ecod.exe", "\u2066x\u2069", "a\x9bb"]


@pytest.mark.parametrize("name", REAL)
def test_real_names_are_welcome(name: str) -> None:
    assert is_name(name)
    assert name_objection(name) is None
    assert not has_control_characters(name)


@pytest.mark.parametrize("name", INVISIBLE + UNSEEN)
def test_a_name_that_cannot_be_seen_is_none(name: str) -> None:
    assert not is_name(name)
    assert name_objection(name) == "The name cannot be seen."


@pytest.mark.parametrize("name", HARMFUL)
def test_control_characters_are_refused_where_names_can_be(name: str) -> None:
    assert not is_name(name)
    assert name_objection(name) == "The name contains control characters."


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Anna", "ANNA"),
        ("Anna", "An\u200bna"),
        ("Anna", "Anna\ufe0f"),
        ("Anna", "An\u3164na"),
        ("Straße", "STRASSE"),
        ("Anna", "\uff21nna"),
    ],
)
def test_names_that_look_alike_are_the_same(one: str, two: str) -> None:
    assert skeleton(one) == skeleton(two)


@pytest.mark.parametrize("name", HARMFUL + INVISIBLE)
def test_nothing_of_it_reaches_a_terminal_or_a_log(
    name: str, fresh_logs: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert printable(name).isprintable()
    styles: list[log.LogFormat] = ["console", "json"]
    for style in styles:
        log.setup(style)
        structlog.get_logger().info("refused", reason=name, client=5)
        (line,) = capsys.readouterr().err.splitlines()
        assert line.isprintable()


@pytest.fixture
def fresh_logs() -> Iterator[None]:
    yield
    structlog.reset_defaults()


@pytest.mark.parametrize("name", REAL)
def test_ordinary_text_is_shown_as_it_is(name: str) -> None:
    assert printable(name) == name or "\u200d" in name
