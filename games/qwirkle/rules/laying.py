"""Whether tiles may be laid as asked, and what they earn."""

from collections.abc import Sequence

from games.qwirkle.rules.board import ORIGIN, Board, Cell, Draft
from games.qwirkle.rules.mistakes import Mistake
from games.qwirkle.rules.runs import Run, points
from games.qwirkle.rules.tiles import Placement
from ludothek.contract.mistakes import RuleViolation


def lay(board: Board, placements: Sequence[Placement], count: int) -> tuple[Board, int]:
    """The board with these tiles on it and the points they earn, for `count` colours and shapes.

    Raises RuleViolation if they must not lie there. Whose tiles they are is not checked here.
    """
    if not placements:
        raise RuleViolation(Mistake.NO_TILES)
    cells = [(placement.x, placement.y) for placement in placements]
    _check_cells(board, cells)
    axis = _axis(cells)
    _check_contact(board, cells)
    draft = Draft(board)
    lines = _lines(draft, placements, axis)
    if not all(line.is_line for line in lines):
        raise RuleViolation(Mistake.MISMATCH)
    earned = sum(points(line.length, count) for line in lines)
    # Only a single tile as the very first move lies in no line, and it earns one point.
    return draft.board(), earned or 1


def score(board: Board, placements: Sequence[Placement], count: int) -> int:
    """What a legal move earns; raises RuleViolation for any other."""
    return lay(board, placements, count)[1]


def _check_cells(board: Board, cells: list[Cell]) -> None:
    if len(set(cells)) < len(cells):
        raise RuleViolation(Mistake.CELL_TWICE)
    if any(board.tile(cell) for cell in cells):
        raise RuleViolation(Mistake.OCCUPIED)


def _axis(cells: list[Cell]) -> int:
    """0 for a row, 1 for a column; one tile counts as a row."""
    if len({y for _, y in cells}) == 1:
        return 0
    if len({x for x, _ in cells}) == 1:
        return 1
    raise RuleViolation(Mistake.NOT_ONE_LINE)


def _check_contact(board: Board, cells: list[Cell]) -> None:
    if board.is_empty:
        if ORIGIN not in cells:
            raise RuleViolation(Mistake.NOT_ON_ORIGIN)
    elif not any(board.space(cell) for cell in cells):
        raise RuleViolation(Mistake.NO_CONTACT)


def _lines(draft: Draft, placements: Sequence[Placement], axis: int) -> list[Run]:
    """The line along the move and the lines across each tile, with all tiles laid."""
    ordered = sorted(placements, key=lambda placement: (placement.x, placement.y))
    crossing = []
    for placement in ordered:
        space = draft.put(placement)
        crossing.append(space.filled(placement.tile, 1 - axis))
    # The last tile sees everything before it only if there are no gaps.
    span = placement.x - ordered[0].x + placement.y - ordered[0].y
    if space.along(axis)[0].length < span:
        raise RuleViolation(Mistake.GAP)
    return [space.filled(placement.tile, axis), *crossing]
