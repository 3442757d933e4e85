"""A brake on guessing, with a clock that stands where it is put."""

from ludothek.kit.brake import Brake


def brake(**changes: float) -> Brake:
    usual = {"free": 3, "first": 1.0, "longest": 30.0, "forgiveness": 60.0}
    return Brake(**(usual | changes))  # type: ignore[arg-type]


def fail(brake: Brake, key: object, times: int, now: float = 0.0) -> None:
    for _ in range(times):
        brake.failed(key, now)


def test_everybody_may_mistype() -> None:
    one = brake()
    assert one.delay("harry", 0) == 0
    fail(one, "harry", 3)
    assert one.delay("harry", 0) == 0


def test_the_delay_grows_with_each_failure_up_to_the_longest() -> None:
    one = brake()
    fail(one, "harry", 3)
    delays = []
    for _ in range(8):
        one.failed("harry", 0)
        delays.append(one.delay("harry", 0))
    assert delays == [1, 2, 4, 8, 16, 30, 30, 30]
    fail(one, "harry", 5000)
    assert one.delay("harry", 0) == 30


def test_a_delay_passes() -> None:
    one = brake()
    fail(one, "harry", 5, now=100.0)
    assert one.delay("harry", 100.5) == 1.5
    assert one.delay("harry", 102.0) == 0
    assert one.delay("harry", 1000.0) == 0


def test_one_failure_does_not_count_for_another_key() -> None:
    one = brake()
    fail(one, ("harry", "10.0.0.1"), 10)
    assert one.delay(("harry", "10.0.0.2"), 0) == 0


def test_success_forgives_everything() -> None:
    one = brake()
    fail(one, "harry", 10)
    one.succeeded("harry")
    assert one.delay("harry", 0) == 0
    assert len(one) == 0
    one.succeeded("nobody")


def test_time_forgives_one_failure_after_the_other() -> None:
    one = brake()
    fail(one, "harry", 7)
    one.failed("harry", 240.0)  # the eighth, but four are forgotten
    assert one.delay("harry", 240.0) == 1
    one.failed("harry", 100_000.0)
    assert one.delay("harry", 100_000.0) == 0


def test_who_waits_each_delay_out_gets_no_more_than_what_time_forgives() -> None:
    """In the long run one try for each that is forgiven, or for each longest delay."""
    one, now, tries = brake(), 0.0, 0
    while now < 3600.0:
        now += one.delay("harry", now)
        one.failed("harry", now)
        tries += 1
    assert tries < 3600 / 30 + 20


def test_memory_is_bounded_and_the_worst_are_remembered() -> None:
    one = brake(most_keys=100)
    fail(one, "guesser", 10)
    for number in range(10_000):
        one.failed(number, 1.0)
    assert len(one) <= 100
    assert one.delay("guesser", 1.0) > 0


def test_those_who_are_forgiven_take_no_room() -> None:
    one = brake(most_keys=100)
    for number in range(100):
        one.failed(number, 0.0)
    one.failed("late", 10_000.0)
    assert len(one) == 1


def test_those_who_have_to_wait_also_wait_in_another_process() -> None:
    one, other = brake(), brake()
    fail(one, "harry", 5, now=100.0)
    fail(one, "draco", 7, now=101.0)
    fail(one, "ron", 1, now=1.0)
    memory = one.remember(now=102.0, most=2)
    assert memory == (("draco", 7.0, 101.0), ("harry", 5.0, 100.0))
    other.recall(memory)
    for brakes in (one, other):
        brakes.failed("harry", 102.0)
        assert brakes.delay("draco", 102.0) == 7.0
    assert one.delay("harry", 102.0) == other.delay("harry", 102.0) > 3.0


def test_nobody_is_remembered_who_is_forgiven() -> None:
    one = brake(forgiveness=10.0)
    fail(one, "harry", 3)
    assert [key for key, _, _ in one.remember(29.0, 10)] == ["harry"]
    assert one.remember(30.0, 10) == ()
