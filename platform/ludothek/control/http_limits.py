"""What an HTTP peer may cost."""

import attrs


@attrs.frozen(kw_only=True)
class HttpLimits:
    """What one connection may cost, and how many there may be.

    The defaults are for programs on this machine, for which two seconds are long. The largest
    sensible request contains a configuration file, which JSON escapes make longer.
    """

    head_bytes: int = 16 * 1024
    body_bytes: int = 256 * 1024
    seconds: float = 2.0  # for a head, for a body, and for each piece of the answer
    idle_seconds: float = 10.0  # between two requests on one connection
    connections: int = 1000
