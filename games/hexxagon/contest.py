"""How a match of a tournament is set up."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.hexxagon.player import LOBBY_ID
from games.hexxagon.table import HexxagonTable
from ludothek.contract.contest import Contest, Contestant
from ludothek.contract.orders import Opening


def _settings(players: int) -> Mapping[str, Any]:
    """Whoever comes from elsewhere may take its time."""
    return {"empty_lobby_seconds": 0.0}


def _opening(name: str, players: Sequence[Contestant], settings: Any) -> Opening:
    return Opening(name=name)


def _keys(table: HexxagonTable, seat: int) -> Mapping[str, str]:
    """The same for both seats: whoever joins first begins."""
    return {LOBBY_ID: table.lobby_id}


CONTEST = Contest(
    settings=_settings,
    closed={"max_lobbies": 1},  # others could have the same name
    opening=_opening,
    keys=_keys,
)
