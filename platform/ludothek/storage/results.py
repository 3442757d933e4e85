"""Results of matches: a line for each in the log, and in a file of the state directory."""

from collections.abc import Sequence
from datetime import datetime

import attrs
import orjson
import structlog

from ludothek.contract.frozen import frozen
from ludothek.contract.names import printable
from ludothek.contract.results import Place
from ludothek.kit.reports import careful
from ludothek.storage.state import StateDirectory

log = structlog.get_logger()

# Characters of a name; most games allow fewer.
MAX_NAME = 100


@frozen(kw_only=True)
class Result:
    """The result of a match."""

    time: datetime
    game: str
    endpoint: str
    lobby: str
    players: Sequence[Place]
    winner: str | None
    reason: str
    moves: int
    seconds: float
    record: str | None = None


class Results:
    """Records the results of one endpoint."""

    def __init__(self, state: StateDirectory | None) -> None:
        self._file = None if state is None else state.results

    def add(self, result: Result) -> None:
        with careful("match ended"):
            result = attrs.evolve(result, players=[_cut(place) for place in result.players])
            log.info(
                "match ended",
                game=result.endpoint,
                lobby=result.lobby,
                players=[
                    f"{printable(each.name)}: {'-' if each.score is None else each.score}"
                    for each in result.players
                ],
                winner=result.winner,
                reason=result.reason,
                moves=result.moves,
                seconds=result.seconds,
            )
            if self._file is not None:
                self._file.put(_line(result))


def _cut(place: Place) -> Place:
    # A lone surrogate, which some codecs let through, cannot be encoded.
    name = place.name[:MAX_NAME].encode(errors="replace").decode()
    return attrs.evolve(place, name=name)


def _line(result: Result) -> bytes:
    value = attrs.asdict(result)
    if result.winner is not None:
        value["winner"] = result.winner[:MAX_NAME].encode(errors="replace").decode()
    return orjson.dumps(value, option=orjson.OPT_UTC_Z | orjson.OPT_APPEND_NEWLINE)
