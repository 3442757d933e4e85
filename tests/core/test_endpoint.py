"""Endpoints and their names."""

from ludothek.endpoint import unique_names
from tests.core.console import meek_game


def test_a_game_hosted_again_gets_a_number() -> None:
    one, two = meek_game("one"), meek_game("two")
    assert unique_names([one, two, one, one]) == ["one", "two", "one-2", "one-3"]
