"""A connection as the server knows it, whatever rooms it is in."""

import attrs


@attrs.define(eq=False)
class Visitor:
    """What is known about one connection, in the reception and in rooms alike."""

    admin: bool = False
    observed: list[str] = attrs.field(factory=list)  # ids of rooms, some of which may be closed
    tries: int = 0  # wrong passwords
