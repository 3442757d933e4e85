"""What happens around every test."""

from collections.abc import Iterator

import pytest
import structlog

from tests.helpers import hang_up_all, sockets_to_close

# Rich tracebacks in logs take seconds, in which nobody is served.
structlog.configure(
    processors=[
        *structlog.get_config()["processors"][:-1],
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
    ]
)


@pytest.fixture(autouse=True)
def close_sockets() -> Iterator[None]:
    """Close what a test has left open, so that the next one does not hear of it."""
    yield
    hang_up_all()
    while sockets_to_close:
        sockets_to_close.pop().close()
