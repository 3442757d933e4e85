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
    """A mod that this server does not have."""

    def __init__(self, number: int, name: str) -> None:
        super().__init__(name[:60])
        self.number, self.name = number, name


def read_mods(names: Sequence[str]) -> frozenset[Mod]:
    """The mods of these names; raises UnknownMod."""
    known = {str(mod): mod for mod in Mod}
    for number, name in enumerate(names):
        if name not in known:
            raise UnknownMod(number, name)
    return frozenset(known[name] for name in names)
