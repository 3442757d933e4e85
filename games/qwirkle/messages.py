"""The messages of the Paderborn interface document 1.1.0, in its order.

Attributes are declared in the order in which the committee's library writes them. The document
calls two of its classes Client and Game; here they are ClientInfo and GameInfo, since a client
and a game are something else to the rest of this program.
"""

import enum
from typing import ClassVar

from games.qwirkle.configuration import Configuration, Milliseconds
from games.qwirkle.rules import Tile
from ludothek.contract.frozen import frozen


class ClientType(enum.Enum):
    PLAYER = "PLAYER"
    SPECTATOR = "SPECTATOR"


class GameState(enum.Enum):
    NOT_STARTED = "NOT_STARTED"
    IN_PROGRESS = "IN_PROGRESS"
    PAUSED = "PAUSED"
    ENDED = "ENDED"


@frozen
class ClientInfo:
    client_id: int
    client_name: str
    client_type: ClientType


@frozen
class GameInfo:
    game_id: int
    game_name: str
    game_state: GameState
    is_tournament: bool
    players: list[ClientInfo]
    config: Configuration


@frozen
class TileOnPosition:
    coord_x: int
    coord_y: int
    tile: Tile


class Message:
    """Anything that goes over the wire; the id of its kind is its last attribute there."""

    unique_id: ClassVar[int]


class Request(Message):
    """What a client says."""


class News(Message):
    """What only the server says."""


# 4.1 Verbindung


@frozen
class ConnectRequest(Request):
    unique_id = 100
    client_name: str
    client_type: ClientType


@frozen
class ConnectAccepted(News):
    unique_id = 101
    client_id: int


# 4.2 Einem Spiel beitreten & Ingame Chat


@frozen
class GameListRequest(Request):
    unique_id = 300


@frozen
class GameListResponse(News):
    unique_id = 301
    games: list[GameInfo]


@frozen
class GameJoinRequest(Request):
    unique_id = 302
    game_id: int


@frozen
class GameJoinAccepted(News):
    unique_id = 303
    game: GameInfo


@frozen
class SpectatorJoinRequest(Request):
    unique_id = 304
    game_id: int


@frozen
class SpectatorJoinAccepted(News):
    unique_id = 305
    game: GameInfo


@frozen
class MessageSend(Request):
    unique_id = 306
    message: str


@frozen
class MessageSignal(News):
    unique_id = 307
    message: str
    client: ClientInfo


# 4.3 Spiellogik


@frozen
class StartGame(News):
    unique_id = 400
    config: Configuration
    clients: list[ClientInfo]


@frozen
class EndGame(News):
    unique_id = 401


@frozen
class AbortGame(News):
    unique_id = 402


@frozen
class PauseGame(News):
    unique_id = 403


@frozen
class ResumeGame(News):
    unique_id = 404


@frozen
class LeavingRequest(Request):
    unique_id = 405


@frozen
class LeavingPlayer(News):
    unique_id = 406
    client: ClientInfo


@frozen
class Winner(News):
    unique_id = 407
    client: ClientInfo
    score: int
    leaderboard: dict[ClientInfo, int]


@frozen
class StartTiles(News):
    unique_id = 408
    tiles: list[Tile]


@frozen
class CurrentPlayer(News):
    unique_id = 409
    client: ClientInfo


@frozen
class SendTiles(News):
    unique_id = 410
    tiles: list[Tile]


@frozen
class TileSwapRequest(Request):
    unique_id = 411
    tiles: list[Tile]

    @property
    def all_tiles(self) -> list[Tile]:
        return self.tiles


@frozen
class TileSwapValid(News):
    unique_id = 412
    validation: bool


@frozen
class TileSwapResponse(News):
    unique_id = 413
    tiles: list[Tile]


@frozen
class PlayTiles(Request):
    unique_id = 414
    tiles: list[TileOnPosition]

    @property
    def all_tiles(self) -> list[Tile]:
        return [placed.tile for placed in self.tiles]


@frozen
class MoveValid(News):
    unique_id = 415
    validation: bool
    message: str | None = None


@frozen
class Update(News):
    unique_id = 416
    updates: list[TileOnPosition]
    number_tiles_in_bag: int


@frozen
class ScoreRequest(Request):
    unique_id = 417


@frozen
class ScoreResponse(News):
    unique_id = 418
    scores: dict[ClientInfo, int]


@frozen
class TurnTimeLeftRequest(Request):
    unique_id = 419


@frozen
class TurnTimeLeftResponse(News):
    unique_id = 420
    time: Milliseconds


@frozen
class TotalTimeRequest(Request):
    unique_id = 421


@frozen
class TotalTimeResponse(News):
    unique_id = 422
    time: Milliseconds


@frozen
class BagRequest(Request):
    unique_id = 423


@frozen
class BagResponse(News):
    unique_id = 424
    bag: list[Tile]


@frozen
class PlayerHandsRequest(Request):
    unique_id = 425


@frozen
class PlayerHandsResponse(News):
    unique_id = 426
    hands: dict[ClientInfo, list[Tile]]


@frozen
class GameDataRequest(Request):
    unique_id = 498


@frozen(kw_only=True)
class GameDataResponse(News):
    unique_id = 499
    board: list[TileOnPosition]
    current_client: ClientInfo | None = None
    own_tiles: list[Tile]
    game_state: GameState


# 5 Fehlerbehandlung


@frozen
class Error(Message):
    message: str
    cause_id: int


@frozen
class AccessDenied(Error):
    unique_id = 900


@frozen
class ParsingError(Error):
    unique_id = 910


@frozen
class NotAllowed(Error):
    unique_id = 920


MESSAGES: dict[int, type[Message]] = {
    found.unique_id: found
    for found in tuple(globals().values())
    if isinstance(found, type) and issubclass(found, Message) and hasattr(found, "unique_id")
}

# What clients may say; also that they have not understood us.
REQUESTS = {number for number, cls in MESSAGES.items() if issubclass(cls, Request | Error)}
