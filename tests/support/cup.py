"""A small tournament of built-in bots, played by the program itself."""

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

import attrs

from tests.support.program import PLATFORM

PATIENCE = 120.0

# Names, with their difficulties.
ENTRANTS = {"Ada": 1, "Grace": 2, "Alan": 3, "Edsger": 3, "Barbara": 2}


@attrs.define(eq=False)
class Cup:
    """The folder has its file, cup.toml, and its database, cup.db."""

    folder: Path

    @contextmanager
    def under_way(self) -> Iterator["subprocess.Popen[bytes]"]:
        """Let it be played while something else happens; what is left at the end is not played."""
        command = [*PLATFORM, "arena", "run", "cup.toml", "--db", "cup.db"]
        with (
            (self.folder / "log").open("w") as log,
            subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log) as process,
        ):
            try:
                yield process
            finally:
                process.terminate()

    def finish(self) -> None:
        with self.under_way() as process:
            assert process.wait(PATIENCE) == 0, (self.folder / "log").read_text()


def make_cup(
    folder: Path, title: str, entrants: Mapping[str, int] = MappingProxyType(ENTRANTS)
) -> Cup:
    """A knock-out of Hexxagon, which is over in some seconds."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [
        f'title = "{title}"\ngame = "hexxagon"\nformat = "knockout"\ngames = 2\nseed = 3',
        "[settings]\nmax_turns = 20",
        *(f'[[entrant]]\nname = "{name}"\nbot = {level}' for name, level in entrants.items()),
    ]
    (folder / "cup.toml").write_text("\n".join(lines))
    return Cup(folder)
