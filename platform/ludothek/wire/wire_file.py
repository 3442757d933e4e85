"""One file of the wire log."""

from datetime import UTC, datetime
from pathlib import Path

from ludothek.storage.lines import Lines
from ludothek.storage.rotating_file import RotatingFile, RotationPolicy
from ludothek.storage.writer import Writer
from ludothek.wire.line import note_line


class WireFile(Lines):
    """Lines of the wire log; where some are lost, the file itself says so."""

    def __init__(self, writer: Writer, path: Path, rotation: RotationPolicy) -> None:
        super().__init__(
            writer, RotatingFile(path, rotation), called="the wire log", note=_lost_note
        )
        self.path = path


def _lost_note(lines: int) -> bytes:
    return note_line(datetime.now(UTC), "lost", lines=lines)
