"""What a program of an entrant can see and reach: the command that encloses it, if there is one."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import attrs
import structlog

import games
import ludothek
import transports
from ludothek.arena.bounds import Bounds
from ludothek.arena.command_line import placeholders
from ludothek.arena.entrant import Entrant

log = structlog.get_logger()

LAUNCHER = Path(__file__).parent / "launcher.py"

# Without it, .NET makes a file of two terabytes, and is killed by the bound on files.
FOR_DOTNET = {"DOTNET_EnableWriteXorExecute": "0"}

# The working directory of a program, and its home.
INSIDE = "/tmp/game"

# Folders that belong to people or to running programs; what a program needs of them is put back.
PRIVATE = ("/tmp", "/var/tmp", "/home", "/root", "/run", "/media", "/mnt", "/srv")

# Folders that are not private because something of an entrant is in them.
SYSTEM = ("/", "/usr", "/usr/local", "/opt", "/etc", "/var", "/bin", "/lib")

# The machine as it is, but nobody can write.
MACHINE = ("--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev")

# Seconds for a first try whether sandboxes work here.
TRY_SECONDS = 10.0

# Not --die-with-parent, which means the thread that has started it; the launcher notices the end of
# the process by itself.
NAMESPACES = (
    *("--unshare-all", "--unshare-user", "--cap-drop", "ALL"),
    *("--as-pid-1", "--new-session"),
)

# In a namespace of its own inside, a program could mount file systems of any size. Old versions of
# bubblewrap cannot prevent that.
NO_FURTHER = "--disable-userns"


@cache
def bubblewrap() -> Sequence[str] | None:
    """The words that begin a sandbox, if bubblewrap is there and can do what is needed."""
    found = shutil.which("bwrap")
    if found is None:
        return None
    best, usual = (found, *NAMESPACES, NO_FURTHER), (found, *NAMESPACES)
    return best if _failing(best) is None else _tried(usual)


def _tried(wrapper: Sequence[str]) -> Sequence[str] | None:
    if (reason := _failing(wrapper)) is None:
        return wrapper
    log.warning("bubblewrap does not work here", reason=reason)
    return None


def _failing(wrapper: Sequence[str]) -> str | None:
    """Why no sandbox begins like this, or None."""
    try:
        # The first process of a sandbox sees only itself.
        script = "import os; print(os.getpid())"
        output = subprocess.run(
            [*wrapper, *MACHINE, sys.executable, "-I", "-S", "-c", script],
            capture_output=True,
            timeout=TRY_SECONDS,
            check=True,
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        reason: bytes = getattr(error, "stderr", b"") or str(error).encode()
        return reason.decode(errors="replace")[:500]
    return None if output == b"1\n" else "the launcher would not be process 1"


def is_enclosed() -> bool:
    """Whether programs have a network and a view of files and processes of their own."""
    return bubblewrap() is not None


@attrs.frozen
class Sandbox:
    """The place where one program of an entrant runs in one game."""

    entrant: Entrant
    words: Sequence[str]  # its command line, with all words replaced
    bounds: Bounds
    private: Sequence[str]  # files and folders of the tournament and of all entrants
    scratch: Path  # an empty directory, for programs without a namespace of their own

    @property
    def directory(self) -> str:
        """Where the program runs."""
        return INSIDE if is_enclosed() else str(self.scratch)

    @property
    def environment(self) -> dict[str, str]:
        """All variables of the program."""
        ours = os.path.dirname(sys.executable)
        return {
            "PATH": f"/usr/local/bin:/usr/bin:/bin:{ours}",
            "HOME": self.directory,
            "TMPDIR": self.directory,
            "LANG": "C.UTF-8",
            **FOR_DOTNET,
            **({"ENTRANT": self.entrant.folder} if self.entrant.folder else {}),
            **self.entrant.environment,
        }

    @property
    def confined(self) -> bool:
        """Whether system calls are taken away from the program, also without bubblewrap."""
        return True

    @property
    def command(self) -> list[str]:
        """The command line of the program: files of the entrant's folder by their full path.

        A program that only the organiser's own PATH has is found there.
        """
        words = [*self.words]
        if self.entrant.folder is not None:
            folder = Path(self.entrant.folder)
            # A name or a lobby that happens to be called like a file stays as it is.
            words = [
                word if any(placeholders([given])) else _in(folder, word)
                for given, word in zip(self.entrant.command, words, strict=True)
            ]
        usual = shutil.which(words[0], path=self.environment["PATH"])
        return [usual or shutil.which(words[0]) or words[0], *words[1:]]

    def enclose(self, descriptor: int) -> list[str]:
        """The command line that starts the launcher, which talks over this descriptor."""
        launch = [os.path.realpath(sys.executable), "-I", "-S", str(LAUNCHER), str(descriptor)]
        wrapper = bubblewrap()
        return launch if wrapper is None else [*wrapper, *self._view(), "--", *launch]

    def _view(self) -> Iterator[str]:
        """What can be seen inside: the machine, read-only, but nothing private."""
        size = str(self.bounds.files_megabytes * 1024 * 1024)
        yield from MACHINE
        near = [*self._near()]
        hidden = _outermost([*map(os.path.realpath, filter(os.path.isdir, PRIVATE)), *near])
        for folder in (*hidden, "/dev/shm"):
            yield from ("--size", size, "--tmpfs", folder)
        shown = _outermost([path for path in _ours() if _is_in(path, hidden)])
        for path in shown:
            yield from ("--ro-bind", path, path)
        again = [folder for folder in near if _is_in(folder, shown)]  # they have come back
        for folder in again:
            yield from ("--tmpfs", folder)
        # What is there already must not be bound once more: bubblewrap follows links while it
        # sets up, when they lead nowhere.
        own = _outermost(
            [
                path
                for path in self._own()
                if _is_in(path, hidden) and (_is_in(path, again) or not _is_in(path, shown))
            ]
        )
        for path in own:
            yield from ("--ro-bind", path, path)
        yield from ("--dir", INSIDE, "--chdir", INSIDE)
        empty = []
        for path in self._secrets():
            if _is_in(path, hidden) and not _is_in(path, [*shown, *own]):
                continue
            if os.path.isdir(path):
                empty.append(path)
                yield from ("--tmpfs", path)
            else:
                yield from ("--ro-bind", os.devnull, path)
        # Whatever is written there is kept in memory, so there is one place for it.
        for folder in dict.fromkeys((*hidden, *again, *empty, "/dev")):
            if not _is_in(INSIDE, [folder]):
                yield from ("--remount-ro", folder)

    def _near(self) -> Iterator[str]:
        """The folder in which the entrant's own is one of several."""
        if self.entrant.folder:
            folder = os.path.dirname(os.path.realpath(self.entrant.folder))
            if folder not in SYSTEM and not _is_in(sys.prefix, [folder]):
                yield folder

    def _secrets(self) -> Sequence[str]:
        """Results and other entrants, as far as nothing of this one is in them."""
        own = [*self._own(), *_ours()]
        paths = map(os.path.realpath, filter(os.path.exists, self.private))
        return _outermost([path for path in paths if not any(_is_in(o, [path]) for o in own)])

    def _own(self) -> Iterator[str]:
        """What belongs to the program."""
        if self.entrant.folder:
            yield os.path.realpath(self.entrant.folder)
            yield self.entrant.folder
        for word in self.command:
            if os.path.isabs(word) and os.path.exists(word):
                yield os.path.normpath(word)
        yield from _installation(self.command[0])


