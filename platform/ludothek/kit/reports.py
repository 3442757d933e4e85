"""Reporting a failure must not fail itself, so that supervisors never do."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import structlog

from transports import BUGS

log = structlog.get_logger()

_failed = 0


def failed() -> int:
    """How many reports, lines of the log among them, could not be made since the start."""
    return _failed


def count_failure() -> None:
    global _failed
    _failed += 1


@contextmanager
def careful(about: str) -> Iterator[None]:
    """For reporting: exceptions inside are counted and logged if possible, and never leave it."""
    try:
        yield
    except BUGS as error:
        count_failure()
        with suppress(*BUGS):
            log.warning("a report could not be made", about=about, error=type(error).__name__)


def words(value: Any) -> str:
    """Its `repr`, or a substitute if that fails."""
    try:
        return repr(value)
    except BUGS as error:
        count_failure()
        return f"<{type(value).__name__} that cannot be told: {type(error).__name__}>"
