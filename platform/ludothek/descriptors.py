"""File descriptors: every connection takes one, and the system does not give many by default."""

import resource

# For listeners, organisers, files, and what libraries keep open.
RESERVED = 100

# Some systems would give a billion, and some programs take a look at each of them.
MOST = 65_536


def raise_limit() -> None:
    """Ask the system for as many as it lets us have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = min(_number(hard), MOST)
    if _number(soft) < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def room() -> int:
    """How many connections fit."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(1, _number(soft) - RESERVED)


def _number(limit: int) -> int:
    return MOST if limit == resource.RLIM_INFINITY else limit
