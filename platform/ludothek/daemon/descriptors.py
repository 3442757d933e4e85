"""File descriptors: every connection takes one, and the default limit is low."""

import resource

import structlog

log = structlog.get_logger()

# For listeners, organisers, files and libraries.
RESERVED = 100

# Some systems allow a billion, and some programs iterate over all of them.
MOST = 65_536


def raise_limit() -> None:
    """Raise the soft limit as far as the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = min(_number(hard), MOST)
    if _number(soft) < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def room() -> int:
    """The number of connections that fit; of a very low limit, half is for connections."""
    soft = _number(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    return max(soft - RESERVED, soft // 2)


def check(connections: int) -> None:
    """Warn at the start if fewer connections fit than are allowed."""
    if (fitting := room()) < connections:
        hint = "raise the limit of open files (ulimit -n, LimitNOFILE=) or lower max_connections"
        log.warning("fewer connections fit than are allowed", fitting=fitting, hint=hint)


def _number(limit: int) -> int:
    return MOST if limit == resource.RLIM_INFINITY else limit
