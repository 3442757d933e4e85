"""Which clauses the clients of a server have broken, as it explains them."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Generic, TypeVar

import attrs
import trio
from trio.testing import wait_all_tasks_blocked

from ludothek.contract.clauses import Breach, Clauses
from ludothek.contract.clock import Clock
from ludothek.contract.codec import Malformed
from ludothek.contract.game import Game
from ludothek.contract.limit_clauses import LIMITS, WEBSOCKET
from ludothek.runtime.endpoint import Endpoint
from ludothek.runtime.explanations import Explanation

# Id of the clause, pointer to the field, consequence
Broken = tuple[str, str, str]

Scene = TypeVar("Scene")  # what a test plays with: a server and some clients
Play = Callable[[Scene], Awaitable[None]]


@attrs.frozen
class Case(Generic[Scene]):
    """Something that breaks one clause and no other."""

    broken: Broken
    play: Play[Scene]
    settings: Mapping[str, Any] = attrs.field(factory=dict)  # of the game

    def __str__(self) -> str:
        clause, pointer, _ = self.broken
        return f"{clause}-{pointer}-{self.play.__name__}"


class Cases(list[Case[Scene]]):
    """The table of what breaks which clause of a game."""

    def breaks(
        self, clause: str, pointer: str, consequence: str = "refused", **settings: Any
    ) -> Callable[[Play[Scene]], Play[Scene]]:
        """Add what the decorated function does with these settings."""

        def add(play: Play[Scene]) -> Play[Scene]:
            self.append(Case((clause, pointer, consequence), play, settings))
            return play

        return add

    @property
    def clauses(self) -> set[str]:
        """The ids of all that are broken."""
        return {case.broken[0] for case in self}


def explanations(endpoint: Endpoint) -> list[Explanation]:
    """Of all clients, also of those that are gone, the oldest first."""
    clients = (*endpoint.clients, *endpoint.clients.refused)
    found = [each for client in clients for each in client.explanations or ()]
    return sorted(found, key=lambda each: each.date)


def broken(endpoint: Endpoint) -> set[Broken]:
    return {
        (each.breach.clause.id, each.breach.pointer, each.consequence.value)
        for each in explanations(endpoint)
    }


async def hear_of_breach(endpoint: Endpoint) -> None:
    """Wait until something is explained."""
    with trio.fail_after(10):
        while not explanations(endpoint):
            await wait_all_tasks_blocked(0.01)


def breakable(clauses: Clauses) -> set[str]:
    """The ids of those that clients of this game can break; limits are the server's business."""
    limits = {each.id for each in (WEBSOCKET, *LIMITS.values())}
    return {key for key, each in clauses.items() if not each.unseen} - limits


def misnamed(game: Game, unreadable: Callable[[Malformed], Breach]) -> dict[str, str]:
    """Clauses whose bad example cannot be read and breaks another one, and which that is."""
    codec = game.codec(Clock(), game.settings())
    found = {}
    for clause in game.clauses.values():
        message = codec.decode_request(clause.bad.message.encode())
        if clause.bad.message and isinstance(message, Malformed):
            found[clause.id] = unreadable(message).clause.id
    assert found
    return {key: broken for key, broken in found.items() if key != broken}
