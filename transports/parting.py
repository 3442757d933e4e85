"""How far we have come with saying goodbye to a peer."""

import attrs

from transports.link import Farewell


@attrs.frozen
class Parting:
    """With which farewell we hang up, if we do, and whether our last word is said."""

    farewell: Farewell | None = None
    has_left: bool = False


# The same object for all that go on: most connections never need another one.
NOT_PARTING = Parting()
