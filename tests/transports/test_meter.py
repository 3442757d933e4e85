"""What a peer may say per second: buckets, and the verdict over a peer."""

import pytest

from transports import Bucket, Complaint, Rate
from transports.meter import COPIES_AT_ONCE, COPY, SLACK, WORK_SLACK, Meter


class Watch:
    """A clock that goes on when it is told to, and counts how often it is looked at."""

    def __init__(self) -> None:
        self.time = 0.0
        self.looks = 0

    def __call__(self) -> float:
        self.looks += 1
        return self.time


@pytest.fixture
def watch() -> Watch:
    return Watch()


def test_a_burst_is_granted_at_once_and_not_more(watch: Watch) -> None:
    bucket = Bucket(Rate(10, 100), 0)
    assert bucket.take(100, watch) == 0
    assert bucket.take(1, watch) == 1
    assert bucket.take(5, watch) == 6


def test_time_pays_debts(watch: Watch) -> None:
    bucket = Bucket(Rate(10, 100), 0)
    bucket.take(105, watch)
    assert bucket.seconds(5) == 0.5
    watch.time = 0.5
    assert bucket.take(0, watch) == 0
    assert bucket.take(1, watch) == 1


def test_whoever_keeps_to_the_rate_is_never_in_debt(watch: Watch) -> None:
    bucket = Bucket(Rate(10, 100), 0)
    for n in range(10_000):
        watch.time = n / 10
        assert bucket.take(1, watch) == 0


def test_a_quiet_time_brings_no_more_than_twice_the_burst(watch: Watch) -> None:
    bucket = Bucket(Rate(10, 100), 0)
    watch.time = 1e6
    assert bucket.take(200, watch) == 0
    assert bucket.take(1, watch) == 1


def test_the_clock_is_looked_at_only_when_nothing_is_left(watch: Watch) -> None:
    bucket = Bucket(Rate(10, 100), 0)
    for _ in range(100):
        bucket.take(1, watch)
    assert watch.looks == 0


def test_a_bucket_is_full_again_after_its_time() -> None:
    bucket = Bucket(Rate(10, 100), 0)
    bucket.take(50, lambda: 0.0)
    assert not bucket.is_full(4.9)
    assert bucket.is_full(5.1)


def test_who_waits_for_answers_is_only_slowed_down(watch: Watch) -> None:
    meter = Meter(Rate(100, 10), None, None, watch)
    for _ in range(1000):
        wait = meter.count(1, 0, 0)
        assert isinstance(wait, float)
        watch.time += wait
    assert watch.time == pytest.approx(1000 / 100, rel=0.02)


def test_who_does_not_wait_has_to_go(watch: Watch) -> None:
    meter = Meter(Rate(100, 10), None, None, watch)
    assert meter.count(10, 0, 0) == 0
    assert meter.count(SLACK, 0, 0) == SLACK / 100
    assert meter.count(SLACK + 1, 0, 0) is Complaint.TOO_MANY_MESSAGES


def test_a_few_messages_may_be_much_work_but_not_without_end(watch: Watch) -> None:
    meter = Meter(Rate(100, 10), None, None, watch)
    for _ in range(100):
        wait = meter.count(5, 8.0, 0)
        assert isinstance(wait, float)
        watch.time += wait
    assert meter.count(1, WORK_SLACK + 0.0, 0) is Complaint.TOO_MANY_MESSAGES


def test_who_makes_others_work_is_only_slowed_down(watch: Watch) -> None:
    meter = Meter(Rate(100, 200), None, None, watch)
    for _ in range(100):
        wait = meter.count(SLACK, 0, 0)
        assert isinstance(wait, float)
        watch.time += wait
        meter.charge(100 * SLACK)
    assert watch.time == pytest.approx(100 * 11 * SLACK / 100, rel=0.05)


def test_after_some_copies_the_next_message_has_to_wait_whatever_is_left_of_a_burst(
    watch: Watch,
) -> None:
    meter = Meter(Rate(1000, 2000), None, None, watch)
    assert meter.charge(COPIES_AT_ONCE) == 0
    assert meter.charge(500) == pytest.approx(500 * COPY / 1000)
    watch.time = 0.05
    assert meter.charge(1) == pytest.approx(COPY / 1000)
    assert Meter(None, None, None, watch).charge(10**6) == 0


def test_too_many_bytes_are_never_waited_for(watch: Watch) -> None:
    meter = Meter(None, Rate(100, 1000), None, watch)
    assert meter.count(500, 0, 1000) == 0
    assert meter.count(0, 0, 1) is Complaint.TOO_MANY_BYTES


def test_all_peers_of_an_address_share_what_it_may_say(watch: Watch) -> None:
    address = Bucket(Rate(100, 10), 0)
    one, two = (Meter(Rate(1000, 1000), None, address, watch) for _ in range(2))
    assert one.count(10, 0, 0) == 0
    assert two.count(1, 0, 0) == 0.01  # it has done nothing wrong, and goes on a little later
    assert two.count(1, 0, 0) == 0.02
    assert one.count(SLACK + 1, 0, 0) is Complaint.TOO_MANY_MESSAGES


def test_without_limits_everything_goes(watch: Watch) -> None:
    meter = Meter(None, None, None, watch)
    assert meter.count(10**9, 0, 10**12) == 0
