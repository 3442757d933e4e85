"""Endpoints and their names."""

from ludothek.endpoint import free_name
from tests.core.console import meek_game


def test_a_game_hosted_again_gets_a_number() -> None:
    one, two = meek_game("one"), meek_game("two")
    names: list[str] = []
    for game in (one, two, one, one):
        names.append(free_name(game, names))
    assert names == ["one", "two", "one-2", "one-3"]
    names.remove("one-2")
    assert free_name(one, names) == "one-2"
