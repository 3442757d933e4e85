"""A running match as its players see it."""

from datetime import datetime

import attrs

from games.hexxagon.messages import Board, GameStatus, Tile, Uuid
from games.hexxagon.rules import Side, State


@attrs.define
class Match:
    """The state of a game and all that a GameStatus tells about it."""

    game_id: Uuid
    players: dict[Side, Uuid]
    names: dict[Side, str]
    created: datetime
    state: State
    acted: datetime
    left: Side | None = None
    closed: bool = False

    @property
    def active(self) -> Uuid:
        return self.players[self.state.active]

    @property
    def winner(self) -> Uuid | None:
        """Whoever won by the rules or was left alone; nobody if the server ended the match."""
        if self.left is not None:
            return self.players[self.left.other]
        if self.state.outcome is None or self.state.outcome.winner is None:
            return None
        return self.players[self.state.outcome.winner]

    @property
    def tie(self) -> bool:
        return self.left is None and self.state.outcome is not None and self.winner is None

    def status(self) -> GameStatus:
        state = self.state
        return GameStatus(
            game_id=self.game_id,
            player_one=self.players[Side.PLAYERONE],
            player_two=self.players[Side.PLAYERTWO],
            player_one_user_name=self.names[Side.PLAYERONE],
            player_two_user_name=self.names[Side.PLAYERTWO],
            player_one_left=self.left is Side.PLAYERONE,
            player_two_left=self.left is Side.PLAYERTWO,
            player_one_points=state.points(Side.PLAYERONE),
            player_two_points=state.points(Side.PLAYERTWO),
            board=Board(state.to_text()),
            turn=state.turn,
            last_move_from=Tile(state.last.origin) if state.last else None,
            last_move_to=Tile(state.last.target) if state.last else None,
            creation_date=self.created,
            action_date=self.acted,
            active_player=self.active,
            tie=self.tie,
            winner=self.winner,
            is_closed=self.closed,
        )
