"""A running match as its players see it."""

from datetime import datetime

import attrs

from games.hexxagon.messages import TILE_OF, Board, GameMove, GameStatus, Uuid
from games.hexxagon.rules import BLOCKED, ONE, TWO, Side, State
from ludothek.contract.effects import Ended
from ludothek.contract.results import ranked


@attrs.define
class Match:
    """The state of a game and everything a GameStatus says about it."""

    game_id: Uuid
    players: dict[Side, Uuid]
    names: dict[Side, str]
    created: datetime
    state: State
    acted: datetime
    before: State | None = None  # the last move
    left: Side | None = None
    closed: bool = False
    awarded: bool = False  # by the organiser

    @property
    def active(self) -> Uuid:
        return self.players[self.state.active]

    def expects(self, user: Uuid, move: GameMove) -> bool:
        """Whether this user may move now, and says so; the rules have not been asked."""
        return (
            user == move.user_id
            and move.game_id == self.game_id
            and user == self.players[self.state.active]
        )

    @property
    def winner(self) -> Uuid | None:
        """Whoever won by the rules or was left alone; None if the server ended the match."""
        if self.left is not None:
            return self.players[self.left.other]
        if self.state.outcome is None or self.state.outcome.winner is None:
            return None
        return self.players[self.state.outcome.winner]

    @property
    def tie(self) -> bool:
        return self.left is None and self.state.outcome is not None and self.winner is None

    def status(self) -> GameStatus:
        state, players, names = self.state, self.players, self.names
        last, over = state.last, state.outcome is not None or self.left is not None
        return GameStatus(
            self.game_id,
            players[ONE],
            players[TWO],
            names[ONE],
            names[TWO],
            self.left is ONE,
            self.left is TWO,
            state.one.bit_count(),
            state.two.bit_count(),
            Board(state.one | BLOCKED, state.two | BLOCKED),
            state.turn,
            self.created,
            self.acted,
            players[state.active],
            over and self.tie,
            self.closed,
            TILE_OF[last.origin] if last else None,
            TILE_OF[last.target] if last else None,
            self.winner if over else None,
        )

    def result(self) -> Ended:
        names = [(self.names[side], self.state.stones(side).bit_count()) for side in Side]
        winner = next((n for n, side in enumerate(Side) if self.players[side] == self.winner), None)
        decided = self.winner is not None or self.tie
        return Ended(
            players=ranked(names, winner, decided=decided),
            winner=None if winner is None else names[winner][0],
            reason=self._reason,
            moves=self.state.turn - 1,
        )

    @property
    def _reason(self) -> str:
        if self.left is not None:
            return "left"
        return "aborted" if self.awarded or self.state.outcome is None else "regular"
