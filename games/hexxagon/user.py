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
from ludothek.codec import Malformed


@attrs.define(eq=False)
class User:
    """One connection's identity; it is known in the reception and at tables alike."""

    key: Uuid
    settings: Settings
    strikes: int = 0
    past_lobby: Uuid | None = None  # it has started, or the server has closed it
    past_game: Uuid | None = None

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

    def has_just_left(self, message: Any) -> bool:
        """Whether a message crossed with the start or end of what it names, and may be ignored."""
        if not self.settings.lenient_races:
            return False
        match message:
            case LeaveLobby(lobby_id=lobby_id) | StartGame(lobby_id=lobby_id):
                return lobby_id == self.past_lobby
            case LeaveGame(game_id=game_id) | GameMove(game_id=game_id):
                return game_id == self.past_game
        return False
