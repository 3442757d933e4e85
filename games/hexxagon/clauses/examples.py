"""Messages of clients as they should be, for examples."""

from typing import Any

import orjson

USER = "301a0c7d-3cba-4642-8b52-53a6f189a81b"
STRANGER = "293076c0-bbed-4bfd-8cb2-24b5654eb0d6"
LOBBY = "f07bac68-9a43-4d9d-887c-475e19e7c4f9"
GAME = "52adce64-cffc-4df9-acc2-78877fed78fd"


def message(kind: str, **fields: Any) -> str:
    return orjson.dumps({"messageType": kind, "userId": USER, **fields}).decode()


def without(field: str, message: str) -> str:
    fields = orjson.loads(message)
    del fields[field]
    return orjson.dumps(fields).decode()


LIST = message("GetAvailableLobbies")
CREATE = message("CreateNewLobby", lobbyName="Max Mustermann Lobby")
JOIN = message("JoinLobby", lobbyId=LOBBY, userName="Max Mustermann")
LEAVE_LOBBY = message("LeaveLobby", lobbyId=LOBBY)
START = message("StartGame", lobbyId=LOBBY)
MOVE = message("GameMove", gameId=GAME, moveFrom="TILE_30", moveTo="TILE_38")
LEAVE_GAME = message("LeaveGame", gameId=GAME)


def move(origin: int, target: int) -> str:
    return message("GameMove", gameId=GAME, moveFrom=f"TILE_{origin}", moveTo=f"TILE_{target}")
