"""A game at one moment, as a value."""

import enum

import attrs

from games.qwirkle.rules.bag import Bag
from games.qwirkle.rules.board import EMPTY, Board
from games.qwirkle.rules.tiles import Tile
from games.qwirkle.rules.variant import Variant
from ludothek.contract.frozen import frozen


class End(enum.Enum):
    """Why a game is over."""

    OUT = "the bag is empty and a player has no tiles"
    STUCK = "no tile outside the board fits anywhere"
    ALONE = "fewer than two players are left"


@frozen
class Seat:
    """A player who is still in the game."""

    player: int
    hand: tuple[Tile, ...] = ()
    score: int = 0

    def without(self, tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
        """What stays in the hand without these tiles."""
        gone = {tile.unique_id for tile in tiles}
        return tuple([tile for tile in self.hand if tile.unique_id not in gone])

    def scoring(self, earned: int) -> "Seat":
        """This seat with more points, or with fewer; below zero is allowed."""
        return attrs.evolve(self, score=self.score + earned)


@frozen
class State:
    """Everything about a game that the rules know.

    A turn has two steps, so that everybody can look at a move before the next turn begins:
    `act` plays it and sets `turn_over`, `advance` passes the turn on.
    """

    variant: Variant
    seats: tuple[Seat, ...]  # in turn order, only those still in the game
    bag: Bag
    board: Board = EMPTY
    turn: int = 0  # index of the seat whose turn it is, or was until `turn_over`
    turn_over: bool = False
    drawn: tuple[Tile, ...] = ()  # what the last step drew for the seat at `turn`
    end: End | None = None

    @property
    def active(self) -> Seat:
        """Whose turn it is; when `turn_over`, whose it was."""
        return self.seats[self.turn]

    @property
    def scores(self) -> dict[int, int]:
        """Points of each player, in turn order."""
        return {seat.player: seat.score for seat in self.seats}

    @property
    def hands(self) -> dict[int, tuple[Tile, ...]]:
        """Tiles of each player, in turn order."""
        return {seat.player: seat.hand for seat in self.seats}

    @property
    def leaders(self) -> tuple[int, ...]:
        """Everybody with the highest score, in turn order; the first of them is the winner."""
        best = max((seat.score for seat in self.seats), default=0)
        return tuple(seat.player for seat in self.seats if seat.score == best)

    @property
    def winner(self) -> int | None:
        """Who leads, or has won if there is an `end`; None only if nobody is left."""
        return next(iter(self.leaders), None)

    def bag_contents(self) -> tuple[Tile, ...]:
        """The bag in an order that says nothing about the next draw."""
        return tuple(sorted(self.bag, key=lambda tile: tile.unique_id))

    def index(self, player: int) -> int:
        """The place of a player in the turn order."""
        return [seat.player for seat in self.seats].index(player)

    def seat(self, player: int) -> Seat:
        """The seat of a player."""
        return self.seats[self.index(player)]

    def seats_with(self, index: int, seat: Seat) -> tuple[Seat, ...]:
        """The seats with one of them replaced."""
        return (*self.seats[:index], seat, *self.seats[index + 1 :])
