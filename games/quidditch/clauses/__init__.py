"""What binds the clients of Quidditch."""

from typing import Any

from games.quidditch.clauses import deltas, ours, rules, standard, teams
from games.quidditch.messages import (
    DeltaRequest,
    PrivateError,
    PrivateWarning,
    SendDebug,
    TeamConfig,
    TeamFormation,
)
from ludothek.contract.clauses import Clause, Clauses, defined_in
from ludothek.contract.limit_clauses import WEBSOCKET_LIMITS


def _refuses(message: Any) -> bool:
    return isinstance(message, PrivateError | PrivateWarning)


def _accepts_silently(message: Any) -> bool:
    """Of teams and formations, only the second one is heard of; debug information never is."""
    return isinstance(message, TeamConfig | TeamFormation | SendDebug)


def _name(message: Any) -> str:
    """Each deltaType has sentences of its own."""
    name = type(message).__name__
    return f"{name} {message.delta_type.value}" if isinstance(message, DeltaRequest) else name


def _numbers(clause: Clause) -> list[int]:
    return [int(number) for number in clause.id.split(".")]


_OF_STANDARD = sorted(defined_in(standard, teams, deltas), key=_numbers)

CLAUSES = Clauses(
    [*_OF_STANDARD, *defined_in(rules, ours), *WEBSOCKET_LIMITS],
    refuses=_refuses,
    accepts_silently=_accepts_silently,
    name=_name,
)
