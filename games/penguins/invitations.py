"""How people get into a room of their own, when they play on the page."""

from collections.abc import Sequence

from games.penguins.messages import JoinPrepared
from games.penguins.player import RESERVATION
from games.penguins.table import PenguinsTable
from ludothek.contract.invitation import Invitation, Invitations
from ludothek.contract.orders import Opening


def _opening(name: str, players: Sequence[str], listed: bool) -> Opening:
    """A prepared room, whose seats only those can take who have the codes.

    Its players have names, unlike those of a plain join, and may think as long as they like.
    """
    one, two = players
    return Opening(name=name, settings={"one": one, "two": two, "can_timeout": False})


def _invite(table: PenguinsTable, seat: int) -> Invitation:
    code = table.recipe.seats[seat].reservation
    assert code is not None
    return Invitation(
        own={RESERVATION: code},
        message=JoinPrepared(code),
        bot=("--reservation", code),
    )


INVITATIONS = Invitations(opening=_opening, invite=_invite)
