"""What happens around every attack."""

from collections.abc import Iterator

import pytest
import structlog
from structlog.testing import LogCapture
from trio.testing import MockClock


@pytest.fixture(autouse=True)
def logs() -> Iterator[LogCapture]:
    """Whatever the attack, it must not be logged as an error of ours."""
    capture = LogCapture()
    structlog.configure(processors=[capture])
    yield capture
    assert [entry for entry in capture.entries if entry["log_level"] == "error"] == []


@pytest.fixture
def autojump_clock(unhurried_clock: MockClock) -> MockClock:
    return unhurried_clock
