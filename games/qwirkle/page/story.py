"""What happens in a game of Qwirkle, in events that words.js has sentences for."""

from collections.abc import Iterator
from typing import Any

from games.qwirkle.last_move import Kind, LastMove
from games.qwirkle.messages import (
    ClientInfo,
    ClientType,
    CurrentPlayer,
    EndGame,
    LeavingPlayer,
    MessageSignal,
    PauseGame,
    ResumeGame,
    TileSwapValid,
    Update,
)
from games.qwirkle.rules import End
from games.qwirkle.table import QwirkleTable
from ludothek.contract.page import Event
from ludothek.contract.table import Table


def tell(table: Table, message: Any) -> Iterator[Event]:
    """What everybody may know; messages with tiles of a hand or of the bag tell nothing."""
    if not isinstance(table, QwirkleTable):
        return
    match message:
        case Update() | TileSwapValid(validation=True):
            yield from _moved(table.last_move)
        case CurrentPlayer():
            yield from _punished(table.last_move)
        case EndGame():
            yield from _punished(table.last_move)
            yield from _rewarded(table)
        case MessageSignal(message=text, client=ClientInfo(_, name, ClientType.PLAYER)):
            yield {"what": "said", "name": name, "text": text}  # spectators talk in private
        case LeavingPlayer(client=ClientInfo(_, name, ClientType.PLAYER)):
            yield {"what": "left", "name": name}
        case PauseGame() | ResumeGame():
            yield {"what": "paused" if isinstance(message, PauseGame) else "resumed"}


def _moved(last: LastMove | None) -> Iterator[Event]:
    """Nothing if a board from another game is told: no move of this one led there."""
    if last is None:
        return
    name = last.player.client_name
    if last.kind is Kind.SWAPPED:
        yield {"what": "swapped", "name": name}  # others are not told how many
    elif last.kind is Kind.LAID:
        count, points = len(last.placements), last.points
        yield {"what": "laid", "name": name, "count": count, "points": points}


def _punished(last: LastMove | None) -> Iterator[Event]:
    """A penalty has no message of its own; it shows when the game goes on."""
    if last is not None and last.kind in _PENALTIES:
        yield {"what": last.kind.value, "name": last.player.client_name, "points": last.points}


_PENALTIES = (Kind.MISTAKEN, Kind.SLOW)


def _rewarded(table: QwirkleTable) -> Iterator[Event]:
    match, position = table.match, table.match.position
    if position.end is not End.OUT:
        return
    for player in match.players:
        if not match.hand(player):
            points = position.variant.end_bonus
            yield {"what": "rewarded", "name": player.client_name, "points": points}
