"""Which clauses a client has reached: those about messages that it has sent."""

from collections.abc import Set

from ludothek.contract.clauses import EVERY_MESSAGE, Clause
from ludothek.contract.clock import Clock
from ludothek.contract.codec import Malformed
from ludothek.contract.game import Game


def bound_messages(game: Game) -> dict[str, tuple[str, ...]]:
    """The names of the messages that each clause binds, by its id."""
    codec = game.codec(Clock(), game.settings())

    def named(clause: Clause) -> tuple[str, ...]:
        if clause.binds or not clause.good.message:
            return clause.binds
        message = codec.decode_request(clause.good.message.encode())
        return () if isinstance(message, Malformed) else (game.clauses.name(message),)

    return {clause.id: named(clause) for clause in game.clauses.values()}


def is_reached(clause: Clause, bound: tuple[str, ...], sent: Set[str]) -> bool:
    """Whether somebody who has sent the messages of these names can have kept the clause."""
    if clause.unseen or clause.rare:
        return False
    if bound == EVERY_MESSAGE:
        return bool(sent)
    return any(name == each or name.startswith(f"{each} ") for name in sent for each in bound)
