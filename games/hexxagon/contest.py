"""How a match of a tournament is set up."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.hexxagon.player import LOBBY_ID
from games.hexxagon.table import HexxagonTable
from ludothek.contract.contest import Contest, Contestant
from ludothek.contract.orders import Opening


def _opening(name: str, players: Sequence[Contestant], settings: Any) -> Opening:
    return Opening(name=name)


def _keys(table: HexxagonTable, seat: int) -> Mapping[str, str]:
    """The same for both seats: whoever joins first begins."""
    return {LOBBY_ID: table.lobby_id}


CONTEST = Contest(
    opening=_opening,
    keys=_keys,
)
