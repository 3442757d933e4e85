"""The context of log lines: which game, lobby and client they are about."""

from collections.abc import MutableMapping
from contextvars import ContextVar
from typing import Any, Protocol

import structlog


class Whereabouts(Protocol):
    """A place where things happen."""

    @property
    def facts(self) -> dict[str, Any]:
        """What every log line about it says."""


# The current step: where, and the number of the client that caused it.
step: ContextVar[tuple[Whereabouts, int | None] | None] = ContextVar("step", default=None)

# Whether what happens now is a repetition: it was logged when it happened.
repeated: ContextVar[bool] = ContextVar("repeated", default=False)


def drop_repeated(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Log nothing twice."""
    if repeated.get():
        raise structlog.DropEvent
    return event


def add_context(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Add to a log line where it comes from."""
    if (now := step.get()) is not None:
        where, client = now
        for key, value in where.facts.items():
            event.setdefault(key, value)
        if client is not None:
            event.setdefault("client", client)
    return event
