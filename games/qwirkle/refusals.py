"""Who may say what, and which error answers everything else: section 5 of the document."""

import enum
from collections.abc import Iterator
from typing import Any

import attrs

from games.qwirkle import breaches
from games.qwirkle.clauses import document
from games.qwirkle.codec import Tolerated, Unparsable
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
from games.qwirkle.sentences import sentence
from ludothek.contract.clauses import Breach, Clause, Consequence
from ludothek.contract.client import Client
from ludothek.contract.codec import Malformed
from ludothek.contract.effects import Effect, Explain, Send
from ludothek.contract.frozen import frozen

# The name of a client is part of nearly every message about it.
MAX_NAME = 256


class Standing(enum.IntEnum):
    """What a client is at a moment; the numbers are the places of the signs below."""

    STRANGER = 0  # has not identified itself yet
    LOBBY_PLAYER = 1
    LOBBY_SPECTATOR = 2
    PLAYER = 3
    SPECTATING_PLAYER = 4  # of type PLAYER, but only watches this game
    SPECTATOR = 5


_NAMES = {
    Standing.STRANGER: "a client that is not connected",
    Standing.LOBBY_PLAYER: "a PLAYER in the lobby",
    Standing.LOBBY_SPECTATOR: "a SPECTATOR in the lobby",
    Standing.PLAYER: "a player",
    Standing.SPECTATING_PLAYER: "a PLAYER that watches",
    Standing.SPECTATOR: "a SPECTATOR that watches",
}


@attrs.frozen
class Right:
    """Who may send a message, and which clauses say so.

    A sign for each Standing: + allowed, D AccessDenied, N NotAllowed.
    """

    signs: str
    not_allowed: Clause
    denied: Clause = document.CONNECT

    @property
    def holders(self) -> str:
        return " or ".join(_NAMES[each] for each in Standing if self.signs[each] == "+")


_RIGHTS: dict[type[Request], Right] = {
    ConnectRequest: Right("+NNNNN", document.CONNECTED),
    GameListRequest: Right("D++NNN", document.LIST_IN_LOBBY),
    GameJoinRequest: Right("D+DNND", document.JOIN_IN_LOBBY, document.PLAYERS_JOIN),
    SpectatorJoinRequest: Right("D++NNN", document.WATCH_IN_LOBBY),
    MessageSend: Right("DNN+++", document.CHAT_IN_GAME),
    LeavingRequest: Right("DNN+++", document.LEAVE_IN_GAME),
    TileSwapRequest: Right("DND+DD", document.PLAYERS, document.PLAYERS_MOVE),
    PlayTiles: Right("DND+DD", document.PLAYERS, document.PLAYERS_MOVE),
    ScoreRequest: Right("DNN+++", document.ASK_IN_GAME),
    TurnTimeLeftRequest: Right("DNN+++", document.ASK_IN_GAME),
    TotalTimeRequest: Right("DNN+++", document.ASK_IN_GAME),
    GameDataRequest: Right("DNN+++", document.ASK_IN_GAME),
    BagRequest: Right("DNND++", document.ASK_IN_GAME, document.SPECTATORS_ASK),
    PlayerHandsRequest: Right("DNND++", document.ASK_IN_GAME, document.SPECTATORS_ASK),
}


@frozen
class Objection:
    """Which error answers a message, and which clause it breaks."""

    error: type[Error]
    cause_id: int
    breach: Breach

    def answer(self, client: Client) -> Iterator[Effect]:
        """Tell the client, and let organisers see it."""
        text = f"{sentence(self.breach.clause)} ({self.breach})"
        yield Explain(client, self.breach)
        yield Send(client, self.error(text, self.cause_id))


def objection(message: Any, standing: Standing) -> Objection | None:
    """Why a client's message is refused regardless of its game; None if it is not.

    «Die Prioritäten sind: ParsingError > AccessDenied > NotAllowed.»
    """
    if isinstance(message, Malformed):
        cause_id = message.cause_id if isinstance(message, Unparsable) else 0
        return Objection(ParsingError, cause_id, breaches.unreadable(message.flaw))
    right = _RIGHTS[type(message)]
    match right.signs[standing]:
        case "D":
            return Objection(AccessDenied, message.unique_id, _denied(right, message, standing))
        case "N":
            breach = _out_of_place(right.not_allowed, right, message, standing)
            return Objection(NotAllowed, message.unique_id, breach)
    return None


def _denied(right: Right, message: Request, standing: Standing) -> Breach:
    if standing is Standing.STRANGER:
        return breaches.not_connected(message)
    return _out_of_place(right.denied, right, message, standing)


def _out_of_place(clause: Clause, right: Right, message: Request, standing: Standing) -> Breach:
    return breaches.out_of_place(clause, message, right.holders, _NAMES[standing])


def greeting_objection(message: Any) -> Objection | None:
    """Why a client that has not identified itself is refused, unless it does so now."""
    if isinstance(message, ConnectRequest) and len(message.client_name) > MAX_NAME:
        breach = breaches.long_name(message.client_name, MAX_NAME)
        return Objection(ParsingError, message.unique_id, breach)
    return objection(message, Standing.STRANGER)


def ignore(client: Client, error: Error) -> Iterator[Effect]:
    """Some clients tell us that they cannot read something."""
    yield Explain(client, breaches.error_of_client(error), Consequence.IGNORED)


def tolerate(client: Client, tolerated: Tolerated) -> Explain:
    """Who speaks another dialect is understood, but may want to know."""
    return Explain(client, breaches.unreadable(tolerated.flaw), Consequence.CORRECTED)
