"""A table as text, for whoever looks at the record of a match."""

from collections.abc import Iterator

from ludothek.api import Table

from tictactoe.match import Match
from tictactoe.rules import Side
from tictactoe.table import TicTacToeTable


def draw(table: Table) -> str:
    """The board, who plays, and whose turn it is."""
    assert isinstance(table, TicTacToeTable)
    if table.match is None:
        return f"{table.recipe.name}: {', '.join(table.summary.players) or 'nobody'} waits"
    return "\n".join(_match(table.match))


def _match(match: Match) -> Iterator[str]:
    cells = match.state.cells
    for start in (0, 3, 6):
        yield " ".join(cells[start : start + 3])
    for side in Side:
        turn = " is next" if side is match.state.active and not match.over else ""
        yield f"{side.value} {match.names[side]}{turn}"
    if match.over:
        yield f"{match.winner or 'Nobody'} has won"
