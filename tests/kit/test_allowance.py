"""What somebody may have in an hour, with a clock that stands where it is put."""

from ludothek.kit.allowance import Allowance


def take(allowance: Allowance, key: str, times: int, now: float = 0.0) -> int:
    """How many of so many tries succeed."""
    taken = 0
    for _ in range(times):
        if allowance.is_left(key, now):
            allowance.take(key, now)
            taken += 1
    return taken


def test_there_is_so_much_and_no_more() -> None:
    one = Allowance(10)
    assert take(one, "a", 20) == 10
    assert take(one, "b", 20) == 10


def test_it_comes_back_with_time() -> None:
    one = Allowance(10)
    take(one, "a", 20)
    assert take(one, "a", 20, now=719.0) == 1
    assert take(one, "a", 20, now=4320.0) == 10


def test_memory_is_bounded() -> None:
    one = Allowance(10, most_keys=100)
    take(one, "greedy", 10)
    for number in range(5000):
        one.take(str(number), 1.0)
    assert len(one) <= 100
    assert not one.is_left("greedy", 1.0)


def test_another_process_remembers_those_who_have_taken_most() -> None:
    one, other = Allowance(10), Allowance(10)
    for key, times in (("a", 3), ("b", 9), ("c", 5)):
        take(one, key, times)
    take(one, "late", 1, now=-7200.0)  # all of it is available again
    memory = one.remember(now=0.0, most=2)
    assert memory == (("b", 9.0, 0.0), ("c", 5.0, 0.0))
    other.recall(memory)
    assert [take(other, key, 20) for key in ("a", "b", "c")] == [10, 1, 5]
    assert [key for key, _, _ in one.remember(0.0, 10)] == ["b", "c", "a"]
