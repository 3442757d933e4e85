"""A record, repeated note by note and compared with what was written down."""

from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from ludothek.contract import plain
from ludothek.contract.client import Client
from ludothek.contract.game import Game
from ludothek.contract.orders import Fault
from ludothek.runtime.note import Note, NoteKind
from ludothek.runtime.record import Record
from ludothek.runtime.rerun import Diverged, Rerun
from ludothek.storage.results import fields_of

_FAULT = plain.write(Fault())

# What each client is sent, in order.
Sent = Sequence[tuple[Client, bytes]]


class Differs(Exception):
    """The repetition is not what was recorded; the text says where."""


class Replay:
    """Repeats a record; a crash that was recorded is repeated too."""

    def __init__(self, game: Game, record: Record) -> None:
        """Make the table; raises Differs."""
        self.record = record
        self.done = 0  # notes repeated so far
        self.bug: BaseException | None = None  # of the crash, if it has happened again
        if problem := record.about.get("incomplete"):
            raise Differs(f"not everything was written down: {problem}")
        try:
            self.rerun = Rerun(game, record.beginning)
        except Diverged as problem:
            raise Differs(str(problem)) from problem

    @property
    def is_report(self) -> bool:
        """Whether this is about a crash and not about a match."""
        return "traceback" in self.record.about

    @property
    def crashed(self) -> bool:
        """Whether a bug in a happening has ended the original."""
        return any(map(self._is_fault, self.record.notes[-1:]))

    @property
    def cured(self) -> bool:
        """Whether the original has crashed at this point, and the repetition has not."""
        coming = self.record.notes[self.done : self.done + 1]
        return self.bug is None and any(map(self._is_fault, coming))

    def __iter__(self) -> Iterator[Sent]:
        """Repeat all notes; yields for each what clients were sent. Raises Differs."""
        while self.done < len(self.record.notes):
            if self.cured:
                self._probe()
            if self.cured:
                raise Differs(f"{self._where(self.done)}: the original crashed")
            yield self.step()
        if self.crashed or not self.is_report:  # else the rest is not known
            self._compare_ends()

    def step(self) -> Sent:
        """Repeat the next note; returns what clients were sent. Raises Differs."""
        note = self.record.notes[self.done]
        deaf = {*self.rerun.deaf}
        try:
            sent = self.rerun.repeat(note)
        except Diverged as problem:
            # What it has answered to a note is compared when the next one is repeated.
            place = self.done if note.digest != self.rerun.digest else self.done + 1
            raise Differs(f"{self._where(place)}: {problem}") from problem
        except (Exception, SystemExit) as bug:
            self._accept(bug)
            sent = ()
        self.done += 1
        return [
            (client, self.rerun.frame_for(client, frame))
            for clients, frame in sent
            for client in clients
            if client.number not in deaf
        ]

    def _probe(self) -> None:
        """Not every crash is in a happening."""
        try:
            self.rerun.probe()
        except (Exception, SystemExit) as bug:
            self.bug = bug

    def _accept(self, bug: BaseException) -> None:
        """A bug is fine if it is recorded; a broken table need not be able to say goodbye."""
        now, *later = self.record.notes[self.done : self.done + 2]
        if any(map(self._is_fault, later)):
            self.bug = bug
        elif not self._is_fault(now):
            where = self._where(self.done + 1)
            raise Differs(f"{where}: it has crashed: {type(bug).__name__}: {bug}") from bug

    def _is_fault(self, note: Note) -> bool:
        return note.kind is NoteKind.ORDER and note.content == _FAULT

    def _where(self, place: int) -> str:
        if not place:
            return "at the beginning"
        return f"note {place} of {len(self.record.notes)} ({self.record.notes[place - 1]})"

    def _compare_ends(self) -> None:
        if self.rerun.digest != self.record.digest:
            raise Differs(f"{self._where(self.done)}: something else was sent")
        about = self.record.about
        for key, found in self.result().items() if "reason" in about else ():
            recorded = about.get(key)
            if found != recorded:
                raise Differs(f"the result: {key} is {found!r}, recorded was {recorded!r}")

    def result(self) -> dict[str, Any]:
        """How the match has ended, as records say it."""
        ended = self.rerun.result
        if ended is None:
            return {"reason": "no match at all"}
        result = fields_of(ended)
        return result | {"players": [*map(attrs.asdict, result["players"])]}
