"""How a match ends where its game has no say."""

from ludothek.contract.effects import Began, Ended
from ludothek.contract.results import ranked

# Why a match was not played to its end.
SHUTDOWN, FAULT, CLOSED = "shutdown", "fault", "closed"


def untold(began: Began) -> Ended:
    """The end of a match whose table could not report it."""
    places = ranked([(name, None) for name in began.players], None, decided=False)
    return Ended(players=places, winner=None, reason=CLOSED, moves=0)
