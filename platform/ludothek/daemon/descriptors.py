"""File descriptors: every connection takes one, and the system does not give many by default."""

import resource

import structlog

log = structlog.get_logger()

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
    """How many connections fit; where there is hardly any, half of it is for them."""
    soft = _number(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    return max(soft - RESERVED, soft // 2)


def check(connections: int) -> None:
    """Say at the start if fewer connections fit than somebody may expect."""
    if (fitting := room()) < connections:
        hint = "raise the limit of open files (ulimit -n, LimitNOFILE=) or lower max_connections"
        log.warning("fewer connections fit than are allowed", fitting=fitting, hint=hint)


def _number(limit: int) -> int:
    return MOST if limit == resource.RLIM_INFINITY else limit
