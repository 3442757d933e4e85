"""What a player knows about its match, from what the server has said."""

import attrs
from ludothek.api import BrokenProtocol

from tictactoe import rules
from tictactoe.messages import Position, Started
from tictactoe.rules import Side, State


@attrs.define
class Knowledge:
    """Our side, and the board as it was shown last."""

    name: str
    lobby: str | None = None  # where we sit
    side: Side | None = None
    state: State = rules.START
    moves: int = 0  # of ours

    def sit(self, lobby: str) -> None:
        self.lobby, self.side, self.state, self.moves = lobby, None, rules.START, 0

    def start(self, started: Started) -> None:
        self.side = Side.X if started.x == self.name else Side.O

    def see(self, position: Position) -> None:
        if len(position.board) != 9 or {*position.board} - {*"XO."}:
            raise BrokenProtocol("the server has shown something that is no board")
        self.state = State(position.board)

    @property
    def is_our_turn(self) -> bool:
        return self.side is self.state.active and not self.state.over
