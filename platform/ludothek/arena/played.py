"""A game that was played: its outcome, and the files that it leaves behind."""

import os
from collections.abc import Mapping
from pathlib import Path

import attrs

from ludothek.arena.outcome import Outcome
from ludothek.kit.partial import partial_file


@attrs.frozen
class Played:
    """Plain data, which other machines send home."""

    outcome: Outcome
    files: Mapping[str, bytes]  # by name

    def keep(self, folder: Path) -> None:
        """Write the files; blocks on I/O.

        Raises:
          OSError: the disk is full, for example.
        """
        if self.files:
            folder.mkdir(parents=True, exist_ok=True)
        for name, content in self.files.items():
            with partial_file(folder / name) as unfinished:
                unfinished.write_bytes(content)
                os.replace(unfinished, folder / name)
