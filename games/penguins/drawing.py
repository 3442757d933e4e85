"""A room as text, for people who look at the record of a game."""

from collections.abc import Iterable, Iterator

from games.penguins.member import Member
from games.penguins.messages import Result
from games.penguins.rules import Board, Coordinates, Move, Team
from games.penguins.table import PenguinsTable
from ludothek.contract.table import Stage, Table

PENGUINS = {Team.ONE: "R", Team.TWO: "B"}
WATER = "."

# How far apart two fields of a row are; odd rows are half a field to the right.
WIDTH = 4
COLUMNS = 16


def draw(table: Table) -> str:
    """The ice with its fish and penguins, the players, and whose turn it is."""
    assert isinstance(table, PenguinsTable)
    return "\n".join([*_board(table.match.state.board), "", *_players(table), *_progress(table)])


def _board(board: Board) -> Iterator[str]:
    yield _line("", 0, map(str, range(0, COLUMNS, 2)))
    for y, row in enumerate(board.rows()):
        yield _line(str(y), y % 2, row.replace("0", WATER))
    yield _line("", 1, map(str, range(1, COLUMNS, 2)))


def _line(label: str, shift: int, fields: Iterable[str]) -> str:
    texts = "".join(f"{field:{WIDTH}}" for field in fields)
    return f"{label:{WIDTH}}{' ' * (shift * WIDTH // 2)}{texts}".rstrip()


def _players(table: PenguinsTable) -> Iterator[str]:
    match = table.match
    for member in match.members:
        sign, fish = PENGUINS[member.team], match.state.fish[member.team.index]
        yield f"{sign} {_name(member)}: {fish} fish{_role(table, member)}"


def _name(member: Member) -> str:
    # Quoted, because an administrator may have given any name, with line breaks in it.
    return member.team.value if member.given_name is None else repr(member.given_name)


def _role(table: PenguinsTable, member: Member) -> str:
    if member.violation is not None:
        return f", {member.violation.cause.value}: {member.violation.reason!r}"
    if member.reservation is not None:
        return f", reserved under {member.reservation}"
    if member.client is None:
        return ", free"
    playing = not table.summary.idle and table.result is None
    return ", to move" if playing and table.match.on_turn is member else ""


def _progress(table: PenguinsTable) -> Iterator[str]:
    state, summary = table.match.state, table.summary
    if state.last_move is not None:
        yield f"Move {state.turn} {_in_words(state.last_move)}."
    if table.result is not None:
        yield _outcome(table.result)
    elif summary.stage is not Stage.RUNNING:
        yield f"The game is {summary.stage.value}."
    if summary.spectators:
        yield f"Clients that observe: {', '.join(summary.spectators)}."


def _in_words(move: Move) -> str:
    if move.origin is None:
        return f"has set a penguin on {_place(move.target)}"
    return f"went from {_place(move.origin)} to {_place(move.target)}"


def _place(place: Coordinates) -> str:
    return f"{place.x}|{place.y}"


def _outcome(result: Result) -> str:
    if result.winner is not None:
        return f"{PENGUINS[result.winner]} has won."
    return "Nobody has won."
