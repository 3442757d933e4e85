"""What is known about a connection, wherever it is."""

import attrs


@attrs.define(eq=False)
class Visitor:
    """Plain data: no client, no table, nothing that cannot be written as JSON."""

    refusals: int = 0
    lobby: str | None = None  # the latest one it was let into
