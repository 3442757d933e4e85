"""Difficulty levels of bots: whoever asks for a weaker one than there is gets the weakest."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def level(levels: Sequence[T], difficulty: int) -> T:
    """The level of that difficulty; 0 is the strongest."""
    return levels[min(max(difficulty, 0), len(levels) - 1)]
