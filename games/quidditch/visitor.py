"""A connection as the server knows it, in the reception and at tables alike."""

import attrs

from games.quidditch.mods import Mod


@attrs.define(eq=False)
class Visitor:
    """Who has logged in on a connection, and in which role; nobody at first."""

    user_name: str = ""
    is_artificial_intelligence: bool = False
    mods: list[Mod] = attrs.field(factory=list)
