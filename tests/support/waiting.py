"""Waiting for something that nobody tells, in real time."""

import time
from collections.abc import Callable
from typing import TypeVar

PATIENCE = 20.0
LOOK_AGAIN = 0.05

T = TypeVar("T")


def eventually(look: Callable[[], T], patience: float = PATIENCE) -> T:
    """The first result of `look` that counts as true."""
    deadline = time.monotonic() + patience
    while not (found := look()):
        assert time.monotonic() < deadline, "it does not happen"
        time.sleep(LOOK_AGAIN)
    return found
