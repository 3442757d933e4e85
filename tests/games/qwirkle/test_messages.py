"""The lines of Qwirkle: the library's bytes, and what is accepted although it looks different."""

from typing import Any

import orjson
import pytest

from games.qwirkle.codec import QwirkleCodec, Unparsable
from games.qwirkle.configuration import Configuration, Milliseconds, SlowMove, WrongMove
from games.qwirkle.messages import (
    MESSAGES,
    REQUESTS,
    AbortGame,
    AccessDenied,
    BagRequest,
    BagResponse,
    ClientInfo,
    ClientType,
    ConnectAccepted,
    ConnectRequest,
    CurrentPlayer,
    EndGame,
    GameDataRequest,
    GameDataResponse,
    GameInfo,
    GameJoinAccepted,
    GameJoinRequest,
    GameListRequest,
    GameListResponse,
    GameState,
    LeavingPlayer,
    LeavingRequest,
    Message,
    MessageSend,
    MessageSignal,
    MoveValid,
    NotAllowed,
    ParsingError,
    PauseGame,
    PlayerHandsRequest,
    PlayerHandsResponse,
    PlayTiles,
    ResumeGame,
    ScoreRequest,
    ScoreResponse,
    SendTiles,
    SpectatorJoinAccepted,
    SpectatorJoinRequest,
    StartGame,
    StartTiles,
    TileOnPosition,
    TileSwapRequest,
    TileSwapResponse,
    TileSwapValid,
    TotalTimeRequest,
    TotalTimeResponse,
    TurnTimeLeftRequest,
    TurnTimeLeftResponse,
    Update,
    Winner,
)
from games.qwirkle.rules import Tile
from games.qwirkle.settings import Coordinates, Maps, Nulls, Settings
from ludothek.contract.flaws import FlawKind

LIBRARY = QwirkleCodec(Settings(coordinates=Coordinates.LIBRARY))

ANNA = ClientInfo(1, "Anna", ClientType.PLAYER)
BERT = ClientInfo(2, "Bert", ClientType.PLAYER)
TILE = Tile(0, 3, 17)
PLACED = TileOnPosition(0, -1, TILE)
CONFIG = Configuration(
    color_shape_count=6,
    tile_count=3,
    max_hand_tiles=6,
    turn_time=Milliseconds(30000),
    time_visualization=Milliseconds(1000),
    wrong_move=WrongMove.POINT_LOSS,
    wrong_move_penalty=2,
    slow_move=SlowMove.KICK,
    slow_move_penalty=3,
    max_player_number=4,
)
GAME = GameInfo(7, "Spiel 1", GameState.NOT_STARTED, False, [ANNA], CONFIG)

ANNA_TEXT = '{"clientId":1,"clientName":"Anna","clientType":"PLAYER"}'
BERT_TEXT = '{"clientId":2,"clientName":"Bert","clientType":"PLAYER"}'
TILE_TEXT = '{"color":0,"shape":3,"uniqueId":17}'
PLACED_TEXT = '{"coordX":0,"coordY":-1,"tile":' + TILE_TEXT + "}"
CONFIG_TEXT = (
    '{"colorShapeCount":6,"tileCount":3,"maxHandTiles":6,"turnTime":30000,'
    '"timeVisualization":1000,"wrongMove":"POINT_LOSS","wrongMovePenalty":2,"slowMove":"KICK",'
    '"slowMovePenalty":3,"maxPlayerNumber":4}'
)
GAME_TEXT = (
    '{"gameId":7,"gameName":"Spiel 1","gameState":"NOT_STARTED","isTournament":false,"players":['
    + ANNA_TEXT
    + '],"config":'
    + CONFIG_TEXT
    + "}"
)

