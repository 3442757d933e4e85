"""Lines of JSON to messages and back: tolerant when reading, exact when writing."""

import enum
import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, get_args, get_origin

import attrs
import cattrs
import orjson

from games.qwirkle.configuration import INT, LONG, Milliseconds
from games.qwirkle.messages import (
    MESSAGES,
    REQUESTS,
    AccessDenied,
    BagResponse,
    ClientInfo,
    ClientType,
    ConnectAccepted,
    Error,
    GameInfo,
    GameJoinRequest,
    GameListResponse,
    Message,
    NotAllowed,
    ParsingError,
    PlayerHandsResponse,
    SpectatorJoinRequest,
    TileOnPosition,
)
from games.qwirkle.rules import Tile
from games.qwirkle.settings import Coordinates, Maps, Nulls, Settings
from ludothek.contract.codec import (
    CannotRead,
    Malformed,
    MessageReader,
    WrittenOnce,
    read_object,
    read_request,
    shown,
    wire_converter,
    without_mark,
)
from ludothek.contract.flaws import Flaw, FlawKind, Unexpected, pointer_to
from ludothek.contract.frozen import frozen
from transports import Complaint

# The library's names, and what the document or older versions call the same thing.
_ALIASES = {
    "uniqueId": ("uniqueID", "id"),
    "clientId": ("clientID",),
    "gameId": ("gameID",),
    "coordX": ("x",),
    "coordY": ("y",),
}

# Computer players had a type of their own up to version 1.0.
_OLD_TYPES = {"ENGINE_PLAYER": "PLAYER", "ENGINEPLAYER": "PLAYER"}

# How many bytes a line may grow by when it is converted to UTF-8, two for each letter that is lost:
# the parser takes memory in proportion to its length.
MAX_REPAIRS = 4096

_DIGITS = re.compile(r"[+-]?[0-9]{1,19}")

# What Gson escapes although JSON does not require it; none of it occurs outside of strings.
_GSON_ESCAPES = re.compile(rb"[<>&='] | \xe2\x80[\xa8\xa9]", re.VERBOSE)


@attrs.frozen
class Unparsable(Malformed):
    """A line that is not a message, and the id it claims to have; 0 if none."""

    cause_id: int


@frozen
class Tolerated:
    """A request that could be read, although the document has it differently."""

    message: Message
    flaw: Flaw


class QwirkleCodec:
    """One JSON object per line, as the committee's library 1.1.0 writes and reads them."""

    def __init__(self, settings: Settings) -> None:
        self._reader, self._request_reader = _readers()
        self._exact_reader = _exact_reader()
        self._omit_nulls = settings.nulls is Nulls.OMIT
        # What many may ask for again and again, and is slow to write.
        self._written = {
            GameListResponse: WrittenOnce(self._write_list),
            BagResponse: WrittenOnce(self._write),
            PlayerHandsResponse: WrittenOnce(self._write),
        }
        self._games: dict[int, tuple[GameInfo, bytes]] = {}  # of the last list, by identity
        self._writers = _writers(settings.maps, settings.coordinates)
        self._describe = self._writers[GameInfo]

    def decode(self, frame: bytes) -> Any:
        return _read(self._reader, read_object, frame)

    def decode_request(self, frame: bytes) -> Any:
        cause_id, value = 0, {}
        frame = without_mark(frame)
        try:
            text = _as_utf8(frame)
            value = read_request(text)
            message = self._exact_reader.attempt(_exact_name(value), value)
            if message is not None and text is frame:
                return message
            cause_id = _message_id(value)
            message = self._request_reader.examine(str(cause_id), value)
        except CannotRead as error:
            return _unparsable(error, cause_id, value)
        return Tolerated(message, self._dialect(value, repaired=text is not frame))

    def _dialect(self, value: dict[str, Any], *, repaired: bool) -> Flaw:
        """What is unusual about a message that can be read all the same."""
        if repaired:
            return Flaw.of_frame("not UTF-8")
        try:
            self._exact_reader.examine(str(_exact_id(value)), value)
        except CannotRead as error:
            return _as_sent(error.flaw, value)
        return Flaw.of_frame("unusual")  # the two readers disagree, which no client must suffer for

    def encode(self, message: Message) -> bytes:
        return self._written.get(type(message), self._write)(message)

    def _write(self, message: Message) -> bytes:
        value = self._writers[type(message)](message)
        if self._omit_nulls:
            value = {name: each for name, each in value.items() if each is not None}
        value["uniqueId"] = message.unique_id
        return _dumped(value)

    def _write_list(self, message: GameListResponse) -> bytes:
        """One piece per game: hardly any has changed since the last list."""
        known, self._games = self._games, {}
        for game in message.games:
            self._games[id(game)] = known.get(id(game)) or (game, self._write_game(game))
        pieces = b",".join([self._games[id(game)][1] for game in message.games])
        return b'{"games":[%b],"uniqueId":%d}' % (pieces, message.unique_id)

    def _write_game(self, game: GameInfo) -> bytes:
        return _dumped(self._describe(game))

    def address(self, frame: bytes, key: str) -> bytes:
        return frame

    def refusal(self, complaint: Complaint) -> bytes | None:
        return self.encode(NotAllowed(f"Verbindung getrennt: {complaint.value}.", 0))


