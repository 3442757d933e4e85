"""The promise of a ledger: what is committed survives the process."""

from typing import TYPE_CHECKING

import trio

if TYPE_CHECKING:
    from collections.abc import Callable


class Promise:
    """Not given before the first checkpoint, nor after a problem, until the next checkpoint."""

    __slots__ = ("begun", "given", "on_problem", "problem")

    def __init__(self) -> None:
        self.given = False
        self.problem: str | None = None  # why it was taken back
        self.on_problem: Callable[[str], None] | None = None
        self.begun = trio.Event()  # the first checkpoint: nobody is met before

    def give(self) -> None:
        self.given, self.problem = True, None

    def take_back(self, problem: str) -> None:
        self.given, self.problem = False, problem
        if self.on_problem is not None:
            self.on_problem(problem)
