"""A queue in which nobody gets ahead by coming more often."""

from ludothek.kit.fair_queue import FairQueue


def queue(most: int = 100, most_per_key: int = 10) -> FairQueue[str]:
    return FairQueue(most, most_per_key)


def drain(queue: FairQueue[str]) -> list[str]:
    taken = []
    while (item := queue.take(lambda item: True)) is not None:
        taken.append(item)
    return taken


def test_lines_take_turns() -> None:
    one = queue()
    for item in ("a1", "a2", "a3", "b1", "c1", "b2"):
        assert one.put(item[0], item) is None
    assert drain(one) == ["a1", "b1", "c1", "a2", "b2", "a3"]
    assert len(one) == 0


def test_who_comes_alone_does_not_wait_for_a_crowd() -> None:
    one = queue()
    for number in range(10):
        one.put("crowd", f"crowd{number}")
    assert one.take(lambda item: True) == "crowd0"
    one.put("alone", "alone")
    assert [one.take(lambda item: True) for _ in range(2)] == ["crowd1", "alone"]


def test_who_is_not_ready_holds_nobody_up() -> None:
    one = queue()
    for item in ("a1", "a2", "b1"):
        one.put(item[0], item)
    assert one.take(lambda item: item != "a1") == "a2"
    assert one.take(lambda item: item != "a1") == "b1"
    assert one.take(lambda item: item != "a1") is None
    assert list(one) == ["a1"]


def test_a_line_that_is_not_served_keeps_its_turn() -> None:
    one = queue()
    for item in ("a1", "b1", "b2"):
        one.put(item[0], item)
    assert one.take(lambda item: True, lambda key: key != "a") == "b1"
    assert drain(one) == ["a1", "b2"]


def test_a_line_has_an_end() -> None:
    one = queue(most_per_key=2)
    assert [one.put("a", item) for item in ("a1", "a2", "a3")] == [None, None, "a3"]
    assert one.put("b", "b1") is None
    assert len(one) == 3


def test_a_line_that_is_not_limited_ends_with_all_places() -> None:
    one = queue(most=5, most_per_key=2)
    gone = [one.put("a", f"a{number}", limited=False) for number in range(7)]
    assert gone == [None] * 5 + ["a5", "a6"]


def test_when_all_places_are_taken_the_longest_line_makes_room() -> None:
    one = queue(most=4, most_per_key=3)
    for item in ("a1", "a2", "a3", "b1"):
        one.put(item[0], item)
    assert one.put("c", "c1") == "a3"
    assert drain(one) == ["a1", "b1", "c1", "a2"]


def test_who_is_not_ready_makes_room_first() -> None:
    one = queue(most=3, most_per_key=3)
    for item in ("a1", "a2", "a3"):
        one.put("a", item, ready=lambda item: item == "a3")
    assert one.put("a", "a4", ready=lambda item: item in ("a3", "a4")) == "a2"
    assert one.put("b", "b1", ready=lambda item: item in ("a3", "a4")) == "a1"
    assert one.put("c", "c1", ready=lambda item: True) == "a4"
    assert drain(one) == ["a3", "b1", "c1"]


def test_whoever_leaves_a_line_is_not_called() -> None:
    one = queue()
    for item in ("a1", "a2", "b1"):
        one.put(item[0], item)
    one.discard("a", "a1")
    one.discard("a", "a1")
    one.discard("x", "x1")
    assert len(one) == 2
    assert drain(one) == ["a2", "b1"]
