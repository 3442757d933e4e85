"""Which clause a message breaks, and what would have been right."""

from collections.abc import Mapping
from typing import cast

from games.hexxagon.clauses import ours, standard
from games.hexxagon.messages import (
    TILE_NAMES,
    ClientMessage,
    GameMove,
    LeaveGame,
    LeaveLobby,
    StartGame,
    Uuid,
)
from games.hexxagon.rules.mistakes import Mistake
from ludothek.contract import mistakes
from ludothek.contract.clauses import Breach, Clause
from ludothek.contract.codec import shown
from ludothek.contract.flaws import Flaw, FlawKind
from ludothek.contract.limit_clauses import limit_of

OfLobby = LeaveLobby | StartGame
OfGame = GameMove | LeaveGame

# Messages that cannot be read

_KINDS: Mapping[FlawKind, Clause] = {
    FlawKind.SYNTAX: standard.JSON,
    FlawKind.NO_OBJECT: standard.JSON,
    FlawKind.NO_TYPE: standard.TYPE_NAMED,
    FlawKind.UNKNOWN_TYPE: standard.TYPE_KNOWN,
    FlawKind.NOT_FOR_CLIENTS: standard.CLIENT_MESSAGES,
}
_FIELDS: Mapping[str, Clause] = {
    "CreateNewLobby": standard.CREATE_FIELDS,
    "JoinLobby": standard.JOIN_FIELDS,
    "LeaveLobby": standard.LEAVE_LOBBY_FIELDS,
    "StartGame": standard.START_FIELDS,
    "GameMove": standard.MOVE_FIELDS,
    "LeaveGame": standard.LEAVE_GAME_FIELDS,
}
_VALUES: Mapping[str, Clause] = {
    "/userId": standard.UUIDS,
    "/lobbyId": standard.UUIDS,
    "/gameId": standard.UUIDS,
    "/lobbyName": standard.STRINGS,
    "/userName": standard.STRINGS,
    "/moveFrom": standard.TILES,
    "/moveTo": standard.TILES,
}


def unreadable(flaw: Flaw) -> Breach:
    return Breach.by(flaw, _unreadable(flaw))


def _unreadable(flaw: Flaw) -> Clause:
    match flaw.kind:
        case FlawKind.MISSING if flaw.pointer == "/userId":
            return standard.IDENTITY
        case FlawKind.MISSING:
            return _FIELDS[flaw.message]
        case FlawKind.WRONG:
            return _VALUES[flaw.pointer]
    return limit_of(flaw) or _KINDS.get(flaw.kind, standard.TEXT)


# Messages that are not allowed


def foreign_user(expected: Uuid, came: Uuid) -> Breach:
    return Breach(standard.IDENTITY, "/userId", expected, came)


def inside(name: str) -> Breach:
    """CreateNewLobby or JoinLobby from somebody who is in a lobby or a game."""
    came = f"{name} inside of one"
    return Breach(standard.OUT_OF_PLACE, "/messageType", f"{name} outside of lobby and game", came)


def outside(message: OfLobby | OfGame) -> Breach:
    """A message about a lobby or game from somebody who is in neither."""
    expected = f"{type(message).__name__} inside of a lobby or game"
    if isinstance(message, OfLobby):
        return other_lobby(message, expected)
    return other_game(message, expected)


def other_lobby(message: OfLobby, expected: str) -> Breach:
    clause = standard.START_LOBBY if isinstance(message, StartGame) else standard.LEAVE_LOBBY
    return Breach(clause, "/lobbyId", expected, message.lobby_id)


def other_game(message: OfGame, expected: str) -> Breach:
    clause = standard.MOVE if isinstance(message, GameMove) else standard.LEAVE_GAME
    return Breach(clause, "/gameId", expected, message.game_id)


def started(message: OfLobby) -> Breach:
    """The lobby has become a game."""
    starts = isinstance(message, StartGame)
    clause = standard.START_LOBBY if starts else standard.LEFT_BEFORE_START
    return Breach(
        clause, "/messageType", "no such message once the game has started", _kind(message)
    )


def not_first() -> Breach:
    return Breach(
        standard.FIRST_STARTS, "/messageType", "StartGame of playerOne", "that of playerTwo"
    )


def alone() -> Breach:
    return Breach(
        standard.SECOND_NEEDED, "/messageType", "StartGame with a playerTwo", "one without"
    )


def not_active(active: Uuid, came: Uuid) -> Breach:
    return Breach(standard.ACTIVE, "/userId", f"activePlayer {active}", came)


def too_many_strikes(most: int) -> Breach:
    return Breach(standard.TOO_MANY_STRIKES, "", f"fewer than {most} strikes", f"strike {most}")


# Moves that are against the rules

_RULES: Mapping[Mistake, tuple[Clause, str]] = {
    Mistake.GAME_OVER: (standard.MOVE, "/gameId"),
    Mistake.NO_SUCH_TILE: (standard.TILES, "/moveTo"),
    Mistake.NO_STONE: (ours.OWN_STONE, "/moveFrom"),
    Mistake.NOT_YOUR_STONE: (ours.OWN_STONE, "/moveFrom"),
    Mistake.SAME_TILE: (ours.FREE_TARGET, "/moveTo"),
    Mistake.TARGET_BLOCKED: (standard.BLOCKED, "/moveTo"),
    Mistake.TARGET_OCCUPIED: (ours.FREE_TARGET, "/moveTo"),
    Mistake.TOO_FAR: (ours.NEAR_TARGET, "/moveTo"),
}
_RIGHT: Mapping[Clause, str] = {
    standard.MOVE: "a running game",
    standard.TILES: "TILE_1 to TILE_61",
    standard.BLOCKED: "a tile that is not blocked",
    ours.OWN_STONE: "a tile with a stone of your own",
    ours.FREE_TARGET: "a free tile",
    ours.NEAR_TARGET: "a tile one or two steps away",
}


def against_the_rules(mistake: mistakes.Mistake, move: GameMove) -> Breach:
    clause, pointer = _RULES[cast("Mistake", mistake)]
    came = f"{TILE_NAMES[move.move_from]} to {TILE_NAMES[move.move_to]}. {mistake.value}"
    return Breach(clause, pointer, _RIGHT[clause], came)


# What is refused without a strike, ignored or corrected


def full(lobby_id: Uuid) -> Breach:
    return Breach(standard.TWO_CLIENTS, "/lobbyId", "a lobby with a free seat", lobby_id)


def not_there(lobby_id: Uuid) -> Breach:
    return Breach(standard.LOBBY_THERE, "/lobbyId", "a lobby of AvailableLobbies", lobby_id)


def late(message: OfLobby | OfGame) -> Breach:
    if isinstance(message, OfLobby):
        return Breach(ours.LATE, "/lobbyId", "a lobby that is not over", message.lobby_id)
    return Breach(ours.LATE, "/gameId", "a game that is not over", message.game_id)


def bad_name(pointer: str, name: str) -> Breach:
    return Breach(ours.NAMES, pointer, "1 to 64 visible characters", shown(name))


def untidy_name(pointer: str, name: str) -> Breach:
    return Breach(ours.TIDY_NAMES, pointer, "a name without spaces around it", shown(name))


def own_lobbies() -> Breach:
    return Breach(ours.LOBBIES_OF_ONE, "", "fewer lobbies of one client or address", "one more")


def all_lobbies() -> Breach:
    return Breach(ours.LOBBIES_OF_ALL, "", "fewer lobbies that wait for players", "one more")


def _kind(message: ClientMessage) -> str:
    return type(message).__name__
