"""What one player can see of a game."""

from games.qwirkle.rules.board import Board
from games.qwirkle.rules.state import State
from games.qwirkle.rules.tiles import Tile
from games.qwirkle.rules.variant import Variant
from ludothek.contract.frozen import frozen


@frozen
class View:
    """The knowledge of a player who is to move; a client learns all of it from messages."""

    variant: Variant
    board: Board
    hand: tuple[Tile, ...]
    bag_count: int
    score: int = 0
    others: tuple[int, ...] = (0,)  # scores of the other players, the next one first

    @property
    def hidden(self) -> int:
        """How many tiles the others hold together: all those that are nowhere else."""
        seen = len(self.board.placements()) + len(self.hand) + self.bag_count
        return max(self.variant.total - seen, 0)


def view(state: State, player: int) -> View:
    """The game as this player may see it."""
    index = state.index(player)
    following = state.seats[index + 1 :] + state.seats[:index]
    seat = state.seats[index]
    return View(
        variant=state.variant,
        board=state.board,
        hand=seat.hand,
        bag_count=len(state.bag),
        score=seat.score,
        others=tuple(other.score for other in following),
    )
