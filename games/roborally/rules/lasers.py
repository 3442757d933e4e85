"""Lasers of the boards and of the robots."""

from collections import Counter
from collections.abc import Iterator

from games.roborally.rules.board import walled
from games.roborally.rules.cards import Card, Upgrade
from games.roborally.rules.course import Course
from games.roborally.rules.draft import Draft
from games.roborally.rules.events import PlayerShooting
from games.roborally.rules.geometry import Cell, Direction
from games.roborally.rules.state import Player, State
from games.roborally.rules.steps import Suffer


def beam(course: Course, cell: Cell, direction: Direction) -> Iterator[Cell]:
    """Yield the cells a beam passes that leaves `cell`; pits and holes do not stop it."""
    while not walled(course, cell, direction):
        cell = cell.beside(direction)
        if not course.on_map(cell):
            return
        yield cell


def board_lasers(draft: Draft) -> None:
    hits: Counter[int] = Counter()
    for cell, laser in draft.course.lasers.items():
        cells = (cell, *beam(draft.course, cell, laser.orientation))
        if victim := _first(draft.state, cells):
            hits[victim.player_id] += laser.count
    _hurt(draft, hits)


def robot_lasers(draft: Draft) -> None:
    """Let all robots shoot at once, from where they stand now."""
    shooters = [p for p in draft.state.players if not p.rebooted and p.position is not None]
    if not shooters:
        return
    draft.tell(PlayerShooting())
    hits: Counter[int] = Counter()
    for shooter in shooters:
        for direction in _barrels(shooter):
            victim = _first(draft.state, _shot(draft.course, shooter, direction))
            if victim is not None and not victim.shielded:
                hits[victim.player_id] += 1
    _hurt(draft, hits)


def _barrels(player: Player) -> list[Direction]:
    rear = Upgrade.REAR_LASER in player.upgrades
    return [player.facing, player.facing.opposite] if rear else [player.facing]


def _shot(course: Course, shooter: Player, direction: Direction) -> tuple[Cell, ...]:
    return tuple(beam(course, shooter.position, direction)) if shooter.position else ()


def _first(state: State, cells: tuple[Cell, ...]) -> Player | None:
    return next((robot for cell in cells if (robot := state.at(cell))), None)


def _hurt(draft: Draft, hits: Counter[int]) -> None:
    victims = (player_id for player_id in draft.state.order if hits[player_id])
    draft.do_next(*(Suffer(player_id, Card.SPAM, hits[player_id]) for player_id in victims))
