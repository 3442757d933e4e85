"""Somebody who follows the steps of a lobby without being one of its clients."""

from typing import Any, Protocol

from ludothek.contract.effects import Ended


class Watcher(Protocol):
    """Hears what a lobby does; it must not raise anything, or the lobby would fail."""

    def stepping(self) -> None:
        """A step begins; until then the table has been as the last one had left it."""

    def sent(self, message: Any) -> None:
        """The table has sent a message to somebody."""

    def ended(self, ended: Ended) -> None:
        """The match is over; this step is its last one."""

    def stepped(self) -> None:
        """All of a step has been performed."""
