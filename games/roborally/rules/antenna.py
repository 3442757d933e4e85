"""Who is first: the robot that is closer to the antenna."""

import math
from collections.abc import Iterable

from games.roborally.rules.course import Course
from games.roborally.rules.geometry import Cell, Direction
from games.roborally.rules.state import Player, State


def ranking(state: State, privileged: Iterable[int] = ()) -> tuple[int, ...]:
    """Return all players in order of priority, those with a privilege before the others."""
    first = set(privileged)

    def key(player: Player) -> tuple[bool, int, float]:
        place = player.position or state.course.antenna
        return player.player_id not in first, *_rank(state.course, place)

    return tuple(player.player_id for player in sorted(state.players, key=key))


def _rank(course: Course, place: Cell) -> tuple[int, float]:
    return place.distance(course.antenna), clockwise(course.antenna, course.orientation, place)


def clockwise(antenna: Cell, orientation: Direction, place: Cell) -> float:
    """Return how far a beam of the antenna turns clockwise until it hits a place."""
    x, y = place.x - antenna.x, place.y - antenna.y
    # As if the antenna faced up; so straight ahead is exactly zero.
    for _ in range(orientation.quarters):
        x, y = -y, x
    return math.atan2(x, y) % math.tau
