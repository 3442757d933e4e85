"""The order of what happens at the end of a turn."""

from transports import Turns


def test_what_must_not_be_done_twice_is_done_after_the_commit() -> None:
    """Another process repeats a turn that was not committed."""
    happened: list[str] = []
    turns = Turns()
    turns.commit = lambda: happened.append("commit")
    with turns.turn():
        turns.after(lambda: happened.append("result"))
        with turns.turn():
            turns.after(lambda: happened.append("file"))
        assert not happened
    assert happened == ["commit", "result", "file"]
    with turns.turn():
        pass
    assert happened == ["commit", "result", "file", "commit"]


def test_between_turns_nothing_waits() -> None:
    happened: list[str] = []
    Turns().after(lambda: happened.append("result"))
    assert happened == ["result"]
