"""Tables for people."""

from ludothek.cli.columns import align


def test_columns_are_as_wide_as_they_must_be() -> None:
    assert list(align([("ID", "NAME"), ("hexxagon/1", "Ann"), ("x", "")])) == [
        "ID          NAME",
        "hexxagon/1  Ann",
        "x",
    ]
    assert list(align([])) == []


def test_a_name_cannot_give_orders_to_the_terminal() -> None:
    assert list(align([("\x1b[2J", "a\nb", "ä\u202e")])) == ["\\x1b[2J  a\\nb  ä\\u202e"]