def _read(reader: MessageReader, parse: Callable[[bytes], dict[str, Any]], frame: bytes) -> Any:
    cause_id, value = 0, {}
    try:
        value = parse(_as_utf8(frame))
        cause_id = _message_id(value)
        return reader.read(str(cause_id), value)
    except CannotRead as error:
        return _unparsable(error, cause_id, value)


def _unparsable(error: CannotRead, cause_id: int, value: dict[str, Any]) -> Unparsable:
    return Unparsable(str(error), cause_id, flaw=_as_sent(error.flaw, value))


def _as_sent(flaw: Flaw, value: dict[str, Any]) -> Flaw:
    """The flaw of a field under the name that the client has for it."""
    if flaw.pointer[1:] in value:
        return flaw  # as nearly always
    pointer = _as_named(flaw.pointer, value)
    if pointer == flaw.pointer:
        return flaw
    missing = flaw.kind in (FlawKind.MISSING, FlawKind.NO_TYPE)
    came = pointer.rpartition("/")[2] if missing else flaw.came
    return attrs.evolve(flaw, pointer=pointer, came=came)


def _as_named(pointer: str, value: Any) -> str:
    steps: list[str] = []
    for step in pointer.split("/")[1:]:
        if isinstance(value, dict):
            if step not in value:
                step = next((name for name in _ALIASES.get(step, ()) if name in value), step)
            steps.append(step)
            value = value.get(step)
        else:
            steps.append(step)
            value = value[int(step)]
    return pointer_to(*steps)


def _as_utf8(frame: bytes) -> bytes:
    """Names in another charset should cost their client a letter, not the connection."""
    if frame.isascii():
        return frame
    repaired = frame.decode("utf-8", "replace").encode()
    if len(repaired) > len(frame) + MAX_REPAIRS:
        raise CannotRead("not UTF-8")
    return frame if repaired == frame else repaired


def _dumped(value: dict[str, Any]) -> bytes:
    return _GSON_ESCAPES.sub(_escape, orjson.dumps(value))


def _escape(found: re.Match[bytes]) -> bytes:
    return b"\\u%04x" % ord(found[0].decode())


def _message_id(value: dict[str, Any]) -> int:
    for name in ("uniqueId", *_ALIASES["uniqueId"]):
        if name in value:
            try:
                return _read_int(value[name], int)
            except Unexpected as error:
                raise _no_id(
                    FlawKind.UNKNOWN_TYPE, f"{name}: {error}", shown(value[name])
                ) from None
    raise _no_id(FlawKind.NO_TYPE, "uniqueId is missing", "nothing")


def _exact_name(value: dict[str, Any]) -> str:
    number = value.get("uniqueId")
    return str(number) if type(number) is int else ""


def _exact_id(value: dict[str, Any]) -> int:
    number = value.get("uniqueId")
    if type(number) is int:
        return number
    if "uniqueId" in value:
        raise _no_id(FlawKind.WRONG, "uniqueId is no number", shown(number))
    raise _no_id(FlawKind.NO_TYPE, "uniqueId is missing", "nothing")


def _no_id(kind: FlawKind, text: str, came: str) -> CannotRead:
    flaw = Flaw(kind=kind, expected="the id of a message", came=came, pointer="/uniqueId")
    return CannotRead(text, flaw)


# Reading


@cache  # making one takes longer than reading a thousand messages
def _readers() -> tuple[MessageReader, MessageReader]:
    """Of all messages, and of those that clients send."""
    classes = {str(number): cls for number, cls in MESSAGES.items()}
    reader = MessageReader(classes, _tolerate, type_field="uniqueId")
    return reader, reader.only({str(number) for number in REQUESTS})


@cache
def _exact_reader() -> MessageReader:
    """Of requests as the document or the library has them, which is how nearly all of them are."""
    classes = {str(number): MESSAGES[number] for number in REQUESTS}
    return MessageReader(classes, _insist, type_field="uniqueId")


def _insist(converter: cattrs.Converter) -> None:
    converter.register_structure_hook(int, _exact_int)
    converter.register_structure_hook_func(_is_enum, _exact_enum)
    # The document calls the coordinates x and y, the library calls them coordX and coordY.
    converter.register_structure_hook(TileOnPosition, _alias_reader(converter, TileOnPosition))
    _accept_errors(converter)


def _tolerate(converter: cattrs.Converter) -> None:
    converter.register_structure_hook(int, _read_int)
    converter.register_structure_hook(Milliseconds, partial(_read_int, limit=LONG))
    converter.register_structure_hook_func(_is_enum, _read_enum)
    converter.register_structure_hook_factory(_is_map, partial(_map_reader, converter=converter))
    # Parts come first: a reader is built from the readers of its parts.
    for cls in (
        Tile,
        TileOnPosition,
        ClientInfo,
        GameInfo,
        ConnectAccepted,
        GameJoinRequest,
        SpectatorJoinRequest,
    ):
        converter.register_structure_hook(cls, _alias_reader(converter, cls))
    _accept_errors(converter)


