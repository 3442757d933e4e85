"""How a match of a tournament is set up."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.qwirkle.refusals import MAX_NAME
from games.qwirkle.settings import Settings
from ludothek.contract.contest import Contest, Contestant
from ludothek.contract.orders import Opening


def _settings(players: int) -> Mapping[str, Any]:
    """No other games, no secrets for a second client, and no waiting for those who are stuck."""
    return {"open_games": 0, "secret_hands": True, "auto_skip": True}


def _opening(name: str, players: Sequence[Contestant], settings: Settings) -> Opening:
    """Programs need no time to look at a move, unless the organiser's file gives them some."""
    changes: dict[str, Any] = {"maxPlayerNumber": len(players)}
    if settings.configuration is None:
        changes["timeVisualization"] = 0
    return Opening(name=name, settings=changes)


CONTEST = Contest(
    settings=_settings,
    opening=_opening,
    name=lambda name: name[:MAX_NAME],
)
