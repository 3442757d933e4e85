"""The setup phase: everybody chooses a start point."""

from games.roborally.rules.actions import SetStartingPoint
from games.roborally.rules.decisions import StartPoint
from games.roborally.rules.draft import Draft
from games.roborally.rules.events import StartingPointTaken
from games.roborally.rules.geometry import Cell
from games.roborally.rules.mistakes import Mistake
from games.roborally.rules.state import Phase, State
from ludothek.contract.mistakes import RuleViolation


def check_start(state: State, action: SetStartingPoint) -> None:
    if state.phase is not Phase.SETUP:
        raise RuleViolation(Mistake.WRONG_PHASE)
    if state.pending != StartPoint(action.player_id):
        raise RuleViolation(Mistake.NOT_YOUR_TURN)
    cell = Cell(action.x, action.y)
    if cell not in state.course.start_points:
        raise RuleViolation(Mistake.NO_START_POINT)
    if state.at(cell) is not None:
        raise RuleViolation(Mistake.START_POINT_TAKEN)


def set_start(draft: Draft, action: SetStartingPoint) -> None:
    draft.next_step()
    cell = Cell(action.x, action.y)
    draft.change(action.player_id, position=cell, start=cell)
    draft.tell(StartingPointTaken(cell.x, cell.y, action.player_id))


def free_starts(state: State) -> list[Cell]:
    return [cell for cell in state.course.start_points if state.at(cell) is None]
