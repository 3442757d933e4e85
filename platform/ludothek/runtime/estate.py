"""What a match leaves behind: its result, its record, and files of the game.

A turn that was not committed has not happened, so nothing is written before the commit. And the
process may die before everything is on disk, so the chronicle keeps an estate until then. The next
process finds out what is missing and writes it.
"""

from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from ludothek.contract.effects import Save
from ludothek.contract.game import Game
from ludothek.runtime.note import read_notes
from ludothek.runtime.pages import compressed, decompressed
from ludothek.runtime.record import record_file
from ludothek.runtime.record_lines import read_beginning, simple_beginning
from ludothek.runtime.rerun import Beginning, Rerun
from ludothek.storage.results import Result


@attrs.frozen(kw_only=True)
class Estate:
    """What one step of a lobby leaves behind."""

    about: Mapping[str, Any]  # what the record says apart from the result
    result: Result | None  # of the match that has ended
    saves: int  # files that the game wants to keep
    beginning: Beginning
    pages: Sequence[bytes]  # of the journal until then: those that are compressed
    notes: bytes  # and the rest
    digest: int

    def record(self) -> bytes:
        """The content of the match's record."""
        facts = self.result.facts if self.result is not None else {}
        last = [compressed(self.notes)] if self.notes else []
        about = {**self.about, **facts}
        return record_file(about, self.beginning, [*self.pages, *last], self.digest)

    def files(self, game: Game) -> Sequence[Save]:
        """The files of the game, from a repetition of the lobby; raises whatever that raises."""
        if not self.saves:
            return ()
        rerun = Rerun(game, self.beginning)
        for note in read_notes(self._journal):
            rerun.repeat(note)
        return rerun.saves

    @property
    def _journal(self) -> bytes:
        return decompressed(self.pages) + self.notes

    def simple(self) -> dict[str, Any]:
        """All but the lobby, as JSON."""
        return {
            "about": self.about,
            "result": None if self.result is None else self.result.simple(),
            "saves": self.saves,
            "digest": self.digest,
        }

    def simple_lobby(self) -> dict[str, Any]:
        """The lobby, as JSON."""
        return {
            "beginning": simple_beginning(self.beginning),
            "pages": [b64encode(page).decode() for page in self.pages],
            "notes": b64encode(self.notes).decode(),
        }


def read_estate(told: Mapping[str, Any]) -> Estate:
    """Read both; raises all kinds of exceptions if it is not an estate."""
    return Estate(
        about=told["about"],
        result=None if told["result"] is None else Result.read(told["result"]),
        saves=told["saves"],
        digest=told["digest"],
        beginning=read_beginning(told["beginning"]),
        pages=[*map(b64decode, told["pages"])],
        notes=b64decode(told["notes"]),
    )
