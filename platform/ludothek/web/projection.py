"""All positions of a match, from its record or its journal; for a process of its own."""

import gzip
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import orjson

from ludothek.contract import registry
from ludothek.contract.game import Game
from ludothek.contract.page import Event, Page
from ludothek.runtime.begun import Begun
from ludothek.runtime.note import Note, read_notes
from ludothek.runtime.record import Record
from ludothek.runtime.rerun import Beginning, Diverged, Rerun
from ludothek.web.camera import Camera
from ludothek.web.signs import lobby_sign

# Of all positions, before compression: a browser has to keep them.
MOST_BYTES = 32 * 1024 * 1024

# Keys of a record that are for those who run the server.
_RESULT = ("time", "players", "winner", "reason", "moves", "seconds")


@attrs.define
class Projection:
    """The positions of the latest match of a table, as far as it could be repeated."""

    page: Page
    rerun: Rerun
    everything: bool
    positions: list[bytes] = attrs.field(factory=list)
    scenery: bytes = b"null"
    began: float = 0.0  # seconds since 1970
    problem: Event | None = None  # why there is no more of them
    _camera: Camera | None = None
    _size: int = 0
    _ended: int = 0

    def show(self, notes: Iterable[Note]) -> None:
        """Repeat these notes, and take a picture after each."""
        self.rerun.heard = self._hear
        try:
            for number, note in enumerate(notes, 1):
                self._step(number, note)
                if self._size > MOST_BYTES:
                    self.problem = {"what": "note.long"}
                    return
        except Diverged as difference:
            self.problem = {"what": "note.version", "why": str(difference)}
        except Exception as bug:  # of the game, then and now
            self.problem = {"what": "note.bug", "bug": type(bug).__name__}

    def _hear(self, message: Any) -> None:
        if self._camera is not None:
            self._camera.hear(message)

    def _step(self, number: int, note: Note) -> None:
        before, ended = self.rerun.began, self._ended
        if self._camera is None:  # the step in which the match begins is told too
            self._camera = self._new_camera()
        self.rerun.repeat(note)
        began, self._ended = self.rerun.began, len(self.rerun.ended)
        if began is not None and began is not before:
            self._begin(began)
        elif began is None and self._ended == ended:
            self._camera = None  # between matches
            return
        if self._ended > ended:
            end = self.rerun.ended[-1]
            self._camera.add({"what": "ended", "winner": end.winner, "reason": end.reason})
        if (position := self._camera.take(number, note.date)) is not None:
            self.positions.append(position)
            self._size += len(position)

    def _begin(self, begun: Begun) -> None:
        """A match has begun; what was before it is another story."""
        assert self._camera is not None
        self.positions.clear()
        self._size = 0
        self.began = begun.date
        self._camera.add({"what": "began", "players": [*begun.began.players]})
        self.scenery = self._camera.scenery()

    def _new_camera(self) -> Camera:
        return Camera(self.page, self.rerun.table, everything=self.everything)


def project_live(game: str, beginning: Beginning, pages: Sequence[bytes], rest: bytes) -> bytes:
    """The positions of a match that goes on, as compressed JSON; nothing hidden is in it."""
    journal = b"".join([*map(zlib.decompress, pages), rest])
    found = _project(registry.load(game), beginning, [*read_notes(journal)], everything=False)
    return _compressed({"positions": _fragments(found.positions), "note": found.problem})


def project_record(path: Path, told: Mapping[str, Any]) -> bytes:
    """A match that is over, with everything that was hidden, as compressed JSON.

    Raises:
      OSError, BadRecord: it cannot be read.
      registry.UnknownGame: its game is not installed.
    """
    record = Record.read(path.read_bytes())
    about = record.about
    game = registry.load(str(about["game"]))
    found = _project(game, record.beginning, record.notes, everything=True)
    return _compressed(
        {
            "game": game.name,
            "title": game.title,
            "endpoint": about.get("endpoint"),
            "lobby": lobby_sign(str(about.get("lobby"))),
            "live": False,
            "began": found.began,
            "result": {key: about.get(key) for key in _RESULT},
            "scenery": orjson.Fragment(found.scenery),
            "positions": _fragments(found.positions),
            "note": found.problem,
            "tournament": None,
            **told,
        }
    )


def _project(
    game: Game, beginning: Beginning, notes: Sequence[Note], *, everything: bool
) -> Projection:
    if game.page is None:
        raise registry.UnknownGame(game.name)
    projection = Projection(game.page, Rerun(game, beginning), everything)
    projection.show(notes)
    return projection


def _fragments(positions: Iterable[bytes]) -> list[orjson.Fragment]:
    return [*map(orjson.Fragment, positions)]


def _compressed(told: Mapping[str, Any]) -> bytes:
    return gzip.compress(orjson.dumps(told), compresslevel=6, mtime=0)
