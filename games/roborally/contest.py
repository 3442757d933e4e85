"""How a match of a tournament is set up."""

from collections.abc import Mapping
from typing import Any

from games.roborally.member import MAX_NAME
from ludothek.contract.contest import Contest


def _settings(players: int) -> Mapping[str, Any]:
    return {"min_players": players, "max_players": players}


CONTEST = Contest(
    settings=_settings,
    name=lambda name: name[:MAX_NAME],
)
