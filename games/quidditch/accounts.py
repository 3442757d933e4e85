"""User names and their passwords, for the whole server and beyond its lifetime."""

import enum
import hashlib
import hmac
import os
import secrets
import threading
from collections import deque
from collections.abc import Container, Iterable
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Protocol

import argon2
import attrs
import structlog

from ludothek.kit.files import read_small_file
from ludothek.kit.partial import partial_file, sweep

log = structlog.get_logger()

# Hashing a password takes 19 MiB and some hundredths of a second.
_HASHER = argon2.PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)

# The output of argon2 has about a hundred characters.
MAX_BYTES = 1000

# Of a password in memory; nobody finds another one for the same digest by chance.
DIGEST_BYTES = 16

# A hash states the cost of checking it; above these, it is neither ours nor made for this machine.
MOST_TIME, MOST_MEMORY = 10, 256 * 1024  # passes, KiB

# The second line of an account whose user has played a match.
PLAYED = b"played\n"

# When all names are taken, all accounts are read to find those that may be removed; that takes a
# second, and is worth it only now and then.
SEARCH_SECONDS = 60.0


class Verdict(enum.IntEnum):
    """Whether a user may come in: all but the first mean yes."""

    WRONG = 0
    KNOWN = 1
    NEW = 2


class AccountsError(Exception):
    """Accounts cannot be read or stored; the text says which and why."""

    def __init__(self, problem: str, path: Path | None = None) -> None:
        super().__init__(f"{path}: {problem}" if path else problem)
        self.problem = problem  # the same for all accounts that have it


class CannotKeep(AccountsError):
    """A new account cannot be written."""


class Unregistered(Exception):
    """Nobody has this name, and new names are not given out now."""


class Accounts(Protocol):
    """Knows who is who."""

    @property
    def slow(self) -> bool:
        """Whether checking a password takes so long that it should be done in a thread."""

    def admit(self, name: str, password: str, *, register: bool = True) -> Verdict:
        """Whether this is the password of that name; a new name is registered with it.

        Raises:
          AccountsError: the account cannot be read or stored.
          Unregistered: the name is a new one that must not be registered.
        """

    def played(self, names: Iterable[str]) -> None:
        """These users have played a match: they keep their names. Blocks on I/O; raises OSError."""

    def remember(self) -> str:
        """What `recall` needs in another process, apart from files."""

    def recall(self, memory: str) -> None:
        """Know who is who, as another process did."""


@attrs.define
class MemoryAccounts:
    """Accounts that nobody can steal, as they vanish with the daemon; a quick hash is enough.

    While a daemon lives on in its successor, they are also in its runtime directory, which nobody
    else can read.
    """

    slow = False
    max_accounts: int
    present: Container[str] = ()  # connected users keep their names
    _salt: bytes = attrs.field(factory=lambda: secrets.token_bytes(hashlib.blake2b.SALT_SIZE))
    _digests: dict[str, str] = attrs.field(factory=dict)
    _players: set[str] = attrs.field(factory=set)
    _written: str | None = None  # all of this; None: it has changed since

    def admit(self, name: str, password: str, *, register: bool = True) -> Verdict:
        hashed = hashlib.blake2b(password.encode(), salt=self._salt, digest_size=DIGEST_BYTES)
        digest = hashed.hexdigest()
        if name in self._digests:
            right = hmac.compare_digest(self._digests[name], digest)
            return Verdict.KNOWN if right else Verdict.WRONG
        if not register:
            raise Unregistered(name)
        if len(self._digests) >= self.max_accounts:
            self._make_room()
        self._digests[name] = digest
        self._written = None
        return Verdict.NEW

    def _make_room(self) -> None:
        for name in self._digests:
            if name not in self._players and name not in self.present:
                del self._digests[name]
                return
        raise _full(self.max_accounts)

    def played(self, names: Iterable[str]) -> None:
        self._players.update(name for name in names if name in self._digests)
        self._written = None

    def remember(self) -> str:
        """What `recall` needs in another process.

        One text, because it is written down whenever somebody logs in: ten thousand accounts take a
        tenth of the time that they would take one by one.
        """
        if self._written is None:
            played = {name: "+" if name in self._players else "-" for name in self._digests}
            lines = [f"{name} {digest} {played[name]}" for name, digest in self._digests.items()]
            self._written = "\n".join([self._salt.hex(), *lines])
        return self._written

    def recall(self, memory: str) -> None:
        if not memory:
            return  # accounts were in files until now
        salt, *lines = memory.split("\n")
        self._salt = bytes.fromhex(salt)
        for line in lines:
            name, digest, played = line.split(" ")
            self._digests[name] = digest
            if played == "+":
                self._players.add(name)


