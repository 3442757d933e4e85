"""Whether what a client hears follows from what it has heard and said before, game by game."""

from collections.abc import Callable, Mapping

from bench.continuity.gap import Continuity, Gap
from bench.continuity.hexxagon import HexxagonContinuity
from bench.continuity.penguins import PenguinsContinuity
from bench.continuity.quidditch import QuidditchContinuity
from bench.continuity.qwirkle import QwirkleContinuity
from bench.continuity.roborally import RoboRallyContinuity

__all__ = ["CONTINUITIES", "Continuity", "Gap"]

# One for every client of a game.
CONTINUITIES: Mapping[str, Callable[[], Continuity]] = {
    "hexxagon": HexxagonContinuity,
    "penguins": PenguinsContinuity,
    "quidditch": QuidditchContinuity,
    "qwirkle": QwirkleContinuity,
    "roborally": RoboRallyContinuity,
}
