"""Where a client runs that is checked: as its author starts it, without a sandbox."""

import os
import shutil
import sys

from ludothek.arena.sandbox import FOR_DOTNET, LAUNCHER, Sandbox


class OpenAir(Sandbox):
    """The author's own folder, files and variables; only the bounds hold."""

    @property
    def directory(self) -> str:
        return os.getcwd()

    @property
    def environment(self) -> dict[str, str]:
        return {**FOR_DOTNET, **os.environ, **self.entrant.environment}

    @property
    def confined(self) -> bool:
        return False

    @property
    def command(self) -> list[str]:
        return [shutil.which(self.words[0]) or self.words[0], *self.words[1:]]

    def enclose(self, descriptor: int) -> list[str]:
        return [os.path.realpath(sys.executable), "-I", "-S", str(LAUNCHER), str(descriptor)]
