"""What a player knows of its game, as the server has told it."""

import attrs

from games.hexxagon.messages import GameStatus, Uuid
from games.hexxagon.rules import Side, State
from ludothek.contract.player import BrokenProtocol, Report


@attrs.define
class Knowledge:
    """Who we are, and how our game has gone so far."""

    me: Uuid | None = None
    moves: int = 0  # of ours
    strikes: int = 0  # that we have got for no reason we know

    @property
    def user_id(self) -> Uuid:
        if self.me is None:
            raise BrokenProtocol("the first message was not a Welcome")
        return self.me

    def report(self, status: GameStatus) -> Report:
        """How the game has ended that this status closes."""
        names = {
            status.player_one: status.player_one_user_name,
            status.player_two: status.player_two_user_name,
        }
        return Report(
            winner=names.get(status.winner, "somebody else") if status.winner else None,
            points={
                "playerOne": status.player_one_points,
                "playerTwo": status.player_two_points,
            },
            moves=self.moves,
            errors=self.strikes,
            details={
                "won": status.winner == self.me,
                "tie": status.tie,
                "side": "playerOne" if status.player_one == self.me else "playerTwo",
            },
        )


def position(status: GameStatus) -> State:
    """The position that a status shows to the player whose turn it is; raises BrokenProtocol."""
    active = Side.PLAYERONE if status.active_player == status.player_one else Side.PLAYERTWO
    try:
        return State.from_text(status.board.text, active)
    except ValueError:
        raise BrokenProtocol("the server sent a board that is none of Hexxagon") from None