def _ours() -> Iterator[str]:
    """What a launcher and our own bots need."""
    yield from (str(LAUNCHER), sys.prefix, sys.base_prefix)
    for package in (ludothek, games, transports):
        yield from map(os.path.dirname, map(os.path.realpath, package.__path__))


def _is_in(path: str, folders: Sequence[str]) -> bool:
    return any(Path(path).is_relative_to(folder) for folder in folders)


def _outermost(paths: Sequence[str]) -> list[str]:
    """Those that are not in any of the others."""
    different = [*dict.fromkeys(paths)]
    return [
        path for path in different if not _is_in(path, [each for each in different if each != path])
    ]


def _in(folder: Path, word: str) -> str:
    """The full path of a file in that folder, or else the word itself."""
    try:
        return str(folder / word) if word and (folder / word).exists() else word
    except (OSError, ValueError):  # too long, or no path at all
        return word


def _installation(program: str) -> Iterator[str]:
    """The folders in which a program is installed that is found by links, such as a Python's."""
    for _ in range(10):
        if not os.path.isabs(program) or not os.path.lexists(program):
            return
        folder = os.path.dirname(program)
        yield os.path.dirname(folder) if os.path.basename(folder) == "bin" else program
        if not os.path.islink(program):
            return
        program = os.path.normpath(os.path.join(folder, os.readlink(program)))
