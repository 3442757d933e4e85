"""What binds the clients of Penguins."""

from typing import Any

from games.penguins.clauses import ours, protocol
from games.penguins.messages import Authenticate, CloseConnection, Error, ErrorPacket, Room
from ludothek.contract.clauses import Clauses, defined_in
from ludothek.contract.limit_clauses import LIMITS, MANY_VALUES, TCP_LIMITS
from transports import Complaint

# XML has limits of its own (`ours.small-packets`), and this game has a password.
_LIMITS = [each for each in TCP_LIMITS if each is not MANY_VALUES]
_LIMITS.append(LIMITS[Complaint.GUESSING])


def _refuses(message: Any) -> bool:
    return isinstance(message, ErrorPacket) or (
        isinstance(message, Room) and isinstance(message.data, Error)
    )


def _accepts_silently(message: Any) -> bool:
    return isinstance(message, Authenticate | CloseConnection)


CLAUSES = Clauses(
    [*defined_in(protocol, ours), *_LIMITS],
    refuses=_refuses,
    accepts_silently=_accepts_silently,
)
