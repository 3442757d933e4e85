"""What binds the clients of Hexxagon."""

from typing import Any

from games.hexxagon.clauses import ours, standard
from games.hexxagon.messages import LobbyCreated, LobbyJoined, Strike
from ludothek.contract.clauses import Clauses, defined_in
from ludothek.contract.limit_clauses import WEBSOCKET_LIMITS


def _refuses(message: Any) -> bool:
    match message:
        case Strike() | LobbyCreated(successfully_created=False):
            return True
        case LobbyJoined(successfully_joined=False):
            return True
    return False


CLAUSES = Clauses([*defined_in(standard, ours), *WEBSOCKET_LIMITS], refuses=_refuses)
