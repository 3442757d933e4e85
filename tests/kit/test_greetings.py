"""Who has to identify themselves in time, with one timer for all."""

from ludothek.contract.timers import Timers
from ludothek.kit.greetings import GREETING, Greetings
from ludothek.testing.dummies import DummyClient


def test_each_is_late_once_and_in_its_own_time() -> None:
    now = 0.0
    timers = Timers(lambda: now)
    greetings = Greetings(timers, lambda: now)
    first, second, patient = DummyClient(1), DummyClient(2), DummyClient(3)
    greetings.expect(second, 20)
    greetings.expect(first, 10)
    greetings.expect(patient, 0)
    now = 10.0
    assert timers.take_due() == GREETING
    assert greetings.take_late() == [first]
    assert greetings.take_late() == []
    now = 20.0
    assert timers.take_due() == GREETING
    assert greetings.take_late() == [second]
    assert [*greetings] == [patient]


def test_whoever_has_greeted_is_no_longer_waited_for() -> None:
    now = 0.0
    timers = Timers(lambda: now)
    greetings = Greetings(timers, lambda: now)
    client = DummyClient(1)
    greetings.expect(client, 10)
    greetings.discard(client)
    now = 10.0
    assert (timers.take_due(), greetings.take_late()) == (None, [])