LINES: list[tuple[Message, str]] = [
    (
        ConnectRequest("Anna", ClientType.PLAYER),
        '{"clientName":"Anna","clientType":"PLAYER","uniqueId":100}',
    ),
    (ConnectAccepted(1), '{"clientId":1,"uniqueId":101}'),
    (GameListRequest(), '{"uniqueId":300}'),
    (GameListResponse([GAME]), '{"games":[' + GAME_TEXT + '],"uniqueId":301}'),
    (GameListResponse([]), '{"games":[],"uniqueId":301}'),
    (GameJoinRequest(7), '{"gameId":7,"uniqueId":302}'),
    (GameJoinAccepted(GAME), '{"game":' + GAME_TEXT + ',"uniqueId":303}'),
    (SpectatorJoinRequest(7), '{"gameId":7,"uniqueId":304}'),
    (SpectatorJoinAccepted(GAME), '{"game":' + GAME_TEXT + ',"uniqueId":305}'),
    (MessageSend("hi"), '{"message":"hi","uniqueId":306}'),
    (MessageSignal("hi", ANNA), '{"message":"hi","client":' + ANNA_TEXT + ',"uniqueId":307}'),
    (
        StartGame(CONFIG, [ANNA, BERT]),
        '{"config":'
        + CONFIG_TEXT
        + ',"clients":['
        + ANNA_TEXT
        + ","
        + BERT_TEXT
        + '],"uniqueId":400}',
    ),
    (EndGame(), '{"uniqueId":401}'),
    (AbortGame(), '{"uniqueId":402}'),
    (PauseGame(), '{"uniqueId":403}'),
    (ResumeGame(), '{"uniqueId":404}'),
    (LeavingRequest(), '{"uniqueId":405}'),
    (LeavingPlayer(ANNA), '{"client":' + ANNA_TEXT + ',"uniqueId":406}'),
    (
        Winner(ANNA, 12, {ANNA: 12, BERT: -3}),
        '{"client":'
        + ANNA_TEXT
        + ',"score":12,"leaderboard":[['
        + ANNA_TEXT
        + ",12],["
        + BERT_TEXT
        + ',-3]],"uniqueId":407}',
    ),
    (StartTiles([TILE]), '{"tiles":[' + TILE_TEXT + '],"uniqueId":408}'),
    (CurrentPlayer(ANNA), '{"client":' + ANNA_TEXT + ',"uniqueId":409}'),
    (SendTiles([TILE]), '{"tiles":[' + TILE_TEXT + '],"uniqueId":410}'),
    (TileSwapRequest([TILE]), '{"tiles":[' + TILE_TEXT + '],"uniqueId":411}'),
    (TileSwapValid(True), '{"validation":true,"uniqueId":412}'),
    (TileSwapResponse([TILE]), '{"tiles":[' + TILE_TEXT + '],"uniqueId":413}'),
    (PlayTiles([PLACED]), '{"tiles":[' + PLACED_TEXT + '],"uniqueId":414}'),
    (MoveValid(False, "reason"), '{"validation":false,"message":"reason","uniqueId":415}'),
    (MoveValid(True), '{"validation":true,"uniqueId":415}'),
    (
        Update([PLACED], 90),
        '{"updates":[' + PLACED_TEXT + '],"numberTilesInBag":90,"uniqueId":416}',
    ),
    (ScoreRequest(), '{"uniqueId":417}'),
    (
        ScoreResponse({ANNA: 12, BERT: -3}),
        '{"scores":[[' + ANNA_TEXT + ",12],[" + BERT_TEXT + ',-3]],"uniqueId":418}',
    ),
    (ScoreResponse({}), '{"scores":{},"uniqueId":418}'),
    (TurnTimeLeftRequest(), '{"uniqueId":419}'),
    (TurnTimeLeftResponse(Milliseconds(12345)), '{"time":12345,"uniqueId":420}'),
    (TotalTimeRequest(), '{"uniqueId":421}'),
    (TotalTimeResponse(Milliseconds(9)), '{"time":9,"uniqueId":422}'),
    (BagRequest(), '{"uniqueId":423}'),
    (BagResponse([TILE]), '{"bag":[' + TILE_TEXT + '],"uniqueId":424}'),
    (PlayerHandsRequest(), '{"uniqueId":425}'),
    (
        PlayerHandsResponse({ANNA: [TILE], BERT: []}),
        '{"hands":[[' + ANNA_TEXT + ",[" + TILE_TEXT + "]],[" + BERT_TEXT + ',[]]],"uniqueId":426}',
    ),
    (GameDataRequest(), '{"uniqueId":498}'),
    (
        GameDataResponse(
            board=[PLACED], current_client=ANNA, own_tiles=[TILE], game_state=GameState.IN_PROGRESS
        ),
        '{"board":['
        + PLACED_TEXT
        + '],"currentClient":'
        + ANNA_TEXT
        + ',"ownTiles":['
        + TILE_TEXT
        + '],"gameState":"IN_PROGRESS","uniqueId":499}',
    ),
    (
        GameDataResponse(board=[], own_tiles=[], game_state=GameState.NOT_STARTED),
        '{"board":[],"ownTiles":[],"gameState":"NOT_STARTED","uniqueId":499}',
    ),
    (AccessDenied("text", 414), '{"message":"text","causeId":414,"uniqueId":900}'),
    (ParsingError("text", 0), '{"message":"text","causeId":0,"uniqueId":910}'),
    (NotAllowed("text", 302), '{"message":"text","causeId":302,"uniqueId":920}'),
]

