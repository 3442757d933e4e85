"""A lobby as text, for people who look at the record of a match."""

from collections.abc import Iterator

from games.hexxagon.match import Match
from games.hexxagon.rules import RADIUS, Side, State, coordinates
from games.hexxagon.table import HexxagonTable
from ludothek.contract.table import Table

# How stones look; free tiles show their numbers, because moves are made of these.
STONES = {Side.PLAYERONE: "XX", Side.PLAYERTWO: "OO"}
SIGNS = {"1": STONES[Side.PLAYERONE], "2": STONES[Side.PLAYERTWO], "B": "##"}

# From one column of hexagons to the next, in characters; half a hexagon is one line high.
STEP = 3
WIDTH, HEIGHT = STEP * (2 * RADIUS + 1) + 1, 4 * RADIUS + 3


def draw(table: Table) -> str:
    """The board, the players, their stones, and whose turn it is."""
    assert isinstance(table, HexxagonTable)
    match = table.match
    lines = _lobby(table) if match is None else [*_board(match.state), "", *_game(match)]
    return "\n".join(lines)


def _lobby(table: HexxagonTable) -> list[str]:
    names = table.summary.players
    title = f"Lobby {table.recipe.name}, {'waiting' if table.waiting else 'closed'}"
    return [title, *(f"{sign} {name}" for sign, name in zip(STONES.values(), names, strict=False))]


def _game(match: Match) -> Iterator[str]:
    state = match.state
    for side, sign in STONES.items():
        yield f"{sign} {match.names[side]}: {state.points(side)}{_role(match, side)}"
    if state.last is not None:
        yield f"Move {state.turn - 1} went from {state.last.origin} to {state.last.target}."
    if match.closed:
        yield _outcome(match)


def _role(match: Match, side: Side) -> str:
    if match.left is side:
        return ", has left"
    return "" if match.closed or match.state.active is not side else ", to move"


def _outcome(match: Match) -> str:
    if match.tie:
        return "It is a tie."
    for side in Side:
        if match.players[side] == match.winner:
            return f"{match.names[side]} has won."
    return "The game was ended without a winner."


def _board(state: State) -> list[str]:
    canvas = [[" "] * WIDTH for _ in range(HEIGHT)]
    for tile, ((q, r), field) in enumerate(zip(coordinates(), state.to_text(), strict=True), 1):
        left, top = STEP * (q + RADIUS), 2 * r + q + 2 * RADIUS
        inside = SIGNS.get(field) or f"{tile:2}"
        for line, text in enumerate((" __ ", f"/{inside}\\", "\\__/"), top):
            for column, sign in enumerate(text, left):
                if sign != " ":  # part of a neighbour
                    canvas[line][column] = sign
    return ["".join(line).rstrip() for line in canvas]
