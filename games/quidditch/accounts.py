"""User names and their passwords, for the whole server and beyond its end."""

import hashlib
import hmac
import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import argon2
import attrs
import trio

from ludothek.files import read_small_file

# Passwords are hashed one or two at a time: each takes 19 MiB and some hundredths of a second.
AT_ONCE = 2
_HASHER = argon2.PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)

# What argon2 writes has about a hundred characters.
MAX_BYTES = 1000

# A hash tells what it costs to check it; beyond that it is none of ours, nor one for this machine.
MOST_TIME, MOST_MEMORY = 10, 256 * 1024  # passes, KiB


class AccountsError(Exception):
    """Accounts cannot be read or kept; the text says which and why."""


class CannotKeep(AccountsError):
    """A new account cannot be written."""


class Accounts(Protocol):
    """Knows who is who."""

    async def admit(self, name: str, password: str) -> bool:
        """Whether this is the password of that name; a new name gets it as its password.

        Raises:
          AccountsError: nobody can tell.
        """


@attrs.define
class MemoryAccounts:
    """Accounts that nobody can steal, as they are gone with the daemon; a quick hash is enough."""

    max_accounts: int
    _salt: bytes = attrs.field(factory=lambda: secrets.token_bytes(16))
    _digests: dict[str, bytes] = attrs.field(factory=dict)

    async def admit(self, name: str, password: str) -> bool:
        digest = hashlib.blake2b(password.encode(), salt=self._salt).digest()
        if name not in self._digests and len(self._digests) >= self.max_accounts:
            raise AccountsError(f"there are {self.max_accounts} accounts already")
        return hmac.compare_digest(self._digests.setdefault(name, digest), digest)


@attrs.define
class KeptAccounts:
    """A directory with one small file per user; to forget a password, remove the file.

    Nothing is kept in memory, so several endpoints and daemons can share the directory. A file is
    linked into it when it is complete: two who want one new name at the same moment cannot both
    get it, and no crash leaves half a file.
    """

    directory: Path
    max_accounts: int
    _limiter: trio.CapacityLimiter = attrs.field(factory=lambda: trio.CapacityLimiter(AT_ONCE))

    async def admit(self, name: str, password: str) -> bool:
        # A disk that hangs must not keep the daemon from ending.
        return await trio.to_thread.run_sync(
            self._admit, name, password, limiter=self._limiter, abandon_on_cancel=True
        )

    def _admit(self, name: str, password: str) -> bool:
        path = self.directory / name
        try:
            if not path.exists() and self._create(path, password):
                return True
            return _verify(path, password)
        except OSError as error:
            raise AccountsError(f"{path}: {error.strerror or error}") from None

    def _create(self, path: Path, password: str) -> bool:
        """Make a new account; False if somebody else was quicker."""
        try:
            return self._write(path, password)
        except OSError as error:
            raise CannotKeep(f"{path}: {error.strerror or error}") from None

    def _write(self, path: Path, password: str) -> bool:
        self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        if sum(1 for _ in os.scandir(self.directory)) >= self.max_accounts:
            raise AccountsError(f"there are {self.max_accounts} accounts already")
        partial = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
        try:
            with open(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(_HASHER.hash(password) + "\n")
                file.flush()
                os.fsync(file.fileno())
            os.link(partial, path)
        except FileExistsError:
            return False
        finally:
            partial.unlink(missing_ok=True)
        return True


def _verify(path: Path, password: str) -> bool:
    try:
        kept = read_small_file(path, MAX_BYTES).decode("ascii").strip()
        costs = argon2.extract_parameters(kept)
        if costs.time_cost > MOST_TIME or costs.memory_cost > MOST_MEMORY:
            raise AccountsError(f"{path}: checking this hash would take too long")
        with suppress(argon2.exceptions.VerifyMismatchError):
            return _HASHER.verify(kept, password)
    except (argon2.exceptions.InvalidHashError, UnicodeDecodeError):
        raise AccountsError(f"{path}: this is no password hash") from None
    except argon2.exceptions.VerificationError as error:
        raise AccountsError(f"{path}: {error}") from None
    return False
