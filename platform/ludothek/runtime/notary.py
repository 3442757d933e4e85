"""The notary of an endpoint draws up what its lobbies leave behind."""

from collections.abc import Sequence
from datetime import datetime

from ludothek.contract.effects import Ended, Save
from ludothek.runtime.bout import Conclusion
from ludothek.runtime.current_name import CurrentName
from ludothek.runtime.doorman import GuardedDoor
from ludothek.runtime.hall import Hall
from ludothek.runtime.keeper import Keeper
from ludothek.runtime.lobby import Lobby
from ludothek.settings.limits import origin
from ludothek.storage.match_files import match_name
from ludothek.storage.results import Result, fields_of


class Notary:
    """Decides what is a result and what is recorded, and hands estates to the keeper."""

    def __init__(
        self, hall: Hall, door: GuardedDoor, keeper: Keeper, name: CurrentName, *, records: bool
    ) -> None:
        self._hall = hall
        self._door = door
        self._keeper = keeper
        self._name = name
        self._records = records  # whether there is a place for them

    def settle(self, lobby: Lobby, conclusion: Conclusion | None, files: Sequence[Save]) -> None:
        """Have written what a step of a lobby leaves behind."""
        result = None if conclusion is None else self._result(lobby, *conclusion)
        if result is not None or files:
            estate = lobby.estate(self._hall.about, result, len(files))
            self._keeper.keep(estate, files, lobby.serial)

    def _result(self, lobby: Lobby, ended: Ended, seconds: float) -> Result | None:
        """The result of a match, unless those who played have too many."""
        if not self._door.may_tell(lobby.bout.hosts):
            self._hall.traffic.results_left_out += 1
            return None
        time = self._hall.clock.date()
        return Result(
            time=time,
            game=self._hall.game,
            endpoint=str(self._name),
            lobby=lobby.key,
            **fields_of(ended),
            seconds=round(seconds, 3),
            record=self._record_name(lobby, time),
        )

    def _record_name(self, lobby: Lobby, time: datetime) -> str | None:
        """The name of a match's record, if it can be recorded."""
        if not (self._records and self._keeper.settings.records and lobby.journal.complete):
            return None
        return match_name(
            time, self._hall.game, lobby.key, map(origin, lobby.bout.hosts), lobby.bout.match_id
        )
