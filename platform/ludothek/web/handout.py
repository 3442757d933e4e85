"""A record for anybody: without what only those who run the server may know."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import orjson

from ludothek.contract import registry
from ludothek.runtime.note import Note, NoteKind
from ludothek.runtime.record import Record
from ludothek.runtime.replay import Replay
from ludothek.runtime.rerun import Beginning, Prologue

if TYPE_CHECKING:
    from collections.abc import Mapping


def hand_out(path: Path) -> bytes:
    """The record in that file, with made-up addresses; for a process of its own.

    Raises:
      OSError, BadRecord: it cannot be read.
      Differs: without the true addresses, something else would have happened.
    """
    record = _Disguise().record(Record.read(path.read_bytes()))
    for _ in Replay(registry.load(str(record.about["game"])), record):
        pass
    return record.write()


@attrs.frozen
class _Disguise:
    """Replaces each address by another one, the same each time."""

    hosts: dict[str, str] = attrs.field(factory=dict)

    def record(self, record: Record) -> Record:
        return attrs.evolve(
            record,
            beginning=self._beginning(record.beginning),
            notes=[*map(self._note, record.notes)],
        )

    def _beginning(self, beginning: Beginning) -> Beginning:
        met = {number: self._known(known) for number, known in beginning.introduced.items()}
        prologue = beginning.prologue
        if prologue is not None:
            prologue = Prologue(
                self._beginning(prologue.beginning), [*map(self._note, prologue.notes)]
            )
        return attrs.evolve(beginning, introduced=met, prologue=prologue)

    def _note(self, note: Note) -> Note:
        if note.kind is not NoteKind.INTRODUCED:
            return note
        return attrs.evolve(note, content=self._known(note.content))

    def _known(self, known: bytes) -> bytes:
        told: Mapping[str, Any] = orjson.loads(known)
        host = told.get("host")
        if not isinstance(host, str) or not host:
            return known
        # From the network that documents may use.
        other = self.hosts.setdefault(host, f"192.0.2.{len(self.hosts) % 254 + 1}")
        return orjson.dumps({**told, "host": other})
