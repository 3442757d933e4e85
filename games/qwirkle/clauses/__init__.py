"""What binds the clients of Qwirkle."""

from typing import Any

from games.qwirkle.clauses import document, ours
from games.qwirkle.codec import Tolerated
from games.qwirkle.messages import Error, LeavingRequest, MoveValid, TileSwapValid
from ludothek.contract.clauses import Clauses, defined_in
from ludothek.contract.limit_clauses import TCP_LIMITS


def _refuses(message: Any) -> bool:
    match message:
        case Error() | MoveValid(validation=False) | TileSwapValid(validation=False):
            return True
    return False


def _accepts_silently(message: Any) -> bool:
    """Whoever leaves a game that has ended gets no answer."""
    return isinstance(message, LeavingRequest)


def opened(message: Any) -> Any:
    """A request as it was meant."""
    return message.message if isinstance(message, Tolerated) else message


def _name(message: Any) -> str:
    return type(opened(message)).__name__


CLAUSES = Clauses(
    [*defined_in(document, ours), *TCP_LIMITS],
    refuses=_refuses,
    accepts_silently=_accepts_silently,
    name=_name,
)
