"""What the reception and the tables tell each other."""

from collections.abc import Sequence

import attrs


@attrs.frozen
class MakeRoom:
    """The lobby has to close because another one needs its place."""


@attrs.frozen
class Played:
    """These users have played a match worthy of the name."""

    user_names: Sequence[str]
