"""What a player knows about the server and itself, from what it has been told and has said."""

import attrs

from games.hexxagon.messages import GameStarted, GameStatus, Lobby, ServerMessage, Uuid
from games.hexxagon.rules import Side, State
from ludothek.contract.player import BrokenProtocol


@attrs.define
class Knowledge:
    """Where a player is, and which answer it is waiting for."""

    me: Uuid | None = None
    lobby: Lobby | None = None
    left: Uuid | None = None  # a lobby that we have left, though the server may not know it yet
    awaits: type[ServerMessage] | None = None  # the answer to the latest question
    playing: Uuid | None = None  # the game
    deciding: bool = False  # whether a move of ours has not been answered yet
    starting: bool = False  # whether a StartGame of ours has not been answered yet
    crossed: bool = False  # whether one of these two may arrive too late through no fault of ours
    waited: int = 0
    moves: int = 0
    strikes: int = 0

    @property
    def id(self) -> Uuid:
        if self.me is None:
            raise BrokenProtocol("the first message was not a Welcome")
        return self.me

    def begin(self, game_id: Uuid) -> None:
        """A game has started."""
        if self.awaits is GameStarted:
            self.awaits = None
        self.playing = game_id
        self.starting = self.crossed = False
        self.waited = self.moves = 0
        self.lobby = None


def position(status: GameStatus) -> State:
    """The position that a status shows to the player on turn; raises BrokenProtocol."""
    active = Side.PLAYERONE if status.active_player == status.player_one else Side.PLAYERTWO
    try:
        return State.from_text(status.board.text, active)
    except ValueError:
        raise BrokenProtocol("the server sent a board that is none of Hexxagon") from None
