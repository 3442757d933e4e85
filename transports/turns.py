"""Turns: everything in a turn happens at the same moment, and all output leaves at its end."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from transports.bugs import as_bug


class Corked(Protocol):
    """A link that holds back what it was told to send."""

    def uncork(self) -> None:
        """Write what was held back."""

    def pack(self, output: list[bytes]) -> int:
        """Add what was held back to what a ledger puts out; returns how many bytes that are."""

    def fail(self, bug: Exception) -> None:
        """Writing has raised an exception, which must affect only this peer."""


class Turns:
    """The turns of one event loop, one at a time.

    A turn of the poller handles many messages; everything else (a timer, an order, a client that
    has connected) is a turn of its own. Nothing waits inside a turn.
    """

    __slots__ = ("_afterwards", "_numbers", "commit", "corked", "number")

    def __init__(self) -> None:
        self.number = 0  # of the current turn; 0 between turns
        # The links with output, which is held back until the end of the turn; None between turns.
        self.corked: list[Corked] | None = None
        # Called at the end of each turn, before anything that was said in it is sent; never fails.
        self.commit: Callable[[], None] | None = None
        self._afterwards: list[Callable[[], None]] = []
        self._numbers = 0

    def begin(self) -> bool:
        """Begin a turn; False if one is under way, which its beginner will end."""
        if self.number:
            return False
        self._numbers += 1
        self.number, self.corked = self._numbers, []
        return True

    def after(self, act: Callable[[], None]) -> None:
        """Do something that must not be done twice when this turn is over, or now if there is none.

        A turn that was not committed happens again in another process. It must not raise.
        """
        if self.number:
            self._afterwards.append(act)
        else:
            act()

    def end(self) -> None:
        """Let everything leave that was said in this turn."""
        if self.commit is not None:
            self.commit()
        corked, self.corked, self.number = self.corked or (), None, 0
        acts, self._afterwards = self._afterwards, []
        for link in corked:
            try:
                link.uncork()
            except BaseException as bug:  # no await in here, so never Cancelled
                link.fail(as_bug(bug))
        for act in acts:
            act()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """All of this is one turn, or part of the one that is under way."""
        mine = self.begin()
        try:
            yield
        finally:
            if mine:
                self.end()
