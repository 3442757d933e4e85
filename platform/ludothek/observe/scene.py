"""Where the program is: which game, lobby and client the lines of the log are about."""

from collections.abc import MutableMapping
from contextvars import ContextVar
from typing import Any, Protocol


class Whereabouts(Protocol):
    """Somewhere things happen."""

    @property
    def facts(self) -> dict[str, Any]:
        """What every line about it tells."""


# The step that is being taken: where, and the number of the client that caused it.
step: ContextVar[tuple[Whereabouts, int | None] | None] = ContextVar("step", default=None)


def add_scene(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Let a line of the log tell where it comes from."""
    if (now := step.get()) is not None:
        scene, client = now
        facts = scene.facts if client is None else scene.facts | {"client": client}
        for key, value in facts.items():
            event.setdefault(key, value)
    return event
