"""Who may say what, and which error answers everything else: section 5 of the document."""

import enum
from collections.abc import Iterator
from typing import Any

from games.qwirkle.codec import FromServer, Unparsable
from games.qwirkle.messages import (
    AccessDenied,
    BagRequest,
    ConnectRequest,
    Error,
    GameDataRequest,
    GameJoinRequest,
    GameListRequest,
    LeavingRequest,
    MessageSend,
    NotAllowed,
    ParsingError,
    PlayerHandsRequest,
    PlayTiles,
    Request,
    ScoreRequest,
    SpectatorJoinRequest,
    TileSwapRequest,
    TotalTimeRequest,
    TurnTimeLeftRequest,
)
from ludothek.contract.client import Client
from ludothek.contract.codec import Malformed
from ludothek.contract.effects import Effect, Explain, Send

# The name of a client is part of nearly every message about it.
MAX_NAME = 256


class Standing(enum.IntEnum):
    """What a client is at a moment; the numbers are the columns of the table below."""

    STRANGER = 0  # has not identified itself yet
    LOBBY_PLAYER = 1
    LOBBY_SPECTATOR = 2
    PLAYER = 3
    SPECTATING_PLAYER = 4  # of type PLAYER, but only watches this game
    SPECTATOR = 5


# + allowed, D AccessDenied, N NotAllowed; the columns are those of Standing.
_RIGHTS: dict[type[Request], str] = {
    ConnectRequest: "+NNNNN",
    GameListRequest: "D++NNN",
    GameJoinRequest: "D+DNND",
    SpectatorJoinRequest: "D++NNN",
    MessageSend: "DNN+++",
    LeavingRequest: "DNN+++",
    TileSwapRequest: "DND+DD",
    PlayTiles: "DND+DD",
    ScoreRequest: "DNN+++",
    TurnTimeLeftRequest: "DNN+++",
    TotalTimeRequest: "DNN+++",
    GameDataRequest: "DNN+++",
    BagRequest: "DNND++",
    PlayerHandsRequest: "DNND++",
}

_DENIED = {
    Standing.STRANGER: "Der Client ist noch nicht verbunden.",
    Standing.PLAYER: "Keine Berechtigung als Spieler.",
}
_NOT_ALLOWED = {
    Standing.LOBBY_PLAYER: "Der Client ist in keinem Spiel.",
    Standing.LOBBY_SPECTATOR: "Der Client ist in keinem Spiel.",
}


def objection(message: Any, standing: Standing) -> Error | None:
    """The error that answers a client's message regardless of its game, if there is one.

    «Die Prioritäten sind: ParsingError > AccessDenied > NotAllowed.»
    """
    if isinstance(message, FromServer):
        return ParsingError("Das ist eine Nachricht des Servers.", message.cause_id)
    if isinstance(message, Malformed):
        cause_id = message.cause_id if isinstance(message, Unparsable) else 0
        return ParsingError(f"Die Nachricht ist nicht lesbar: {message.reason}", cause_id)
    if not isinstance(message, Request):
        return ParsingError("Das ist eine Nachricht des Servers.", message.unique_id)
    match _RIGHTS[type(message)][standing]:
        case "D":
            text = _DENIED.get(standing, "Keine Berechtigung als Beobachter.")
            return AccessDenied(text, message.unique_id)
        case "N" if isinstance(message, ConnectRequest):
            return NotAllowed("Der Client ist schon verbunden.", message.unique_id)
        case "N":
            text = _NOT_ALLOWED.get(standing, "Der Client ist schon in einem Spiel.")
            return NotAllowed(text, message.unique_id)
    return None


def refuse(client: Client, error: Error) -> Iterator[Effect]:
    """Answer with an error, and let organisers see it."""
    yield Explain(client, error.message)
    yield Send(client, error)


def greeting_objection(message: Any) -> Error | None:
    """The error that answers a client that has not identified itself, unless it does so now."""
    if isinstance(message, ConnectRequest) and len(message.client_name) > MAX_NAME:
        return ParsingError(f"Der Name ist länger als {MAX_NAME} Zeichen.", message.unique_id)
    return objection(message, Standing.STRANGER)