@attrs.define
class KeptAccounts:
    """A directory with one small file per user; to reset a password, remove the file.

    Passwords are not kept in memory, so several endpoints and daemons can share the directory. A
    file is linked into it once it is complete: two users who want the same new name at the same
    moment cannot both get it, and a crash never leaves half a file that counts.
    """

    slow = True
    directory: Path
    max_accounts: int
    present: Container[str] = ()  # connected users keep their names
    _lock: threading.Lock = attrs.field(factory=threading.Lock)
    _idle: deque[Path] = attrs.field(factory=deque)  # whose users have never played, oldest first
    _searched: float | None = None  # when they were last looked for

    def __attrs_post_init__(self) -> None:
        sweep(self.directory)

    def admit(self, name: str, password: str, *, register: bool = True) -> Verdict:
        path = self.directory / name
        try:
            if not path.exists():
                if not register:
                    raise Unregistered(name)
                if self._create(path, password):
                    return Verdict.NEW
            return Verdict.KNOWN if _verify(path, password) else Verdict.WRONG
        except OSError as error:
            raise AccountsError(error.strerror or str(error), path) from None

    def _create(self, path: Path, password: str) -> bool:
        """Make a new account; False if somebody else was faster."""
        try:
            return self._write(path, password)
        except OSError as error:
            raise CannotKeep(error.strerror or str(error), path) from None

    def _write(self, path: Path, password: str) -> bool:
        self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        if sum(1 for _ in self._files()) >= self.max_accounts:
            self._make_room()
        with partial_file(path, 0o600) as partial:
            with open(partial, "w") as file:
                file.write(_HASHER.hash(password) + "\n")
                file.flush()
                os.fsync(file.fileno())
            try:
                os.link(partial, path)
            except FileExistsError:
                return False
        return True

    def _files(self) -> Iterable[os.DirEntry[str]]:
        """All accounts: no name begins with a dot, but unfinished files do."""
        with os.scandir(self.directory) as entries:
            yield from (entry for entry in entries if not entry.name.startswith("."))

    def _make_room(self) -> None:
        """Remove the oldest account whose user has never played."""
        with self._lock:
            if self._remove_idle():
                return
            now = monotonic()
            if self._searched is None or now - self._searched >= SEARCH_SECONDS:
                self._searched = now
                self._idle = deque(sorted(self._search(), key=_age))
                if self._remove_idle():
                    return
        raise _full(self.max_accounts)

    def _search(self) -> Iterable[Path]:
        for entry in self._files():
            path = Path(entry.path)
            if not _has_played(path):
                yield path

    def _remove_idle(self) -> bool:
        while self._idle:
            path = self._idle.popleft()
            # It may have played in the meantime, or be gone.
            if path.name not in self.present and not _has_played(path):
                path.unlink(missing_ok=True)
                log.info("account removed: its user has never played", user=path.name)
                return True
        return False

    def played(self, names: Iterable[str]) -> None:
        for name in names:
            path = self.directory / name
            if not _has_played(path):  # our own players have no account at all
                # Appended to the existing file: an account that was removed stays removed.
                with open(os.open(path, os.O_WRONLY | os.O_APPEND), "wb") as file:
                    file.write(PLAYED)

    def remember(self) -> str:
        return ""

    def recall(self, memory: str) -> None:
        pass  # everything is in the files


def _full(most: int) -> AccountsError:
    return AccountsError(f"there are {most} accounts already")


def _age(path: Path) -> float:
    """When it was made, if its user has never played."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _has_played(path: Path) -> bool:
    """Whether an account says so; a file that is none, or unreadable, is not ours to change."""
    try:
        content = read_small_file(path, MAX_BYTES)
    except OSError:
        return True
    return not content.startswith(b"$argon2") or content.endswith(b"\n" + PLAYED)


def _verify(path: Path, password: str) -> bool:
    try:
        kept = read_small_file(path, MAX_BYTES).decode("ascii").partition("\n")[0].strip()
        costs = argon2.extract_parameters(kept)
        if costs.time_cost > MOST_TIME or costs.memory_cost > MOST_MEMORY:
            raise AccountsError("checking this hash would take too long", path)
        with suppress(argon2.exceptions.VerifyMismatchError):
            return _HASHER.verify(kept, password)
    except (argon2.exceptions.InvalidHashError, UnicodeDecodeError):
        raise AccountsError("this is no password hash", path) from None
    except argon2.exceptions.VerificationError as error:
        raise AccountsError(str(error), path) from None
    return False
