"""Situations in which a check puts clients of Hexxagon."""

from ludothek.contract.orders import Opening
from ludothek.contract.situation import Situation, Situations

# As many as are listed at most, besides the one that is played in; a name has 64 characters.
_OTHERS = [Opening(name=f"{number:03} {'Größte Lobby ' * 4}ß") for number in range(149)]

SITUATIONS = Situations(
    more=(
        Situation(
            name="longest-list",
            about="AvailableLobbies has as many lobbies as it can have, all with long names.",
            lobbies=_OTHERS,
            decisions=8,
        ),
    ),
    absent={"server-pauses": "the protocol has no pause"},
)
