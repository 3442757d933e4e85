"""A connected user: who it is and how often it has broken the protocol."""

from typing import Any

import attrs

from games.hexxagon.messages import (
    ClientMessage,
    GameMove,
    LeaveGame,
    LeaveLobby,
    StartGame,
    Strike,
    Uuid,
)
from games.hexxagon.settings import Settings
from ludothek.contract.codec import Malformed
from ludothek.runtime.lobby import Lobby

# Late messages that one lobby or game is worth: a client that says goodbye to both in every way it
# knows needs four.
MOST_LATE = 8


@attrs.define(eq=False)
class User:
    """One connection's identity; it is known in the reception and at tables alike."""

    key: Uuid
    settings: Settings
    strikes: int = 0
    _created: list[Lobby] = attrs.field(factory=list)
    _past_lobby: Uuid | None = None  # it has started, or the server has closed it
    _past_game: Uuid | None = None
    _late: int = 0  # messages about either that were ignored

    @property
    def lobbies(self) -> list[Lobby]:
        """The lobbies it has created that are still there."""
        return [lobby for lobby in self._created if lobby.open]

    def own(self, lobby: Lobby) -> None:
        # What is closed is forgotten here, so that playing on for days needs no more memory.
        self._created = [*self.lobbies, lobby]

    def objection(self, message: Any) -> str | None:
        """Why a message is invalid whatever the moment, if it is."""
        if isinstance(message, Malformed):
            return message.reason
        if not isinstance(message, ClientMessage):
            return f"{type(message).__name__} is a message of the server."
        if message.user_id != self.key:
            return f"userId {message.user_id} is not the one of this connection"
        return None

    def strike(self) -> Strike:
        self.strikes += 1
        return Strike(strike_count=self.strikes, max_strike_count=self.settings.max_strikes)

    @property
    def struck_out(self) -> bool:
        """With a maximum of ten, the tenth strike is the end, as the standard's example has it."""
        return self.strikes >= self.settings.max_strikes

    def leave_lobby(self, lobby_id: Uuid) -> None:
        """Its lobby is over; messages may still name it."""
        self._past_lobby, self._late = lobby_id, 0

    def leave_game(self, game_id: Uuid) -> None:
        """Its game is over; messages may still name it."""
        self._past_game, self._late = game_id, 0

    def comes_late(self, message: Any) -> bool:
        """Whether a message names the lobby or game that is just over, and may be ignored.

        Not without end: a client that goes on about it has lost track of what it is doing.
        """
        if not (self.settings.lenient_races and self._names_the_past(message)):
            return False
        self._late += 1
        return self._late <= MOST_LATE

    def _names_the_past(self, message: Any) -> bool:
        match message:
            case LeaveLobby(lobby_id=lobby_id) | StartGame(lobby_id=lobby_id):
                return lobby_id == self._past_lobby
            case LeaveGame(game_id=game_id) | GameMove(game_id=game_id):
                return game_id == self._past_game
        return False