every_line = pytest.mark.parametrize(
    ("message", "line"), [pytest.param(m, line, id=type(m).__name__) for m, line in LINES]
)


@every_line
def test_messages_have_the_library_s_bytes(message: Message, line: str) -> None:
    assert LIBRARY.encode(message).decode() == line


@every_line
def test_the_library_s_bytes_are_read(message: Message, line: str) -> None:
    assert LIBRARY.decode(line.encode()) == message


def test_every_message_of_the_document_is_covered() -> None:
    assert {type(message) for message, _ in LINES} == set(MESSAGES.values())


def test_gson_escapes_more_than_json_asks_for() -> None:
    line = LIBRARY.encode(MessageSend("<b>'1' = \u2028 & \"ü\"</b>"))
    escaped = r"\u003cb\u003e\u00271\u0027 \u003d \u2028 \u0026 \"ü\"\u003c/b\u003e"
    assert line.decode() == '{"message":"' + escaped + '","uniqueId":306}'
    assert LIBRARY.decode(line) == MessageSend("<b>'1' = \u2028 & \"ü\"</b>")


# What may be written differently


def write(message: Message, **settings: Any) -> Any:
    return orjson.loads(QwirkleCodec(Settings(**settings)).encode(message))


@pytest.mark.parametrize(
    ("coordinates", "names"),
    [
        (Coordinates.BOTH, ["coordX", "coordY", "x", "y", "tile"]),
        (Coordinates.LIBRARY, ["coordX", "coordY", "tile"]),
        (Coordinates.DOCUMENT, ["x", "y", "tile"]),
    ],
)
def test_coordinates_can_be_called_as_the_document_does(
    coordinates: Coordinates, names: list[str]
) -> None:
    (placed,) = write(Update([PLACED], 1), coordinates=coordinates)["updates"]
    assert list(placed) == names
    assert {placed[name] for name in names[:-1]} == {0, -1}


def test_maps_can_be_objects() -> None:
    message = write(ScoreResponse({ANNA: 12, BERT: -3}), maps=Maps.OBJECT)
    assert message["scores"] == {"1": 12, "2": -3}


def test_nulls_can_be_written() -> None:
    message = write(MoveValid(True), nulls=Nulls.EXPLICIT)
    assert message == {"validation": True, "message": None, "uniqueId": 415}


# What is accepted although the library would not write it


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"uniqueID":300}', GameListRequest()),
        (b'{"id":300}', GameListRequest()),
        (b'{"uniqueId":"300"}', GameListRequest()),
        (b'{"uniqueId":300.0}', GameListRequest()),
        (b' {"uniqueId" : 300 } ', GameListRequest()),
        (b'{"uniqueId":300,"unknown":[1,{"x":2}]}', GameListRequest()),
        (b'{"uniqueId":302,"gameID":7}', GameJoinRequest(7)),
        (b'{"uniqueId":304,"gameId":"7"}', SpectatorJoinRequest(7)),
        (b'{"uniqueId":304,"gameId":-1}', SpectatorJoinRequest(-1)),
        (
            b'{"uniqueId":414,"tiles":[{"x":0,"y":"-1","tile":{"color":0,"shape":3,"id":17}}]}',
            PlayTiles([PLACED]),
        ),
        (
            b'{"uniqueId":411,"tiles":[{"color":"0","shape":"+3","uniqueID":17}]}',
            TileSwapRequest([TILE]),
        ),
        (
            b'{"uniqueId":100,"clientName":"","clientType":"player"}',
            ConnectRequest("", ClientType.PLAYER),
        ),
        (
            b'{"uniqueId":100,"clientName":"A","clientType":"ENGINE_PLAYER"}',
            ConnectRequest("A", ClientType.PLAYER),
        ),
        (
            b'{"uniqueId":100,"clientName":"A","clientType":"EnginePlayer"}',
            ConnectRequest("A", ClientType.PLAYER),
        ),
        (
            b'{"uniqueId":100,"clientName":"M\xfcller","clientType":"SPECTATOR"}',
            ConnectRequest("M\ufffdller", ClientType.SPECTATOR),
        ),
        (b'{"uniqueId":910}', ParsingError("", 0)),
        (b'{"uniqueId":900,"message":7,"causeId":"x"}', AccessDenied("", 0)),
        (b'{"uniqueId":418,"scores":[]}', ScoreResponse({})),
        (
            b'{"uniqueId":418,"scores":{"1":5}}',
            ScoreResponse({ClientInfo(1, "", ClientType.PLAYER): 5}),
        ),
    ],
)
def test_other_dialects_are_understood(line: bytes, message: Message) -> None:
    assert LIBRARY.decode(line) == message


