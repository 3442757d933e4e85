"""What the tests of tournaments share."""

import logging
from collections.abc import Iterator

import pytest
import structlog

from ludothek.arena import database


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
