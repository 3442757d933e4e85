"""The rules of Qwirkle: pure functions over values that never change."""

from games.qwirkle.rules.actions import Action, Lay, Pass, Swap
from games.qwirkle.rules.board import EMPTY, ORIGIN, Board, Cell
from games.qwirkle.rules.game import (
    act,
    advance,
    apply,
    deal,
    end_turn,
    is_stuck,
    legal_actions,
    penalise,
    remove,
    start,
)
from games.qwirkle.rules.laying import lay, score
from games.qwirkle.rules.listing import Move, legal_moves, moves_on, swaps
from games.qwirkle.rules.mistakes import Mistake
from games.qwirkle.rules.runs import Space
from games.qwirkle.rules.state import End, Seat, State
from games.qwirkle.rules.tiles import Placement, Tile, all_tiles, exists
from games.qwirkle.rules.variant import Refill, Variant
from games.qwirkle.rules.view import View, view

__all__ = [
    "EMPTY",
    "ORIGIN",
    "Action",
    "Board",
    "Cell",
    "End",
    "Lay",
    "Mistake",
    "Move",
    "Pass",
    "Placement",
    "Refill",
    "Seat",
    "Space",
    "State",
    "Swap",
    "Tile",
    "Variant",
    "View",
    "act",
    "advance",
    "all_tiles",
    "apply",
    "deal",
    "end_turn",
    "exists",
    "is_stuck",
    "lay",
    "legal_actions",
    "legal_moves",
    "moves_on",
    "penalise",
    "remove",
    "score",
    "start",
    "swaps",
    "view",
]
