"""Every legal move of a hand, and every way to swap."""

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import attrs

from games.qwirkle.rules.board import Board, Cell
from games.qwirkle.rules.runs import BLANK, Run, Space, is_line, points
from games.qwirkle.rules.tiles import Placement, Tile


class Move(NamedTuple):
    """Tiles that may be laid together, and what they earn."""

    score: int
    placements: tuple[Placement, ...]


class _Option(NamedTuple):
    """A tile of the hand that may lie between two runs."""

    tile: Tile
    bit: int  # this kind among the kinds of the hand
    color: int  # as bits, like those of a run
    shape: int


# A legal move while it grows. Plain tuples, because a listing makes thousands of them:
# length, colours and shapes of the line so far; bits of the kinds already laid; the next free
# place before the move, None if it must not grow there; the next free place after it; what the
# lines across it earn; and its tiles.
_Node = tuple[int, int, int, int, int | None, int, int, tuple[Placement, ...]]


def legal_moves(board: Board, hand: Sequence[Tile], count: int) -> Iterator[Move]:
    """Every legal move once, in a fixed order; among tiles of one kind the first stands for all.

    `count` is the number of colours and of shapes.
    """
    return moves_on(board.spaces(), hand, count)


def moves_on(
    spaces: dict[Cell, Space],
    hand: Sequence[Tile],
    count: int,
    anchors: Collection[Cell] | None = None,
) -> Iterator[Move]:
    """The same for a board given only by its spaces; moves that cover one of the anchors, if any
    are given."""
    return _Listing(spaces, hand, count, anchors).moves()


def swaps(hand: Sequence[Tile], most: int) -> Iterator[tuple[Tile, ...]]:
    """Every way to give away up to `most` tiles of the hand, smallest first."""
    seen = set()
    ordered = sorted(hand, key=lambda tile: (tile.color, tile.shape, tile.unique_id))
    for size in range(1, min(most, len(hand)) + 1):
        for tiles in combinations(ordered, size):
            kinds = tuple((tile.color, tile.shape) for tile in tiles)
            if kinds not in seen:
                seen.add(kinds)
                yield tiles


@attrs.define(init=False)
class _Listing:
    """A search for moves on one board with one hand.

    A move is found from the first anchor it covers: before that one, it may grow over cells that
    are not anchors, after it over any free cells; so no move is found twice. A tile that breaks a
    line would break any longer one too, so growing stops there.
    """

    _spaces: dict[Cell, Space]
    _anchors: Collection[Cell]
    _hand: list[_Option]
    _count: int
    _known: dict[tuple[Run, Run], list[_Option]]  # boards have far fewer kinds of runs than cells

    def __init__(
        self,
        spaces: dict[Cell, Space],
        hand: Sequence[Tile],
        count: int,
        anchors: Collection[Cell] | None,
    ) -> None:
        self._spaces = spaces
        self._anchors = spaces.keys() if anchors is None else anchors
        self._hand = _kinds(hand)
        self._count = count
        self._known = {}

    def moves(self) -> Iterator[Move]:
        for cell in self._anchors:
            space = self._spaces.get(cell)
            if space and all(self._options(space.along(axis)) for axis in (0, 1)):
                x, y = cell
                yield from self._moves_from(x, y, 0)
                yield from self._moves_from(y, x, 1)

    def _moves_from(self, at: int, line: int, axis: int) -> Iterator[Move]:
        """The moves along an axis that cover this anchor first; `line` is the other coordinate."""
        stack = self._roots(at, line, axis)
        while stack:
            node = stack.pop()
            length, _, _, _, low, high, across, placements = node
            # A single tile belongs to both axes: it is counted only for the row.
            if axis == 0 or len(placements) > 1:
                yield Move(points(length, self._count) + across or 1, placements)
            if length < self._count and len(placements) < len(self._hand):
                if low is not None:
                    stack += self._grown_before(node, low, high, line, axis)
                stack += self._grown_after(node, None, high, line, axis)

    def _roots(self, at: int, line: int, axis: int) -> list[_Node]:
        before, _ = self._spaces[_cell(at, line, axis)].along(axis)
        low = self._free(at - 1 - before.length, line, axis)
        return self._grown_after((*before, 0, None, at, 0, ()), low, at, line, axis)

    def _free(self, at: int, line: int, axis: int) -> int | None:
        return None if _cell(at, line, axis) in self._anchors else at

    def _grown_before(self, node: _Node, low: int, high: int, line: int, axis: int) -> list[_Node]:
        cell = _cell(low, line, axis)
        before, _ = self._spaces.get(cell, BLANK).along(axis)
        free = self._free(low - 1 - before.length, line, axis)
        return self._grown(node, cell, axis, before, free, high)

    def _grown_after(
        self, node: _Node, low: int | None, high: int, line: int, axis: int
    ) -> list[_Node]:
        cell = _cell(high, line, axis)
        _, after = self._spaces.get(cell, BLANK).along(axis)
        return self._grown(node, cell, axis, after, low, high + 1 + after.length)

    def _grown(
        self, node: _Node, cell: Cell, axis: int, beyond: Run, low: int | None, high: int
    ) -> list[_Node]:
        """The node with one more tile and the run beyond it, wherever all lines stay legal."""
        length, colors, shapes, used, _, _, earned, placements = node
        length += 1 + beyond.length
        if length > self._count:
            return []
        colors |= beyond.colors
        shapes |= beyond.shapes
        across = self._spaces.get(cell, BLANK).along(1 - axis)
        earned += points(across[0].length + 1 + across[1].length, self._count)
        return [
            (
                length,
                colors | color,
                shapes | shape,
                used | bit,
                low,
                high,
                earned,
                (*placements, Placement(tile, *cell)),
            )
            for tile, bit, color, shape in self._options(across)
            if not used & bit and is_line(length, colors | color, shapes | shape)
        ]

    def _options(self, runs: tuple[Run, Run]) -> list[_Option]:
        """Which tiles of the hand may lie between two runs."""
        options = self._known.get(runs)
        if options is None:
            before, after = runs
            length = before.length + 1 + after.length
            colors, shapes = before.colors | after.colors, before.shapes | after.shapes
            options = [
                option
                for option in self._hand
                if is_line(length, colors | option.color, shapes | option.shape)
            ]
            self._known[runs] = options
        return options


def _cell(at: int, line: int, axis: int) -> Cell:
    return (line, at) if axis else (at, line)


def _kinds(hand: Sequence[Tile]) -> list[_Option]:
    first = {(tile.color, tile.shape): tile for tile in reversed(hand)}
    return [
        _Option(tile, 1 << index, 1 << tile.color, 1 << tile.shape)
        for index, tile in enumerate(first.values())
    ]
