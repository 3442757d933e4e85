"""File descriptors: every connection takes one, and the default limit is low."""

import resource

import structlog

log = structlog.get_logger()

# For listeners, organisers, files and libraries.
RESERVED = 100

# Of the connections that fit, browsers may take one in so many: players come first.
PAGE_SHARE = 4

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


def room_for_page(connections: int) -> int:
    """How many browsers may connect at a time, if so many are allowed to."""
    return min(connections, room() // PAGE_SHARE)


def check(connections: int, browsers: int = 0) -> None:
    """Warn at the start if fewer connections fit than are allowed, besides those of browsers."""
    if (fitting := room() - browsers) < connections:
        hint = "raise the limit of open files (ulimit -n, LimitNOFILE=) or lower max_connections"
        log.warning("fewer connections fit than are allowed", fitting=fitting, hint=hint)


def _number(limit: int) -> int:
    return MOST if limit == resource.RLIM_INFINITY else limit
