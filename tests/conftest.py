"""What happens around every test."""

from collections.abc import Iterator

import pytest

from tests.helpers import hang_up_all, sockets_to_close


@pytest.fixture(autouse=True)
def close_sockets() -> Iterator[None]:
    """Close what a test has left open, so that the next one does not hear of it."""
    yield
    hang_up_all()
    while sockets_to_close:
        sockets_to_close.pop().close()
