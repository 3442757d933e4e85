"""A game of Penguins: who may move where, what it earns, and when the game is over."""

from games.penguins.rules.board import (
    ALL,
    PENGUINS,
    Board,
    Coordinates,
    Team,
    bits,
    coordinates,
    neighbours,
    slides,
)
from games.penguins.rules.mistakes import Mistake
from ludothek.contract.frozen import frozen
from ludothek.contract.mistakes import RuleViolation


@frozen
class Move:
    """A slide from origin to target, or, without an origin, the placement of a new penguin."""

    origin: Coordinates | None
    target: Coordinates


@frozen
class State:
    """A moment of the game; `team` moves next unless the game is `over`. Made by `position`."""

    board: Board
    turn: int
    fish: tuple[int, int]
    last_move: Move | None
    team: Team
    over: bool


def start(board: Board) -> State:
    """The beginning of a game."""
    return position(board, 0, (0, 0))


def position(
    board: Board, turn: int, fish: tuple[int, int], last_move: Move | None = None
) -> State:
    """The state with these facts, and the side to move that follows from them."""
    team = Team.TWO if turn % 2 else Team.ONE
    over = False
    if stuck(board, team):
        team = team.other
        over = stuck(board, team)
    return State(board, turn, fish, last_move, team, over)


def legal_actions(state: State) -> tuple[Move, ...]:
    """Every move that `apply` accepts; empty when the game is over."""
    board = state.board
    own = board.penguins[state.team.index]
    if own.bit_count() < PENGUINS:
        return tuple([_PLACEMENTS[target] for target in bits(board.fish[0])])
    floes = board.floes
    return tuple(
        [
            moves[target]
            for origin, moves in [(bit, _SLIDES[bit]) for bit in bits(own)]
            for target in bits(slides(origin, floes))
        ]
    )


def apply(state: State, move: Move) -> State:
    """The state after the move; raises RuleViolation if the side to move may not make it."""
    origin = move.origin.bit if move.origin else 0
    target = move.target.bit
    if mistake := _mistake(state, placement=move.origin is None, origin=origin, target=target):
        raise RuleViolation(mistake)
    board = _moved(state.board, state.team, origin, target)
    return position(board, state.turn + 1, _credited(state, target), move)


def winner(state: State) -> Team | None:
    """Who has more fish; None if they have the same number."""
    one, two = state.fish
    if one == two:
        return None
    return Team.ONE if one > two else Team.TWO


def score(state: State) -> tuple[int, int]:
    """The points of ONE and TWO for a game played to its end: 2 for a win, 1 for a draw."""
    match winner(state):
        case Team.ONE:
            return 2, 0
        case Team.TWO:
            return 0, 2
        case _:
            return 1, 1


def stuck(board: Board, team: Team) -> bool:
    """Whether a team will never move again: it has set all penguins, and none has a floe near."""
    own = board.penguins[team.index]
    return own.bit_count() >= PENGUINS and not neighbours(own) & board.floes


def _mistake(state: State, *, placement: bool, origin: int, target: int) -> Mistake | None:
    # The checks are in the order of the original server: it decides which text a player gets.
    board = state.board
    own = board.penguins[state.team.index]
    placing = own.bit_count() < PENGUINS
    if placement:
        if not placing:
            return Mistake.ALL_PLACED
        return None if target & board.fish[0] else Mistake.NOT_SINGLE_FISH
    if not origin & own:
        return Mistake.NOT_OWN
    if placing:
        return Mistake.PLACE_FIRST
    return None if target & slides(origin, board.floes) else Mistake.NOT_POSSIBLE


def _moved(board: Board, team: Team, origin: int, target: int) -> Board:
    # The origin stays without fish: there were none left under the penguin.
    ones, twos, threes, fours = board.fish
    left = ~target
    one, two = board.penguins
    if team is Team.ONE:
        one = one & ~origin | target
    else:
        two = two & ~origin | target
    return Board((ones & left, twos & left, threes & left, fours & left), (one, two))


def _credited(state: State, target: int) -> tuple[int, int]:
    ones, twos, threes, _ = state.board.fish
    fish = 1 if ones & target else 2 if twos & target else 3 if threes & target else 4
    one, two = state.fish
    return (one + fish, two) if state.team is Team.ONE else (one, two + fish)


# All possible moves, made once: listing them is then a mere lookup.
_PLACEMENTS = {bit: Move(None, coordinates(bit)) for bit in bits(ALL)}
_SLIDES = {
    origin: {
        target: Move(coordinates(origin), coordinates(target))
        for target in bits(slides(origin, ALL))
    }
    for origin in bits(ALL)
}