def _accept_errors(converter: cattrs.Converter) -> None:
    for error in (AccessDenied, ParsingError, NotAllowed):
        converter.register_structure_hook(error, _error_reader(error))


def _exact_int(value: Any, _: Any) -> int:
    if type(value) is not int or not -INT - 1 <= value <= INT:
        raise Unexpected("a whole number", value)
    return value


def _exact_enum(value: Any, kind: type[enum.Enum]) -> enum.Enum:
    if not (isinstance(value, str) and value in kind.__members__):
        raise Unexpected(" or ".join(kind.__members__), value)
    return kind[value]


def _read_int(value: Any, _: Any, limit: int = INT) -> int:
    """A number as Java holds it; text made of digits is one, true is not."""
    if isinstance(value, str) and _DIGITS.fullmatch(value):
        value = int(value)
    elif isinstance(value, float) and value.is_integer():
        value = int(value)  # JSON has only one kind of number: 7.0 is 7
    if type(value) is not int:
        raise Unexpected("a whole number", value)
    if not -limit - 1 <= value <= limit:
        raise Unexpected(f"a number of {limit.bit_length() + 1} bits", value)
    return value


def _is_map(kind: Any) -> bool:
    origin: Any = get_origin(kind)
    return origin is dict


def _is_enum(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, enum.Enum)


def _read_enum(value: Any, kind: type[enum.Enum]) -> enum.Enum:
    name = value.upper() if isinstance(value, str) else ""
    if kind is ClientType:
        name = _OLD_TYPES.get(name, name)
    if name not in kind.__members__:
        raise Unexpected(" or ".join(kind.__members__), value)
    return kind[name]


def _map_reader(kind: Any, converter: cattrs.Converter) -> Callable[[Any, Any], dict[Any, Any]]:
    key, item = get_args(kind)
    read_key, read_item = map(converter.get_structure_hook, (key, item))

    def read(value: Any, _: Any) -> dict[Any, Any]:
        if isinstance(value, dict):  # a client is reduced to its id
            return {
                ClientInfo(_read_int(number, int), "", ClientType.PLAYER): read_item(each, item)
                for number, each in value.items()
            }
        return {read_key(client, key): read_item(each, item) for client, each in value}

    return read


def _alias_reader(converter: cattrs.Converter, cls: type) -> Callable[[Any, Any], Any]:
    read_strictly = converter.get_structure_hook(cls)

    def read(value: Any, _: Any) -> Any:
        if not isinstance(value, dict):
            raise Unexpected("an object", value)
        return read_strictly(_with_library_names(value), cls)

    return read


def _with_library_names(value: dict[str, Any]) -> dict[str, Any]:
    missing = {
        name: value[alias]
        for name, aliases in _ALIASES.items()
        if name not in value
        for alias in aliases
        if alias in value
    }
    return value | missing if missing else value


def _error_reader(cls: type[Error]) -> Callable[[Any, Any], Error]:
    """An error about an error helps nobody: whatever is in it, it is accepted."""

    def read(value: Any, _: Any) -> Error:
        message, cause_id = value.get("message"), value.get("causeId")
        return cls(
            message if isinstance(message, str) else "", cause_id if type(cause_id) is int else 0
        )

    return read


# Writing


@cache
def _writers(maps: Maps, coordinates: Coordinates) -> Mapping[type, Callable[[Any], Any]]:
    writer = wire_converter(nulls=True)  # keeps the order of attributes
    _write_as(maps, coordinates, writer)
    return {cls: writer.get_unstructure_hook(cls) for cls in (*MESSAGES.values(), GameInfo)}


def _write_as(maps: Maps, coordinates: Coordinates, converter: cattrs.Converter) -> None:
    write_map = _pairs if maps is Maps.PAIRS else _object
    converter.register_unstructure_hook_factory(_is_map, lambda kind: partial(write_map, converter))
    write_tile = converter.get_unstructure_hook(Tile)
    converter.register_unstructure_hook(
        TileOnPosition, partial(_write_placed, coordinates, write_tile)
    )


def _pairs(converter: cattrs.Converter, value: dict[ClientInfo, Any]) -> Any:
    pairs = [
        [converter.unstructure(key), converter.unstructure(each)] for key, each in value.items()
    ]
    return pairs or {}  # the library's way to write an empty map


def _object(converter: cattrs.Converter, value: dict[ClientInfo, Any]) -> Any:
    return {str(key.client_id): converter.unstructure(each) for key, each in value.items()}


def _write_placed(
    coordinates: Coordinates, write_tile: Callable[[Tile], Any], placed: TileOnPosition
) -> dict[str, Any]:
    wire: dict[str, Any] = {}
    if coordinates is not Coordinates.DOCUMENT:
        wire |= {"coordX": placed.coord_x, "coordY": placed.coord_y}
    if coordinates is not Coordinates.LIBRARY:
        wire |= {"x": placed.coord_x, "y": placed.coord_y}
    return wire | {"tile": write_tile(placed.tile)}
