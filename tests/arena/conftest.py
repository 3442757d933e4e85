"""What the tests of tournaments share."""

import logging
import os
from collections.abc import Iterator

import pytest
import structlog

from ludothek.arena import database
from ludothek.arena.sandbox import is_enclosed

# Where this is set, as in CI, a missing sandbox is a failure and not a reason to skip.
REQUIRED = "REQUIRE_SANDBOX"


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Log as a serving process does: a flood must not cost more time than there."""
    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    yield
    structlog.configure(**before)


@pytest.fixture(autouse=True)
def _no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a machine that loses its power would notice."""
    monkeypatch.setattr(database, "SYNCHRONOUS", "OFF")


@pytest.fixture
def enclosed() -> None:
    """What only a sandbox makes possible, or harmless, is skipped without one."""
    if is_enclosed():
        return
    reason = "there are no sandboxes: apt-get install bubblewrap"
    if os.environ.get(REQUIRED):
        pytest.fail(reason)
    pytest.skip(reason)
