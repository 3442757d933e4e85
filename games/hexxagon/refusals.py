"""Strikes: the one answer to every message that is not allowed."""

from collections.abc import Iterator

from games.hexxagon.breaches import too_many_strikes
from games.hexxagon.messages import Strike
from games.hexxagon.visitor import Visitor
from ludothek.contract.clauses import Breach, Consequence
from ludothek.contract.client import Client
from ludothek.contract.effects import Effect, Explain, Kick, Send
from transports import Farewell


def strike(client: Client, visitor: Visitor, breach: Breach, most: int) -> Iterator[Effect]:
    """With a maximum of ten, the tenth strike is the end, as in the standard's example."""
    visitor.strikes += 1
    yield Explain(client, breach, Consequence.STRUCK)
    yield Send(client, Strike(strike_count=visitor.strikes, max_strike_count=most))
    if visitor.strikes >= most:
        yield Explain(client, too_many_strikes(most), Consequence.KICKED)
        yield Kick(client, Farewell.REFUSED)
