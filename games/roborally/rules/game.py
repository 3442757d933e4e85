"""The face of the rules to the outside: start a game, apply actions, come and go."""

import random
from collections.abc import Sequence

from games.roborally.rules.actions import Action
from games.roborally.rules.course import Course
from games.roborally.rules.events import Event
from games.roborally.rules.state import State

Result = tuple[State, tuple[Event, ...]]


def start(course: Course, player_ids: Sequence[int], rng: random.Random) -> Result:
    """Return a game in the setup phase; players choose start points in the given order."""
    raise NotImplementedError


def apply(state: State, action: Action, rng: random.Random) -> Result:
    """Return the state after the action and all that follows from it, or raise RuleViolation."""
    raise NotImplementedError


def remove(state: State, player_id: int, rng: random.Random) -> Result:
    """Take a robot and its cards out of the game."""
    raise NotImplementedError


def ignore(state: State, player_id: int, rng: random.Random) -> Result:
    """Leave the robot on the course, but ask its player for nothing any more."""
    raise NotImplementedError


def rejoin(state: State, player_id: int, rng: random.Random) -> Result:
    """Ask an ignored player again, from the next decision on."""
    raise NotImplementedError
