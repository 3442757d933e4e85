"""A match between two players."""

from collections.abc import Mapping

import attrs
from ludothek.api import Ended, ranked

from tictactoe import rules
from tictactoe.rules import Side, State


@attrs.define
class Match:
    """Who plays, how the board looks, and how it has ended if it has."""

    names: Mapping[Side, str]
    state: State = rules.START
    awarded: Side | None = None  # the winner, if it was not decided on the board
    reason: str = "regular"

    def award(self, winner: Side | None, reason: str) -> None:
        self.awarded, self.reason = winner, reason

    @property
    def over(self) -> bool:
        return self.state.over or self.reason != "regular"

    @property
    def winner(self) -> str | None:
        side = self.awarded or self.state.winner
        return self.names[side] if side else None

    def result(self) -> Ended:
        winner = self.awarded or self.state.winner
        scores = [(self.names[side], int(side is winner)) for side in Side]
        place = None if winner is None else [*Side].index(winner)
        return Ended(
            players=ranked(scores, place, decided=winner is not None or self.state.over),
            winner=self.winner,
            reason=self.reason,
            moves=self.state.moves,
        )
