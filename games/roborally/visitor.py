"""A connection as the server knows it: what it has said about itself."""

import attrs


@attrs.define(eq=False)
class Visitor:
    """Who is at the other end."""

    group: str = ""  # as HelloServer names it
