"""Reading and writing Hexxagon messages as flat JSON objects."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cache, lru_cache
from operator import getitem
from typing import Any

import cattrs
import orjson

from games.hexxagon.messages import (
    MESSAGES,
    NIL,
    REQUESTS,
    TILE_NAMES,
    TILE_STATES,
    TILES,
    AvailableLobbies,
    Board,
    GameMove,
    GameStatus,
    Strike,
    Tile,
    Uuid,
)
from ludothek.contract.codec import (
    CannotRead,
    Malformed,
    MessageReader,
    WrittenOnce,
    read_object,
    read_request,
    shown,
    wire_converter,
)
from ludothek.contract.flaws import Unexpected
from transports import Complaint

_NIL = NIL.encode()

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DATE = re.compile(rf"({'|'.join(_MONTHS)}) (\d+), (\d+) (\d+):(\d+):(\d+) (AM|PM)", re.ASCII)


@lru_cache(256)
def format_date(date: datetime) -> str:
    """A date as Gson on Java 8 wrote it: ``Jul 15, 2019 1:46:54 PM``.

    Spelled out by hand, since the names of the C library depend on the locale, and newer Java
    versions put a narrow no-break space before AM and PM that older ones cannot read.
    """
    half = "AM" if date.hour < 12 else "PM"
    hour = date.hour % 12 or 12
    month = _MONTHS[date.month - 1]
    return f"{month} {date.day}, {date.year} {hour}:{date.minute:02}:{date.second:02} {half}"


def parse_date(text: Any, _: Any) -> datetime:
    found = _DATE.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise ValueError(f"not a date: {shown(text)}")
    month, half = _MONTHS.index(found[1]) + 1, 12 * (found[7] == "PM")
    day, year, hour, minute, second = map(int, found.groups()[1:6])
    return datetime(year, month, day, hour % 12 + half, minute, second)


def _read_uuid(value: Any, _: Any) -> Uuid:
    try:
        return _known_uuid(value)
    except (TypeError, ValueError):
        raise Unexpected("a UUID", value) from None


@lru_cache(4096)
def _known_uuid(value: Any) -> Uuid:
    """A UUID that is repeated in every message of a client is parsed only once.

    Raises:
      TypeError, ValueError: it is none, which is not remembered.
    """
    # Upper case is the same id: java.util.UUID compares numbers, not text.
    if len(value) != len(NIL) or not _UUID.fullmatch(lower := value.lower()):
        raise ValueError
    return Uuid(lower)


def _read_tile(value: Any, _: Any) -> Tile:
    try:
        return TILES[value]
    except (KeyError, TypeError):
        raise Unexpected("TILE_1 to TILE_61", value) from None


def _setup(converter: cattrs.Converter) -> None:
    converter.register_structure_hook(Uuid, _read_uuid)
    converter.register_structure_hook(Tile, _read_tile)
    converter.register_structure_hook(datetime, parse_date)
    converter.register_structure_hook(Board, _read_board)
    converter.register_unstructure_hook(Tile, TILE_NAMES.__getitem__)
    converter.register_unstructure_hook(datetime, format_date)
    converter.register_unstructure_hook(Board, write_board)


def _read_move(value: Mapping[str, Any]) -> GameMove | None:
    """A move as the reader would read it, but by hand: it is nearly all that clients send.

    None if there is anything wrong with it, which the reader can explain.
    """
    try:
        return GameMove(
            _known_uuid(value["userId"]),
            _known_uuid(value["gameId"]),
            TILES[value["moveFrom"]],
            TILES[value["moveTo"]],
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def _eight_tiles(first: int, one: int, two: int) -> str:
    """Eight tiles as they are written on the wire, from their bits in the masks of a board."""
    names = [TILE_NAMES[Tile(n)] for n in range(first, min(first + 8, 62))]
    states = [TILE_STATES[(one >> n & 1) + 2 * (two >> n & 1)] for n in range(8)]
    return ",".join(f'"{name}":"{state}"' for name, state in zip(names, states, strict=False))


# A board is two thirds of a status, and most of it stays the same from move to move. So it is
# assembled from parts, which are found by the bytes of both masks and made when they are first
# needed. (Dictionaries that fill themselves would be looked up far more slowly.)
_PARTS: Sequence[Sequence[dict[int, str]]] = [[{} for _ in range(256)] for _ in range(8)]


def _write_tiles(board: Board) -> str:
    ones, twos = board.one.to_bytes(8, "little"), board.two.to_bytes(8, "little")
    try:
        return ",".join(map(getitem, map(getitem, _PARTS, ones), twos))
    except KeyError:
        return ",".join(map(_part, range(8), ones, twos))


def _part(place: int, one: int, two: int) -> str:
    known = _PARTS[place][one]
    if two not in known:
        known[two] = _eight_tiles(8 * place + 1, one, two)
    return known[two]


def write_board(board: Board) -> dict[str, orjson.Fragment]:
    return {"tiles": orjson.Fragment(f"{{{_write_tiles(board)}}}")}


_WORDS = {False: "false", True: "true"}

# What a status says about the last move; there may be none.
_CAME: dict[Tile | None, str] = {
    tile: f',"lastMoveFrom":"{name}"' for tile, name in TILE_NAMES.items()
}
_WENT: dict[Tile | None, str] = {
    tile: f',"lastMoveTo":"{name}"' for tile, name in TILE_NAMES.items()
}
_CAME[None] = _WENT[None] = ""


@lru_cache(1024)
def _heading(
    game: Uuid, one: Uuid, two: Uuid, name_one: str, name_two: str, left_one: bool, left_two: bool
) -> str:
    """How all statuses of a match begin until somebody leaves it."""
    return (
        f'{{"messageType":"GameStatus","userId":"{NIL}","gameId":"{game}",'
        f'"playerOne":"{one}","playerTwo":"{two}",'
        f'"playerOneUserName":{_quoted(name_one)},"playerTwoUserName":{_quoted(name_two)},'
        f'"playerOneLeft":{_WORDS[left_one]},"playerTwoLeft":{_WORDS[left_two]}'
    )


def _quoted(name: str) -> str:
    return orjson.dumps(name).decode()


@lru_cache(1024)
def _dates(created: datetime, acted: datetime) -> str:
    """The dates of all statuses of a match within a second."""
    return f'"creationDate":"{format_date(created)}","actionDate":"{format_date(acted)}"'


def write_status(status: GameStatus) -> bytes:
    """A status as the codec would write it, but by hand: it is nearly all that the server sends."""
    heading = _heading(
        status.game_id,
        status.player_one,
        status.player_two,
        status.player_one_user_name,
        status.player_two_user_name,
        status.player_one_left,
        status.player_two_left,
    )
    won = f',"winner":"{status.winner}"' if status.winner else ""
    return (
        f'{heading},"playerOnePoints":{status.player_one_points},'
        f'"playerTwoPoints":{status.player_two_points},'
        f'"board":{{"tiles":{{{_write_tiles(status.board)}}}}},"turn":{status.turn},'
        f"{_dates(status.creation_date, status.action_date)},"
        f'"activePlayer":"{status.active_player}","tie":{_WORDS[status.tie]},'
        f'"isClosed":{_WORDS[status.is_closed]}{_CAME[status.last_move_from]}'
        f"{_WENT[status.last_move_to]}{won}}}"
    ).encode()


def _read_board(value: Any, _: Any) -> Board:
    tiles = value["tiles"]
    states = [TILE_STATES.index(tiles[name]) for name in TILE_NAMES.values()]
    one, two = (sum(1 << n for n, state in enumerate(states) if state & bit) for bit in (1, 2))
    return Board(one, two)


@cache  # making one takes longer than reading a thousand messages
def _readers() -> tuple[MessageReader, MessageReader]:
    """Of all messages, and of those that clients send."""
    reader = MessageReader(MESSAGES, _setup, type_field="messageType")
    return reader, reader.only(REQUESTS)


@cache
def _writers() -> Mapping[type, Callable[[Any], Any]]:
    writer = wire_converter()
    _setup(writer)
    return {cls: writer.get_unstructure_hook(cls) for cls in MESSAGES.values()}


class HexxagonCodec:
    """Flat JSON objects that name their type; attributes that would be null are omitted."""

    def __init__(self, max_strikes: int = 10) -> None:
        self._last_strike = Strike(strike_count=max_strikes, max_strike_count=max_strikes)
        self._reader, self._request_reader = _readers()
        self._writers = _writers()
        self._write_list = WrittenOnce(self._write)

    def decode(self, frame: bytes) -> Any:
        try:
            value = read_object(frame)
            return self._reader.read(value.get("messageType"), value)
        except CannotRead as error:
            return Malformed(str(error), flaw=error.flaw)

    def decode_request(self, frame: bytes) -> Any:
        try:
            value = read_request(frame)
            if value.get("messageType") == "GameMove" and (move := _read_move(value)) is not None:
                return move
            return self._request_reader.read(value.get("messageType"), value)
        except CannotRead as error:
            return Malformed(str(error), flaw=error.flaw)

    def encode(self, message: Any) -> bytes:
        cls = type(message)
        if cls is GameStatus and message.user_id is None:  # filled in by `address`
            return write_status(message)
        return self._write_list(message) if cls is AvailableLobbies else self._write(message)

    def _write(self, message: Any) -> bytes:
        cls = type(message)
        value = {"messageType": cls.__name__, "userId": NIL}
        value.update(self._writers[cls](message))
        return orjson.dumps(value)

    def address(self, frame: bytes, key: str) -> bytes:
        """Put the receiver's user id where the first one is, after the message type.

        All receivers of a status get the same attributes except for this one, so a status is
        encoded once, and each receiver gets a copy with 36 bytes replaced.
        """
        return frame.replace(_NIL, key.encode(), 1)

    def refusal(self, complaint: Complaint) -> bytes | None:
        """The last strike, after which a connection ends; but no answer to silence."""
        return None if complaint is Complaint.SILENT else self.encode(self._last_strike)


CODEC = HexxagonCodec()
