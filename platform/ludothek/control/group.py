"""The group whose members are organisers."""

import errno
import grp
import os
import stat
from pathlib import Path

import attrs


class NoGroup(OSError):
    """There is no such group, or this user cannot assign files to it; the text says which."""


@attrs.frozen
class Group:
    """A user group of this machine."""

    name: str
    number: int

    @classmethod
    def named(cls, name: str) -> "Group":
        """Look up a group by name or by number: in a container, groups may have no names.

        Raises:
          NoGroup: it does not exist.
        """
        try:
            return cls(name, grp.getgrnam(name).gr_gid)
        except (KeyError, ValueError):
            if name.isascii() and name.isdecimal() and int(name) < 2**32 - 1:
                return cls(name, int(name))
        raise NoGroup(errno.ENOENT, f"there is no group {name!r}; add it with groupadd --system")

    def admit(self, path: Path, bits: int) -> None:
        """Grant the members access to a file or directory, in addition to its present users.

        Raises:
          NoGroup: this user may not assign files to that group.
        """
        # Not if it belongs to the group already: a sandbox may forbid chown altogether.
        if path.lstat().st_gid != self.number:
            try:
                os.chown(path, -1, self.number, follow_symlinks=False)
            except OSError as error:
                raise NoGroup(error.errno, self._not_ours()) from None
        path.chmod(stat.S_IMODE(path.lstat().st_mode) | bits)

    def _not_ours(self) -> str:
        return (
            f"{self.name!r} cannot be given the socket: this daemon's user must be a member of it, "
            "and in a sandbox (PrivateUsers=) it must be the user's own group, Group= in the unit"
        )

    def stopped_at(self, path: Path) -> Path | None:
        """The first directory on the path to a file that the members may not enter."""
        above = reversed(path.absolute().parents)
        return next((each for each in above if not self._may_pass(each)), None)

    def _may_pass(self, directory: Path) -> bool:
        found = directory.stat()
        of_group = found.st_gid == self.number
        return bool(found.st_mode & (stat.S_IXGRP if of_group else stat.S_IXOTH))
