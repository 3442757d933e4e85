"""A connection as the server knows it, wherever it is: its id, and how it has behaved."""

from typing import Any

import attrs

from games.hexxagon import breaches
from games.hexxagon.messages import GameMove, LeaveGame, LeaveLobby, StartGame, Uuid
from ludothek.contract.clauses import Breach
from ludothek.contract.codec import Malformed

# How many late messages about one lobby or game are tolerated: a client that says goodbye to both
# in every way it knows needs four.
MOST_LATE = 8


@attrs.define(eq=False)
class Visitor:
    """One connection's identity, in the reception and at tables alike."""

    key: Uuid
    strikes: int = 0
    lobbies: list[Uuid] = attrs.field(factory=list)  # those it has created
    past_lobby: Uuid | None = None  # it has started, or the server has closed it
    past_game: Uuid | None = None
    late: int = 0  # messages about either that were ignored

    def objection(self, message: Any) -> Breach | None:
        """Why a message is always invalid; None if it is not."""
        if isinstance(message, Malformed):
            return breaches.unreadable(message.flaw)
        if message.user_id != self.key:
            return breaches.foreign_user(self.key, message.user_id)
        return None

    def leave_lobby(self, lobby_id: Uuid) -> None:
        """Its lobby is over; messages may still name it."""
        self.past_lobby, self.late = lobby_id, 0

    def leave_game(self, game_id: Uuid) -> None:
        """Its game is over; messages may still name it."""
        self.past_game, self.late = game_id, 0

    def comes_late(self, message: Any) -> bool:
        """Whether a message names the lobby or game that has just ended, and may be ignored.

        Not indefinitely: a client that keeps doing this has lost track of what it is doing.
        """
        match message:
            case GameMove(game_id=game_id) | LeaveGame(game_id=game_id):
                names_the_past = game_id == self.past_game
            case LeaveLobby(lobby_id=lobby_id) | StartGame(lobby_id=lobby_id):
                names_the_past = lobby_id == self.past_lobby
            case _:
                names_the_past = False
        if not names_the_past:
            return False
        self.late += 1
        return self.late <= MOST_LATE
