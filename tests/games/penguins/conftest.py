"""What many Penguins tests need."""

from collections.abc import Iterator

import pytest
import structlog
from structlog.testing import LogCapture


@pytest.fixture
def logs() -> Iterator[LogCapture]:
    """What is logged."""
    capture = LogCapture()
    structlog.configure(processors=[capture])
    yield capture
    structlog.reset_defaults()
