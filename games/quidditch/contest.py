"""How a match of a tournament is set up."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from games.quidditch.settings import IN_MEMORY
from ludothek.contract.contest import Contest, Contestant
from ludothek.contract.orders import Opening

# The built-in configuration, but without time for animations, which programs do not watch.
MATCH = Path(__file__).parent / "files" / "contest.json"

# As long as a user name may be.
LONGEST, SHORTEST = 20, 3


def _settings(players: int) -> Mapping[str, Any]:
    """A program that has gone does not come back, and the record is replay enough."""
    return {"match": str(MATCH), "accounts": IN_MEMORY, "reconnect_seconds": 0.0, "replays": 0}


def _opening(name: str, players: Sequence[Contestant], settings: Any) -> Opening:
    return Opening(name=name)


def _name(name: str) -> str:
    return re.sub(r"[^a-zA-Z0-9]", "", name)[:LONGEST].ljust(SHORTEST, "0")


CONTEST = Contest(
    settings=_settings,
    opening=_opening,
    name=_name,
)
