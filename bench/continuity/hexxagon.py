"""Hexxagon: each status is the one before plus the move that it names, by the rules."""

from collections.abc import Sequence
from typing import Any

from bench.continuity.gap import Answers, News, gap, require
from games.hexxagon import rules
from games.hexxagon.messages import (
    AvailableLobbies,
    CreateNewLobby,
    GameStarted,
    GameStatus,
    GetAvailableLobbies,
    JoinLobby,
    Lobby,
    LobbyCreated,
    LobbyJoined,
    LobbyStatus,
    StartGame,
    Strike,
    Uuid,
    Welcome,
)
from games.hexxagon.rules import Side


class HexxagonContinuity:
    """Nobody leaves a game here, so that each ends with a move."""

    def __init__(self) -> None:
        self._answers = Answers()
        self._me: Uuid | None = None
        self._arriving = False  # the next status of the lobby is the one that we have caused
        self._lobby: Lobby | None = None
        self._starting = False
        self._game: Uuid | None = None
        self._state: rules.State | None = None  # None: its first status has not come
        self._strikes = 0

    def said(self, message: Any) -> None:
        match message:
            case GetAvailableLobbies():
                self._answers.expect(AvailableLobbies)
            case CreateNewLobby():
                self._answers.expect(LobbyCreated)
            case JoinLobby():
                self._answers.expect(LobbyJoined)
            case StartGame():
                self._starting = True

    def heard(self, message: Any) -> None:
        if isinstance(message, Welcome):
            require(self._me is None, "welcome again")
            self._me = message.user_id
        require(self._me is not None, "no welcome")
        require(message.user_id == self._me, f"addressed to {message.user_id}")
        if self._game is not None and self._state is None:
            require(isinstance(message, GameStatus), "no status after the start of the game")
        match message:
            case AvailableLobbies() | LobbyCreated():
                self._answers.take(message)
            case LobbyJoined(successfully_joined=joined):
                self._answers.take(message)
                self._arriving = joined
            case LobbyStatus(lobby=lobby):
                self._look_at(lobby)
            case GameStarted(game_id=game_id):
                self._start(game_id)
            case GameStatus():
                self._follow(message)
            case Strike(strike_count=count):
                require(count == self._strikes + 1, f"strike {count} after {self._strikes}")
                self._strikes = count

    def news(self, message: Any, frame: bytes) -> News | None:
        if not isinstance(message, GameStatus):
            return None
        # The rest of the message is made from this, apart from whom it is addressed to.
        return News(f"turn {message.turn}", hash((message.board, message.action_date)))

    @property
    def owed(self) -> Sequence[str]:
        owed = self._answers.owed
        if self._arriving:
            owed.append("LobbyStatus")
        if self._starting or (self._game is not None and self._state is None):
            owed.append("the start of a game")
        return owed

    # Lobbies

    def _look_at(self, lobby: Lobby) -> None:
        if self._arriving:
            self._arriving = False
            last = _occupants(lobby)[-1:]
            require(last == [self._me] and not lobby.is_closed, "no status of our arrival")
        elif self._lobby is None:
            gap("status of a lobby that we are not in")
        else:
            before, after = set(_occupants(self._lobby)), set(_occupants(lobby))
            changes = len(before ^ after) + lobby.is_closed
            require(lobby.lobby_id == self._lobby.lobby_id, "status of another lobby")
            require(changes == 1, f"{changes} changes of a lobby at once")
        self._lobby = None if lobby.is_closed else lobby

    def _start(self, game_id: Uuid) -> None:
        require(not self._arriving, "no status of our arrival")
        require(self._game is None, "a game began within another")
        require(
            self._lobby is not None and len(_occupants(self._lobby)) == len(Side),
            "a game of a single player",
        )
        self._game, self._state, self._lobby = game_id, None, None
        self._starting = False

    # Games

    def _follow(self, status: GameStatus) -> None:
        require(self._game is not None, "status of a game that is not played")
        require(status.game_id == self._game, f"status of the game {status.game_id}")
        if self._state is None:
            self._state = rules.start()
        else:
            move = rules.Move(status.last_move_from or 0, status.last_move_to or 0)
            turn = self._state.turn
            require(status.turn == turn + 1, f"turn {status.turn} after turn {turn}")
            require(
                move in rules.legal_actions(self._state), f"turn {turn}: {move} is not possible"
            )
            self._state = rules.apply(self._state, move)
        self._compare(self._state, status)
        if status.is_closed:
            self._game = self._state = None

    def _compare(self, state: rules.State, status: GameStatus) -> None:
        players = {Side.PLAYERONE: status.player_one, Side.PLAYERTWO: status.player_two}
        winner = state.outcome.winner if state.outcome else None
        expected = {
            "turn": state.turn,
            "board": state.to_text(),
            "points": (state.points(Side.PLAYERONE), state.points(Side.PLAYERTWO)),
            "active player": players[state.active],
            "end": state.over,
            "winner": None if winner is None else players[winner],
        }
        found = {
            "turn": status.turn,
            "board": status.board.text,
            "points": (status.player_one_points, status.player_two_points),
            "active player": status.active_player,
            "end": status.is_closed,
            "winner": status.winner,
        }
        for name, value in expected.items():
            require(found[name] == value, f"turn {state.turn}: the {name} is not by the rules")


def _occupants(lobby: Lobby) -> list[Uuid]:
    return [each for each in (lobby.player_one, lobby.player_two) if each is not None]
