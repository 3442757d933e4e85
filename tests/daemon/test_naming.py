"""What endpoints are called."""

import pytest

from ludothek.daemon.naming import names_for, retired_name


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # At the start, in the order of the file.
        ("one two one one", "one two one-2 one-3"),
        # Who stays keeps its name, wherever it stands now.
        ("one=one-2 one=one", "one-2 one"),
        ("one one=one", "one-2 one"),
        ("one=one one", "one one-2"),
        # Who is left has the name of the game.
        ("one=one-2", "one"),
        ("one=one-3 one=one", "one-2 one"),
        ("one=one-3 one=one-2", "one one-2"),
        # A name of another family is none.
        ("one=two two", "one two"),
        ("one=one-old", "one"),
        ("", ""),
    ],
)
def test_names_are_those_of_a_fresh_start_and_change_as_little_as_possible(
    before: str, after: str
) -> None:
    hosts = [host.partition("=") for host in before.split()]
    games, names = [host[0] for host in hosts], [host[2] or None for host in hosts]
    assert names_for(games, names) == after.split()


def test_who_has_to_go_is_called_old() -> None:
    assert retired_name("one", ["one"]) == "one-old"
    assert retired_name("one", ["one", "one-old", "one-old-3"]) == "one-old-2"
