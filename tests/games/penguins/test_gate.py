"""The gate for administrators: what the log tells of those who guess."""

import pytest
import structlog
from structlog.testing import LogCapture

from games.penguins.codec import CODEC
from games.penguins.gate import Gate
from games.penguins.refusal import Refusal
from ludothek.runtime.client import Client
from transports.memory import memory_link_pair


@pytest.fixture
def logs() -> LogCapture:
    capture = LogCapture()
    structlog.configure(processors=[capture])
    return capture


def test_the_log_tells_of_a_long_guessing_but_not_of_each_guess(logs: LogCapture) -> None:
    hour = 3600.0
    gate = Gate(time=lambda: hour * gate.failures, exempts=lambda host: False)
    guesser = Client(1, memory_link_pair()[0], CODEC)
    for _ in range(100):
        with pytest.raises(Refusal):
            gate.check(guesser, "guess", "secret")
    told = [entry["failures"] for entry in logs.entries if entry["event"] == "wrong password"]
    assert told == [*range(1, 11), 16, 32, 64]


def test_nobody_overtakes_those_who_wait_for_their_turn() -> None:
    """Who plays, or finds the line full, is answered at once and could try at the right moment."""
    now = 0.0
    gate = Gate(time=lambda: now, exempts=lambda host: False)
    guesser, administrator = (Client(n, memory_link_pair()[0], CODEC) for n in (1, 2))
    while not gate.line_up(administrator):
        with pytest.raises(Refusal):
            gate.check(guesser, "guess", "secret")
    seen = gate.failures
    now = 3600.0
    with pytest.raises(Refusal, match="too many wrong passwords"):
        gate.check(guesser, "guess", "secret")
    assert gate.failures == seen
    gate.check(administrator, "secret", "secret")
    gate.leave(administrator)
    gate.check(guesser, "secret", "secret")
