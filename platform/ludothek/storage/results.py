"""Results of matches: a line for each in the log, and in a file of the state directory."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

import attrs
import orjson
import structlog

from ludothek.contract.effects import Ended
from ludothek.contract.frozen import frozen
from ludothek.contract.names import printable
from ludothek.contract.results import Place
from ludothek.kit.reports import careful
from ludothek.storage.state import StateDirectory

log = structlog.get_logger()

# When it was, the endpoint and the lobby.
ResultKey = tuple[datetime, str, str]

# Of the file, where lines were written that a dead process may have owed: some ten thousand.
TAIL_BYTES = 4 * 1024 * 1024

# Characters of a name; most games allow fewer.
MAX_NAME = 100


def _cut(name: str) -> str:
    # A lone surrogate, which some codecs let through, cannot be encoded.
    return name[:MAX_NAME].encode(errors="replace").decode()


def _cut_places(places: Sequence[Place]) -> Sequence[Place]:
    cut = [(place, _cut(place.name)) for place in places]
    return [place if place.name == name else attrs.evolve(place, name=name) for place, name in cut]


def fields_of(ended: Ended) -> dict[str, Any]:
    """What a result says about the end of a match, whenever and wherever it was."""
    return {
        "players": _cut_places(ended.players),
        "winner": ended.winner and _cut(ended.winner),
        "reason": ended.reason,
        "moves": ended.moves,
    }


@frozen(kw_only=True)
class Result:
    """The result of a match."""

    time: datetime
    game: str
    endpoint: str
    lobby: str
    players: Sequence[Place] = attrs.field(converter=_cut_places)
    winner: str | None = attrs.field(converter=attrs.converters.optional(_cut))
    reason: str
    moves: int
    seconds: float
    record: str | None = None  # the name of a file

    @classmethod
    def read(cls, told: Mapping[str, Any]) -> "Result":
        """From JSON; raises all kinds of exceptions if it is not a result."""
        players = [Place(**place) for place in told["players"]]
        return cls(**{**told, "time": datetime.fromisoformat(told["time"]), "players": players})

    def simple(self) -> dict[str, Any]:
        """As JSON, dates excepted."""
        # Quicker than attrs.asdict: it happens at the end of each match.
        told = {name: getattr(self, name) for name in _KEYS}
        return told | {"players": [place.simple() for place in self.players]}

    @property
    def key(self) -> ResultKey:
        """No other result has the same."""
        return self.time, self.endpoint, self.lobby

    @property
    def facts(self) -> dict[str, Any]:
        """What the record itself says about the match."""
        facts = self.simple()
        del facts["record"]
        return facts


_KEYS = tuple(field.name for field in attrs.fields(Result))


class Results:
    """Records the results of one endpoint."""

    def __init__(self, state: StateDirectory | None) -> None:
        self._state = state
        self._file = None if state is None else state.results

    def latest(self) -> set[ResultKey]:
        """Results that were written last; blocks on I/O."""
        found: set[ResultKey] = set()
        if self._state is None:
            return found
        for line in self._state.results_file.tail(TAIL_BYTES):
            with suppress(ValueError, KeyError, TypeError):  # half a line, or somebody else's
                told = orjson.loads(line)
                found.add((datetime.fromisoformat(told["time"]), told["endpoint"], told["lobby"]))
        return found

    def add(self, result: Result) -> None:
        with careful("match ended"):
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
                options = orjson.OPT_UTC_Z | orjson.OPT_APPEND_NEWLINE
                self._file.put(orjson.dumps(result.simple(), option=options))
