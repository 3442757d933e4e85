"""The keeper has estates written to disk: each exactly once, whatever ends the process."""

from collections.abc import Callable, Collection, Container, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import attrs
import structlog

from ludothek.contract.effects import Save
from ludothek.contract.game import Game
from ludothek.kit.reports import careful, words
from ludothek.runtime.estate import Estate, read_estate
from ludothek.storage.archive import Archive
from ludothek.storage.match_files import match_file
from ludothek.storage.results import ResultKey, Results
from ludothek.storage.state import StateDirectory
from transports import BUGS, Turns

if TYPE_CHECKING:
    from ludothek.runtime.annals import Annals

log = structlog.get_logger()


@attrs.frozen
class _Missing:
    """What of an estate is not on disk."""

    estate: Estate
    files: Sequence[Save]
    result: bool
    record: bool


class Keeper:
    """For the lobbies of one endpoint."""

    def __init__(
        self,
        game: Game,
        settings: Any,
        results: Results,
        state: StateDirectory | None,
        turns: Turns,
    ) -> None:
        self.settings = settings
        self.annals: Annals | None = None  # None: nothing survives this process
        self._game = game
        self._results = results
        self._state = state
        self._turns = turns

    def keep(self, estate: Estate, files: Sequence[Save], serial: int) -> None:
        """Have all this written when the turn is over; the lobby of that number leaves it."""
        self._keep(_Missing(estate, files, result=True, record=True), serial)

    def catch_up(self, estates: Collection[Mapping[str, Any]]) -> None:
        """Have written what the process before this one has not.

        It looks at the disk, and so is only for the start.
        """
        if not estates or self._state is None:
            return
        told = self._results.latest()
        for each in estates:
            with careful("what a match has left behind"):  # perhaps to another version
                self._keep(self._missing(read_estate(each), self._state.archive, told))

    def _missing(self, estate: Estate, archive: Archive, told: Container[ResultKey]) -> _Missing:
        return _Missing(
            estate,
            [file for file in self._files(estate) if not archive.has(file)],
            result=estate.result is not None and estate.result.key not in told,
            record=not archive.has(self._record(estate)),
        )

    def _files(self, estate: Estate) -> Sequence[Save]:
        try:
            return estate.files(self._game)
        except BUGS as bug:  # the rules have changed
            with careful("files of a match are lost"):
                log.warning("files of a match are lost", error=words(bug))
            return ()

    def _keep(self, missing: _Missing, serial: int = 0) -> None:
        number = 0
        if self.annals is not None and self._state is not None:
            number = self.annals.owe(missing.estate, serial)
        self._turns.after(partial(self._write, missing, number))

    def _write(self, missing: _Missing, number: int) -> None:
        with careful("what a match leaves behind"):
            result = missing.estate.result
            if missing.record and not self._put(self._record(missing.estate)):
                result = result and attrs.evolve(result, record=None)
            if result is not None and missing.result:
                self._results.add(result)
            for file in missing.files:
                self._put(file)
        if self.annals is not None and number:
            self.annals.handed_over(number, self._progress())

    def _put(self, file: Save | None) -> bool:
        """Have a file written; False if that is not possible."""
        return file is not None and self._state is not None and self._state.archive.put(file)

    def _record(self, estate: Estate) -> Save | None:
        """The record of the match, if there is to be one."""
        if estate.result is None or estate.result.record is None:
            return None
        return match_file(
            estate.result.record,
            estate.record,
            files=self.settings.records,
            megabytes=self.settings.records_megabytes,
        )

    def _progress(self) -> Callable[[], bool]:
        """Tells whether all that was handed in so far is written, or has failed."""
        if self._state is None:
            return lambda: True
        sinks = (self._state.archive, self._state.results)
        handed_in = [(sink, sink.taken) for sink in sinks]
        return lambda: all(sink.done >= taken for sink, taken in handed_in)
