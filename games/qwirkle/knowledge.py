"""What a player knows about a game from the messages it has received."""

from collections.abc import Mapping, Sequence

import attrs

from games.qwirkle import rules
from games.qwirkle.configuration import Configuration
from games.qwirkle.messages import TileOnPosition
from ludothek.contract.mistakes import RuleViolation
from ludothek.contract.player import BrokenProtocol

# What the messages do not tell; it matters only for the last few moves of a game.
END_BONUS = 6


@attrs.define(eq=False)
class Knowledge:
    """One running game as one of its players knows it."""

    me: int
    config: Configuration
    players: list[int]  # in turn order
    hand: list[rules.Tile] = attrs.field(factory=list)
    board: rules.Board = rules.EMPTY
    active: int | None = None
    _bag: int = attrs.field(init=False)
    _counts: dict[int, int] = attrs.field(init=False)  # tiles on each hand
    _scores: dict[int, int] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        size = self.config.max_hand_tiles
        self._bag = self.config.total - size * len(self.players)
        self._counts = dict.fromkeys(self.players, size)
        self._scores = dict.fromkeys(self.players, 0)

    @property
    def my_turn(self) -> bool:
        return self.active == self.me

    def turn_of(self, player: int) -> None:
        """Somebody's turn begins; the hand has been filled up as far as possible."""
        self.active = player
        drawn = min(self.config.max_hand_tiles - self._counts.get(player, 0), self._bag)
        self._counts[player] = self._counts.get(player, 0) + drawn
        self._bag -= drawn

    def laid(self, updates: Sequence[TileOnPosition], bag: int) -> None:
        """The active player has laid tiles."""
        placements = tuple(rules.Placement(u.tile, u.coord_x, u.coord_y) for u in updates)
        cells = {(placement.x, placement.y) for placement in placements}
        if len(cells) < len(placements) or any(map(self.board.tile, cells)):
            raise BrokenProtocol("the server put two tiles on one cell")
        if self.active in self._scores:
            self._scores[self.active] += self._score(placements)
            self._counts[self.active] -= len(placements)
        self.board = self.board.plus(placements)
        self._bag = bag

    def _score(self, placements: Sequence[rules.Placement]) -> int:
        try:
            return rules.score(self.board, placements, self.config.color_shape_count)
        except RuleViolation:
            return 0  # other servers may have other rules

    def scored(self, scores: Mapping[int, int]) -> None:
        """The server says how many points everybody has."""
        self._scores |= {player: scores[player] for player in self._scores if player in scores}

    def gave(self, tiles: Sequence[rules.Tile]) -> None:
        """Some of our tiles are gone from the hand."""
        self.hand = [tile for tile in self.hand if tile not in tiles]

    def left(self, player: int) -> None:
        """Somebody is out; the hand goes back to the bag."""
        self._bag += self._counts.pop(player, 0)
        self._scores.pop(player, None)
        if player in self.players:
            self.players.remove(player)

    def view(self) -> rules.View:
        """The game as a bot needs to see it."""
        place = self.players.index(self.me)
        others = self.players[place + 1 :] + self.players[:place]
        return rules.View(
            variant=self.config.variant(END_BONUS, rules.Refill.OWN_TURN),
            board=self.board,
            hand=tuple(self.hand),
            bag_count=self._bag,
            score=self._scores[self.me],
            others=tuple(self._scores[player] for player in others),
        )
