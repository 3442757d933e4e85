"""What the matches of an endpoint are doing, in words that all games share."""

from collections import Counter
from collections.abc import Iterable, Mapping

import structlog

from ludothek.runtime.lobby import Lobby
from transports import BUGS

log = structlog.get_logger()

STATES = ("waiting", "running", "paused", "ended", "other")

# What tables say where their protocol has other words.
SYNONYMS = {
    "not_started": "waiting",
    "in_progress": "running",
    "formation": "running",  # two play already, and one of them can lose
    "finished": "ended",
    "over": "ended",
}


def count_matches(lobbies: Iterable[Lobby]) -> Mapping[str, int]:
    """How many lobbies are in each of the states; every state is named."""
    counts = Counter(dict.fromkeys(STATES, 0))
    for lobby in lobbies:
        counts[_state(lobby)] += 1
    return counts


def _state(lobby: Lobby) -> str:
    try:
        said = lobby.table.summary.state.lower()
    except BUGS as bug:
        # Whoever counts wants to know of the others all the same.
        log.error("a table cannot say how it is", lobby=lobby.key, exc_info=bug)
        return "other"
    state = SYNONYMS.get(said, said)
    return state if state in STATES else "other"
