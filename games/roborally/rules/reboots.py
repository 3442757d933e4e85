"""Robots that leave the course return to it, at a price."""

from collections import deque

from games.roborally.rules.board import restart, walled
from games.roborally.rules.cards import Card
from games.roborally.rules.draft import Draft
from games.roborally.rules.events import Movement, Reboot
from games.roborally.rules.geometry import Cell, Direction
from games.roborally.rules.robots import chain, shift
from games.roborally.rules.state import NO_REGISTERS, Player, State
from games.roborally.rules.steps import Fall, Suffer

REBOOT_DAMAGE = 2


def reboot(draft: Draft, step: Fall) -> None:
    player = draft.player(step.player_id)
    _shut_down(draft, player)
    draft.tell(Reboot(player.player_id))
    cell, direction = restart(draft.course, player, step.place)
    cell, falls = _cleared(draft, cell, direction)
    draft.change(player.player_id, position=cell)
    draft.tell(Movement(player.player_id, cell.x, cell.y))
    draft.do_next(Suffer(player.player_id, Card.SPAM, REBOOT_DAMAGE), *falls)


def _shut_down(draft: Draft, player: Player) -> None:
    """Take a robot off the course; all its cards of this round are lost.

    It comes back facing up. That is a simplification of the protocol, which therefore has no
    message about it; one turn afterwards is free.
    """
    cards = tuple(card for card in player.registers if card is not None)
    draft.change(
        player.player_id,
        position=None,
        facing=Direction.UP,
        rebooted=True,
        may_turn=True,
        hacks=0,
        registers=NO_REGISTERS,
        discard=(*cards, *player.discard),
    )


def _cleared(draft: Draft, cell: Cell, direction: Direction) -> tuple[Cell, list[Fall]]:
    """Return a free cell to reboot on and who fell when it was cleared."""
    occupant = draft.state.at(cell)
    if occupant is None:
        return cell, []
    for quarters in range(4):
        towards = direction.clockwise(quarters)
        robots = chain(draft.state, occupant.player_id, towards)
        if robots and not _vicious(draft.state, robots[0], towards):
            return cell, shift(draft, robots, towards)
    return _nearest_free(draft.state, cell), []


def _vicious(state: State, last: Player, direction: Direction) -> bool:
    """Return whether a push would make a robot fall that has already rebooted in this round.

    Otherwise robots could push each other from the restart point into the same pit for ever.
    """
    beyond = last.position and last.position.beside(direction)
    return last.rebooted and beyond not in state.course.floor


def _nearest_free(state: State, cell: Cell) -> Cell:
    """Return a cell within walking distance of an occupied one that cannot be cleared.

    It exists: the floor connected to a start point is larger than a crowd of six.
    """
    seen, queue = {cell}, deque([cell])
    while queue:
        here = queue.popleft()
        if state.at(here) is None:
            return here
        for direction in Direction:
            beyond = here.beside(direction)
            open_floor = beyond in state.course.floor and not walled(state.course, here, direction)
            if open_floor and beyond not in seen:
                seen.add(beyond)
                queue.append(beyond)
    return min(cell for cell in state.course.floor if state.at(cell) is None)