@pytest.mark.parametrize(
    ("line", "cause_id"),
    [
        (b"garbage", 0),
        (b"", 0),
        (b"{", 0),
        (b'{"uniqueId":300', 0),
        (b"[]", 0),
        (b"null", 0),
        (b"300", 0),
        (b"{}", 0),
        (b'{"uniqueId":null}', 0),
        (b'{"uniqueId":true}', 0),
        (b'{"uniqueId":[300]}', 0),
        (b'{"uniqueId":300.5}', 0),
        (b'{"uniqueId":"three"}', 0),
        (b'{"uniqueId":99999999999}', 0),
        (b'{"uniqueId":123456789012345678901234567890}', 0),
        (b'{"uniqueId":999}', 999),
        (b'{"uniqueId":-5}', -5),
        (b'{"uniqueId":200}', 200),
        (b'{"uniqueId":100}', 100),
        (b'{"uniqueId":100,"clientName":"A"}', 100),
        (b'{"uniqueId":100,"clientType":"PLAYER"}', 100),
        (b'{"uniqueId":100,"clientName":7,"clientType":"PLAYER"}', 100),
        (b'{"uniqueId":100,"clientName":null,"clientType":"PLAYER"}', 100),
        (b'{"uniqueId":100,"clientName":"A","clientType":"KING"}', 100),
        (b'{"uniqueId":100,"clientName":"A","clientType":1}', 100),
        (b'{"uniqueId":302}', 302),
        (b'{"uniqueId":302,"gameId":null}', 302),
        (b'{"uniqueId":302,"gameId":"seven"}', 302),
        (b'{"uniqueId":302,"gameId":true}', 302),
        (b'{"uniqueId":304,"gameId":1.5}', 304),
        (b'{"uniqueId":304,"gameId":4294967296}', 304),
        (b'{"uniqueId":306}', 306),
        (b'{"uniqueId":306,"message":5}', 306),
        (b'{"uniqueId":411}', 411),
        (b'{"uniqueId":411,"tiles":null}', 411),
        (b'{"uniqueId":411,"tiles":{}}', 411),
        (b'{"uniqueId":411,"tiles":""}', 411),
        (b'{"uniqueId":411,"tiles":[null]}', 411),
        (b'{"uniqueId":411,"tiles":[17]}', 411),
        (b'{"uniqueId":411,"tiles":[{"color":0,"shape":3}]}', 411),
        (b'{"uniqueId":411,"tiles":[{"color":0,"shape":"x","uniqueId":17}]}', 411),
        (b'{"uniqueId":414,"tiles":[{"coordX":0,"coordY":0}]}', 414),
        (b'{"uniqueId":414,"tiles":[{"coordX":0,"tile":' + TILE_TEXT.encode() + b"}]}", 414),
        (b'{"uniqueId":414,"tiles":[{"coordX":0,"coordY":0,"tile":null}]}', 414),
        (b'{"uniqueId":414,"tiles":[' + TILE_TEXT.encode() + b"]}", 414),
    ],
)
def test_what_cannot_be_read_says_so_and_keeps_its_id(line: bytes, cause_id: int) -> None:
    message = LIBRARY.decode(line)
    assert isinstance(message, Unparsable)
    assert message.cause_id == cause_id
    assert message.reason


def test_a_byte_order_mark_is_skipped() -> None:
    """C# writes one before its first line, if it is told to write UTF-8."""
    assert LIBRARY.decode_request(b'\xef\xbb\xbf{"uniqueId":300}') == GameListRequest()


@pytest.mark.parametrize("number", sorted(MESSAGES.keys() - REQUESTS))
def test_what_only_servers_say_is_refused_without_a_look_at_it(number: int) -> None:
    for line in (b'{"uniqueId":%d}', b'{"uniqueId":%d,"games":7,"tiles":"x","client":[]}'):
        message = LIBRARY.decode_request(line % number)
        assert isinstance(message, Unparsable)
        assert message.flaw.kind is FlawKind.NOT_FOR_CLIENTS
        assert message.cause_id == number


def test_a_client_cannot_say_more_values_than_any_move_has() -> None:
    line = b'{"uniqueId":411,"tiles":[' + b"[]," * 8200 + b"[]]}"
    message = LIBRARY.decode_request(line)
    assert isinstance(message, Unparsable)
    assert message.reason == "more than 8192 values"
