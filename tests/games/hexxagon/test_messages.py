"""Hexxagon messages on the wire, byte by byte."""

import random
from datetime import datetime

import orjson
import pytest

from games.hexxagon.codec import CODEC, format_date, parse_date, write_board
from games.hexxagon.listing import _size
from games.hexxagon.messages import (
    MESSAGES,
    NIL,
    REQUESTS,
    TILE_NAMES,
    AvailableLobbies,
    Board,
    ClientMessage,
    GameStatus,
    Lobby,
    ServerMessage,
    Strike,
    Tile,
    Uuid,
    Welcome,
)
from ludothek.contract.codec import Malformed

USER = "301a0c7d-3cba-4642-8b52-53a6f189a81b"


@pytest.mark.parametrize(
    ("date", "text"),
    [
        (datetime(2019, 7, 15, 13, 46, 54), "Jul 15, 2019 1:46:54 PM"),
        (datetime(2026, 1, 5, 0, 5, 0), "Jan 5, 2026 12:05:00 AM"),
        (datetime(2026, 12, 31, 12, 0, 9), "Dec 31, 2026 12:00:09 PM"),
        (datetime(2026, 3, 1, 11, 59, 59), "Mar 1, 2026 11:59:59 AM"),
        (datetime(2026, 10, 9, 23, 1, 2), "Oct 9, 2026 11:01:02 PM"),
    ],
)
def test_dates_look_as_java_8_wrote_them(date: datetime, text: str) -> None:
    assert format_date(date) == text
    assert parse_date(text, datetime) == date


def test_the_receivers_id_stands_behind_the_message_type() -> None:
    frame = CODEC.encode(Strike(strike_count=3, max_strike_count=10))
    assert CODEC.address(frame, USER) == (
        b'{"messageType":"Strike","userId":"301a0c7d-3cba-4642-8b52-53a6f189a81b",'
        b'"strikeCount":3,"maxStrikeCount":10}'
    )


def test_every_message_type_of_the_standard_is_there() -> None:
    """«Der Datentyp MessageType ist ein Enum, welcher alle Nachrichtentypen aufführt.»"""
    server = {name for name, cls in MESSAGES.items() if issubclass(cls, ServerMessage)}
    client = {name for name, cls in MESSAGES.items() if issubclass(cls, ClientMessage)}
    assert server == {
        "Welcome",
        "AvailableLobbies",
        "LobbyCreated",
        "LobbyJoined",
        "LobbyStatus",
        "GameStarted",
        "GameStatus",
        "Strike",
    }
    assert client == {
        "GetAvailableLobbies",
        "CreateNewLobby",
        "JoinLobby",
        "LeaveLobby",
        "StartGame",
        "GameMove",
        "LeaveGame",
    }


def test_what_only_servers_say_is_not_even_read_from_clients() -> None:
    for name in set(MESSAGES) - REQUESTS:
        frame = orjson.dumps(
            {"messageType": name, "userId": USER, "availableLobbies": "a" * 60_000}
        )
        assert CODEC.decode_request(frame) == Malformed(f"{name} is a message of the server.")
    welcome = CODEC.encode(Welcome(welcome_message="Hi"))
    assert isinstance(CODEC.decode(welcome), Welcome)
    assert isinstance(CODEC.decode_request(welcome), Malformed)


def test_upper_case_ids_are_the_same_ids() -> None:
    frame = b'{"messageType":"LeaveGame","userId":"%b","gameId":"%b"}'
    lower, upper = USER.encode(), USER.upper().encode()
    assert CODEC.decode(frame % (upper, upper)) == CODEC.decode(frame % (lower, lower))


@pytest.mark.parametrize("name", ["x" * 64, '"' * 64, "\\" * 64, "🏁" * 64, "é" * 64])
def test_a_lobby_never_takes_more_bytes_than_estimated(name: str) -> None:
    key = Uuid(USER)
    date = datetime(2026, 12, 31, 12, 59, 59)
    lobby = Lobby(key, name, date, False, key, key, name, name)
    none = CODEC.encode(AvailableLobbies(available_lobbies=[]))
    one = CODEC.encode(AvailableLobbies(available_lobbies=[lobby]))
    assert len(one) - len(none) < _size(lobby)


@pytest.mark.parametrize("winner", [None, Uuid(USER)])
@pytest.mark.parametrize("last", [None, Tile(7)])
@pytest.mark.parametrize("name", ["Ann", 'a "quoted" \\ name', "🏁"])
def test_a_status_by_hand_is_the_status_of_the_codec(
    winner: Uuid | None, last: Tile | None, name: str
) -> None:
    key, date = Uuid(USER), datetime(2026, 12, 31, 12, 59, 59)
    status = GameStatus(
        game_id=key,
        player_one=key,
        player_two=key,
        player_one_user_name=name,
        player_two_user_name="Bob",
        player_one_left=winner is None,
        player_two_left=False,
        player_one_points=3,
        player_two_points=12,
        board=Board(one=int("1" + "0101" * 15, 2), two=int("0110" * 15, 2)),
        turn=5,
        last_move_from=last,
        last_move_to=last,
        creation_date=date,
        action_date=date,
        active_player=key,
        tie=False,
        winner=winner,
        is_closed=True,
    )
    plain = {"messageType": "GameStatus", "userId": NIL, **CODEC._writers[GameStatus](status)}
    assert CODEC.encode(status) == orjson.dumps(plain)


def test_a_board_is_written_as_its_text_says() -> None:
    rng = random.Random(1)
    words = {".": "FREE", "1": "PLAYERONE", "2": "PLAYERTWO", "B": "BLOCKED"}
    for _ in range(200):  # with parts that were never written before, and with known ones
        board = Board(one=rng.getrandbits(61), two=rng.getrandbits(61))
        tiles = orjson.loads(orjson.dumps(write_board(board)))["tiles"]
        assert [*tiles.items()] == [
            (name, words[sign]) for name, sign in zip(TILE_NAMES.values(), board.text, strict=True)
        ]


MOVE = {
    "messageType": "GameMove",
    "userId": USER,
    "gameId": USER.upper(),
    "moveFrom": "TILE_1",
    "moveTo": "TILE_61",
}


@pytest.mark.parametrize(
    "value", [None, 5, 5.0, True, "", "TILE_62", USER[1:], [USER], {}, "é" * 36]
)
@pytest.mark.parametrize("field", [*MOVE, "more"])
def test_a_move_by_hand_is_the_move_of_the_reader(field: str, value: object) -> None:
    for told in (MOVE, {**MOVE, field: value}, {k: v for k, v in MOVE.items() if k != field}):
        frame = orjson.dumps(told)
        assert CODEC.decode_request(frame) == CODEC.decode(frame)
