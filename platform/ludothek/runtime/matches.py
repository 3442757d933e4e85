"""What the matches of an endpoint are doing, in words that all games share."""

from collections import Counter
from collections.abc import Iterable, Mapping

import structlog

from ludothek.contract.table import Stage
from ludothek.runtime.lobby import Lobby
from transports import BUGS

log = structlog.get_logger()

# The state of a lobby whose table cannot even report it.
BROKEN = "other"

STATES = (*(stage.value for stage in Stage), BROKEN)


def count_matches(lobbies: Iterable[Lobby]) -> Mapping[str, int]:
    """How many lobbies are in each state; all states are listed."""
    counts = Counter(dict.fromkeys(STATES, 0))
    for lobby in lobbies:
        counts[_state(lobby)] += 1
    return counts


def _state(lobby: Lobby) -> str:
    try:
        return lobby.table.summary.stage.value
    except BUGS as bug:
        # The others must be counted all the same.
        log.error("a table cannot say how it is", lobby=lobby.key, exc_info=bug)
        return BROKEN
