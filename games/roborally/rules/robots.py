"""Robots on the move: steps, pushing chains, turns."""

from games.roborally.rules.board import place_of_fall, walled
from games.roborally.rules.cards import Card
from games.roborally.rules.draft import Draft
from games.roborally.rules.events import Movement, PlayerTurning
from games.roborally.rules.geometry import Cell, Direction, Rotation
from games.roborally.rules.state import Player, State
from games.roborally.rules.steps import Advance, Fall

QUARTERS: dict[Card, tuple[Rotation, ...]] = {
    Card.TURN_LEFT: (Rotation.LEFT,),
    Card.TURN_RIGHT: (Rotation.RIGHT,),
    Card.U_TURN: (Rotation.RIGHT, Rotation.RIGHT),
}


def chain(state: State, player_id: int, direction: Direction) -> tuple[Player, ...] | None:
    """Return who moves when a robot makes a step, the last one pushed first; None if blocked."""
    robots: list[Player] = []
    robot: Player | None = state.player(player_id)
    while robot is not None and robot.position is not None:
        if walled(state.course, robot.position, direction):
            return None
        robots.append(robot)
        robot = state.at(robot.position.beside(direction))
    return tuple(reversed(robots))


def shift(draft: Draft, robots: tuple[Player, ...], direction: Direction) -> list[Fall]:
    """Move a chain by one cell and return who has to reboot."""
    falls = []
    for robot in robots:
        if robot.position is not None:
            falls += arrive(draft, robot.player_id, robot.position, direction)
    return falls


def arrive(draft: Draft, player_id: int, origin: Cell, direction: Direction) -> list[Fall]:
    """Move one robot to the next cell, where nobody stands, or let it fall."""
    target = origin.beside(direction)
    if target in draft.course.floor:
        draft.change(player_id, position=target)
        draft.tell(Movement(player_id, target.x, target.y))
        return []
    draft.change(player_id, position=None)
    return [Fall(player_id, place_of_fall(draft.course, origin, target))]


def advance(draft: Draft, step: Advance) -> None:
    """Make the first of the steps; the others are lost to a wall or a reboot."""
    player = draft.player(step.player_id)
    robots = chain(draft.state, step.player_id, step.direction)
    if not player.active or not robots:
        return
    if step.steps > 1:
        draft.do_next(Advance(step.player_id, step.direction, step.steps - 1))
    draft.do_next(*shift(draft, robots, step.direction))


def turn(draft: Draft, player_id: int, *rotations: Rotation) -> None:
    for rotation in rotations:
        facing = draft.player(player_id).facing.turned(rotation)
        draft.change(player_id, facing=facing)
        draft.tell(PlayerTurning(player_id, rotation))
