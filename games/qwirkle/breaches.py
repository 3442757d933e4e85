"""Which clause a message breaks, and what would have been right."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from itertools import zip_longest
from typing import cast

from games.qwirkle.clauses import document, ours
from games.qwirkle.messages import Error, Message, PlayTiles, TileSwapRequest
from games.qwirkle.rules import Mistake, State, Tile, Variant, exists
from ludothek.contract import mistakes
from ludothek.contract.clauses import Breach, Clause
from ludothek.contract.flaws import Flaw, FlawKind
from ludothek.contract.limit_clauses import limit_of

Move = PlayTiles | TileSwapRequest

# How many tiles of a move are named; a hand has six in the printed game.
MOST_SHOWN = 12

# Messages that cannot be read

_KINDS: Mapping[FlawKind, Clause] = {
    FlawKind.SYNTAX: document.JSON,
    FlawKind.NO_OBJECT: document.JSON,
    FlawKind.NO_TYPE: document.IDENTIFIED,
    FlawKind.UNKNOWN_TYPE: document.IDS,
    FlawKind.NOT_FOR_CLIENTS: document.SENDERS,
}
_FIELDS: Mapping[str, Clause] = {
    "100": document.CONNECT_FIELDS,
    "302": document.JOIN_FIELDS,
    "304": document.JOIN_FIELDS,
    "306": document.CHAT_FIELDS,
    "411": document.SWAP_FIELDS,
    "414": document.PLAY_FIELDS,
}
_PARTS: Mapping[str, Clause] = {
    "color": document.TILE_FIELDS,
    "shape": document.TILE_FIELDS,
    "uniqueId": document.TILE_FIELDS,
    "uniqueID": document.TILE_FIELDS,
    "id": document.TILE_FIELDS,
    "coordX": document.POSITION_FIELDS,
    "coordY": document.POSITION_FIELDS,
    "tile": document.POSITION_FIELDS,
}


def unreadable(flaw: Flaw) -> Breach:
    return Breach.by(flaw, _unreadable(flaw))


def _unreadable(flaw: Flaw) -> Clause:
    match flaw.kind:
        case FlawKind.MISSING:
            return _PARTS.get(flaw.pointer.rpartition("/")[2]) or _FIELDS[flaw.message]
        case FlawKind.WRONG if flaw.pointer == "/clientType":
            return document.CLIENT_TYPES
        case FlawKind.WRONG:
            return document.TYPES
    return limit_of(flaw) or _KINDS.get(flaw.kind, document.UTF8)


# Messages from the wrong client, or at the wrong time


def error_of_client(error: Error) -> Breach:
    return Breach(document.ERRORS, "/uniqueId", "no errors of clients", _kind(error))


def not_connected(message: Message) -> Breach:
    expected = "100 (ConnectRequest) as the first message"
    return Breach(document.CONNECT, "/uniqueId", expected, _kind(message))


def out_of_place(clause: Clause, message: Message, holders: str, sender: str) -> Breach:
    """A message that this sender may not send, at least not now."""
    expected = f"{_kind(message)} from {holders}"
    return Breach(clause, "/uniqueId", expected, f"one from {sender}")


def too_late(seconds: float) -> Breach:
    return Breach(ours.GREETING, "", f"a ConnectRequest within {seconds:g} seconds", "none")


def long_name(name: str, most: int) -> Breach:
    return Breach(ours.LONG_NAMES, "/clientName", f"at most {most} characters", f"{len(name)}")


# Games that cannot be joined


def no_such_game(key: str) -> Breach:
    return Breach(document.GAMES, "/gameId", "a game of GameListResponse", key)


def tournament(key: str) -> Breach:
    return Breach(ours.TOURNAMENTS, "/gameId", "a game that is no tournament's", key)


def no_player() -> Breach:
    return Breach(document.PLAYERS_JOIN, "/uniqueId", "a client of type PLAYER", "a SPECTATOR")


def started(game_id: int) -> Breach:
    return Breach(document.NOT_STARTED, "/gameId", "a game that is NOT_STARTED", f"{game_id}")


def full(game_id: int) -> Breach:
    return Breach(document.FULL, "/gameId", "a game with a free seat", f"{game_id}")


def crowded(key: str) -> Breach:
    return Breach(ours.CROWDED, "/gameId", "a game with fewer spectators", key)


# What is not allowed in a game


def secret(message: Message) -> Breach:
    return Breach(ours.SECRET_HANDS, "/uniqueId", "no such question before the end", _kind(message))


def long_chat(text: str, most: int) -> Breach:
    return Breach(ours.LONG_CHAT, "/message", f"at most {most} characters", f"{len(text)}")


def much_chat() -> Breach:
    return Breach(ours.MUCH_CHAT, "/message", "fewer chat messages in a short time", "one more")


def unknown_tile(variant: Variant, move: Move) -> Breach:
    n = next(n for n, tile in enumerate(move.all_tiles) if not exists(variant, tile))
    expected = "a tile as the server has sent it"
    return Breach(document.KNOWN_TILES, _tile_at(move, n), expected, _shown(move.all_tiles[n]))


def not_running(state: str, move: Move) -> Breach:
    expected = f"{_kind(move)} in a game that is IN_PROGRESS"
    return Breach(document.IN_PROGRESS, "/uniqueId", expected, f"one that is {state}")


def looking(move: Move) -> Breach:
    expected = f"{_kind(move)} after CurrentPlayer"
    return Breach(document.LOOKING, "/uniqueId", expected, "one before the next turn")


def not_active(active: int, player: int, move: Move) -> Breach:
    expected = f"{_kind(move)} of client {active}"
    return Breach(document.ACTIVE, "/uniqueId", expected, f"that of client {player}")


def slow(milliseconds: int) -> Breach:
    return Breach(document.TURN_TIME, "", f"a valid move within {milliseconds} ms", "none")


def silent(turns: int) -> Breach:
    expected = f"a move in one of {turns} turns"
    return Breach(ours.IDLE_TURNS, "", expected, "none")


# Moves that are against the rules

_RULES: Mapping[Mistake, tuple[Clause, str]] = {
    Mistake.NO_TILES: (ours.SOME_TILES, "at least one tile"),
    Mistake.TILE_TWICE: (document.UNIQUE_TILES, "each tile once"),
    Mistake.NOT_IN_HAND: (document.OWN_TILES, "tiles in the player's hand"),
    Mistake.CELL_TWICE: (ours.FREE_CELLS, "one tile for each cell"),
    Mistake.OCCUPIED: (ours.FREE_CELLS, "a cell without a tile"),
    Mistake.NOT_ONE_LINE: (ours.ONE_LINE, "tiles in one row or column"),
    Mistake.NOT_ON_ORIGIN: (document.ORIGIN, "a tile on (0, 0)"),
    Mistake.NO_CONTACT: (ours.CONTACT, "a tile beside one of the board"),
    Mistake.GAP: (ours.ONE_LINE, "tiles without a gap between them"),
    Mistake.MISMATCH: (ours.MATCHING, "lines of one color or one shape, without repetition"),
    Mistake.BAG_TOO_SMALL: (document.SWAP_COUNT, "at most as many tiles as are in the bag"),
    Mistake.TURN_OVER: (document.LOOKING, "a move after CurrentPlayer"),
    Mistake.GAME_OVER: (document.IN_PROGRESS, "a game that is IN_PROGRESS"),
}


def against_the_rules(mistake: mistakes.Mistake, move: Move, position: State) -> Breach:
    mistake = cast("Mistake", mistake)
    clause, expected = _RULES[mistake]
    n = _CULPRITS.get(mistake, _nobody)(move, position)
    if n is None:
        return Breach(clause, "/tiles", expected, _all_shown(move))
    if clause is ours.FREE_CELLS:
        return Breach(clause, f"/tiles/{n}", expected, _cells(move)[n])
    return Breach(clause, _tile_at(move, n), expected, _shown(move.all_tiles[n]))


def _nobody(move: Move, position: State) -> None:
    """It takes the whole move to break this rule."""


def _stranger(move: Move, position: State) -> int | None:
    hand = position.active.hand
    return _first(tile not in hand for tile in move.all_tiles)


def _repeated_tile(move: Move, position: State) -> int | None:
    return _repeated([tile.unique_id for tile in move.all_tiles])


def _repeated_cell(move: Move, position: State) -> int | None:
    return _repeated(_cells(move))


def _occupied_cell(move: Move, position: State) -> int | None:
    tiles = move.tiles if isinstance(move, PlayTiles) else []
    return _first(position.board.tile((each.coord_x, each.coord_y)) for each in tiles)


_CULPRITS: Mapping[Mistake, Callable[[Move, State], int | None]] = {
    Mistake.NOT_IN_HAND: _stranger,
    Mistake.TILE_TWICE: _repeated_tile,
    Mistake.CELL_TWICE: _repeated_cell,
    Mistake.OCCUPIED: _occupied_cell,
}


def _first(wrong: Iterable[object]) -> int | None:
    return next((n for n, each in enumerate(wrong) if each), None)


def _repeated(values: Iterable[Hashable]) -> int | None:
    seen: set[Hashable] = set()
    for n, value in enumerate(values):
        if value in seen:
            return n
        seen.add(value)
    return None


def _tile_at(move: Move, n: int) -> str:
    return f"/tiles/{n}/tile" if isinstance(move, PlayTiles) else f"/tiles/{n}"


def _cells(move: Move) -> list[str]:
    tiles = move.tiles if isinstance(move, PlayTiles) else []
    return [f"({each.coord_x}, {each.coord_y})" for each in tiles]


def _shown(tile: Tile) -> str:
    return f"color {tile.color}, shape {tile.shape}, uniqueId {tile.unique_id}"


def _all_shown(move: Move) -> str:
    """The tiles of a whole move, as short as possible: color.shape and the cell."""
    tiles = [f"{tile.color}.{tile.shape}" for tile in move.all_tiles[:MOST_SHOWN]]
    shown = map("".join, zip_longest(tiles, _cells(move)[:MOST_SHOWN], fillvalue=""))
    return " ".join(shown) or "no tiles"


def _kind(message: Message) -> str:
    return f"{message.unique_id} ({type(message).__name__})"
