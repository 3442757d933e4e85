"""How people who play on the page, and those they play with, get into a lobby of their own."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from ludothek.contract.frozen import frozen
from ludothek.contract.orders import Opening


@frozen(kw_only=True)
class Invitation:
    """What somebody needs to know to take one seat of a lobby."""

    own: Mapping[str, str] = attrs.field(factory=dict)  # for a player: `PlayerOptions.own`
    name: str | None = None  # under which clients find the lobby, if it is listed
    message: Any  # of the protocol: what a client says to come in
    bot: Sequence[str] = ()  # what is added to the command line of `platform bot`


@frozen(kw_only=True)
class Invitations:
    """What a game that people can play on the page has to say about it."""

    # The lobby for players of these names, in the order of turns. True: somebody finds it by its
    # name, which is the one given; False: nobody is to come but those who are invited.
    opening: Callable[[str, Sequence[str], bool], Opening]
    # The invitation to a seat at that table; seats are in the order of turns.
    invite: Callable[[Any, int], Invitation]
    # Whoever comes first has the first turn; otherwise the invitation decides.
    first_come: bool = False
