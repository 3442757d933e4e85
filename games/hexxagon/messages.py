"""The messages of the Hexxagon network standard 0.6.1, in the order of the document."""

from datetime import datetime
from typing import NewType

from ludothek.contract.frozen import frozen

Uuid = NewType("Uuid", str)
Tile = NewType("Tile", int)

NIL = Uuid("00000000-0000-0000-0000-000000000000")


@frozen
class Lobby:
    lobby_id: Uuid
    lobby_name: str
    creation_date: datetime
    is_closed: bool
    player_one: Uuid | None = None
    player_two: Uuid | None = None
    player_one_user_name: str | None = None
    player_two_user_name: str | None = None


@frozen
class Board:
    """The tiles as two masks, of which bit n - 1 stands for TILE_n: stones of both players.

    Blocked tiles are in both.
    """

    one: int
    two: int

    @property
    def text(self) -> str:
        """The tiles in order, one character each: 1 and 2, B for blocked, . for free."""
        return "".join(".12B"[(self.one >> n & 1) + 2 * (self.two >> n & 1)] for n in range(61))


@frozen(kw_only=True)
class ServerMessage:
    """A message to a client; its user id, the receiver's own, is filled in when it is sent."""

    user_id: Uuid | None = None


@frozen
class ClientMessage:
    """A message from a client; each of them names its sender."""

    user_id: Uuid


@frozen(kw_only=True)
class Welcome(ServerMessage):
    welcome_message: str


@frozen
class GetAvailableLobbies(ClientMessage):
    pass


@frozen(kw_only=True)
class AvailableLobbies(ServerMessage):
    available_lobbies: list[Lobby]


@frozen
class CreateNewLobby(ClientMessage):
    lobby_name: str


@frozen(kw_only=True)
class LobbyCreated(ServerMessage):
    lobby_id: Uuid
    successfully_created: bool


@frozen
class JoinLobby(ClientMessage):
    lobby_id: Uuid
    user_name: str


@frozen(kw_only=True)
class LobbyJoined(ServerMessage):
    lobby_id: Uuid
    successfully_joined: bool


@frozen(kw_only=True)
class LobbyStatus(ServerMessage):
    lobby_id: Uuid
    lobby: Lobby


@frozen
class LeaveLobby(ClientMessage):
    lobby_id: Uuid


@frozen
class StartGame(ClientMessage):
    lobby_id: Uuid


@frozen(kw_only=True)
class GameStarted(ServerMessage):
    game_id: Uuid
    creation_date: datetime


@frozen
class GameStatus(ServerMessage):
    # Not only by keyword: naming so many fields takes three times as long, for every move.
    game_id: Uuid
    player_one: Uuid
    player_two: Uuid
    player_one_user_name: str
    player_two_user_name: str
    player_one_left: bool
    player_two_left: bool
    player_one_points: int
    player_two_points: int
    board: Board
    turn: int
    creation_date: datetime
    action_date: datetime
    active_player: Uuid
    tie: bool
    is_closed: bool
    last_move_from: Tile | None = None
    last_move_to: Tile | None = None
    winner: Uuid | None = None


@frozen
class GameMove(ClientMessage):
    game_id: Uuid
    move_from: Tile
    move_to: Tile


@frozen
class LeaveGame(ClientMessage):
    game_id: Uuid


@frozen(kw_only=True)
class Strike(ServerMessage):
    strike_count: int
    max_strike_count: int


MESSAGES = {
    message.__name__: message
    for message in (
        Welcome,
        GetAvailableLobbies,
        AvailableLobbies,
        CreateNewLobby,
        LobbyCreated,
        JoinLobby,
        LobbyJoined,
        LobbyStatus,
        LeaveLobby,
        StartGame,
        GameStarted,
        GameStatus,
        GameMove,
        LeaveGame,
        Strike,
    )
}

# What clients may say.
REQUESTS = {name for name, message in MESSAGES.items() if issubclass(message, ClientMessage)}

TILE_NAMES = {Tile(n): f"TILE_{n}" for n in range(1, 62)}
TILE_OF = (Tile(0), *TILE_NAMES)  # by number; entry 0 is unused
TILES = {name: tile for tile, name in TILE_NAMES.items()}
TILE_STATES = ("FREE", "PLAYERONE", "PLAYERTWO", "BLOCKED")
