"""What binds the clients of Robo Rally."""

from typing import Any

from games.roborally.announcements import ANNOUNCEMENTS
from games.roborally.clauses import ours, protocol
from games.roborally.messages import Error, PlayCard
from ludothek.contract.clauses import Clauses, defined_in
from ludothek.contract.limit_clauses import TCP_LIMITS


def _refuses(message: Any) -> bool:
    return isinstance(message, Error) and message.error not in ANNOUNCEMENTS


def _accepts_silently(message: Any) -> bool:
    # It only says that the message Boink will follow.
    return isinstance(message, PlayCard) and message.card == "Boink"


def _name(message: Any) -> str:
    """Most cards have sentences of their own."""
    name = type(message).__name__
    return f"{name} {message.card}" if isinstance(message, PlayCard) else name


CLAUSES = Clauses(
    [*defined_in(protocol, ours), *TCP_LIMITS],
    refuses=_refuses,
    accepts_silently=_accepts_silently,
    name=_name,
)
