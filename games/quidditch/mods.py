"""The modifications (mods) that clients may ask for (section 14)."""

import enum
from collections.abc import Sequence


class Mod(enum.StrEnum):
    CHAT = "chat"
    DISABLE_GENDER_BALANCE = "disableGenderBalance"
    REPLAY_WITH_SNAPSHOT = "replayWithSnapshot"
    LOBBIES = "lobbies"
    TEST = "test"

    # Names that errors and warnings had before they became part of the standard; known clients
    # still ask for them.
    ERROR = "error"
    WARNING = "warning"


class UnknownMod(ValueError):
    """A mod that this server does not have; the text is its name."""


def read_mods(names: Sequence[str]) -> frozenset[Mod]:
    """The mods of these names; raises UnknownMod."""
    known = {str(mod): mod for mod in Mod}
    for name in names:
        if name not in known:
            raise UnknownMod(name[:60])
    return frozenset(known[name] for name in names)
