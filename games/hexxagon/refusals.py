"""Strikes: the one answer to every message that is not allowed."""

from collections.abc import Iterator

import structlog

from games.hexxagon.messages import Strike
from games.hexxagon.visitor import Visitor
from ludothek.contract.client import Client
from ludothek.contract.effects import Effect, Explain, Kick, Send
from transports import Farewell

log = structlog.get_logger()


def strike(client: Client, visitor: Visitor, reason: str, most: int) -> Iterator[Effect]:
    """With a maximum of ten, the tenth strike is the end, as in the standard's example."""
    visitor.strikes += 1
    log.info("strike", reason=reason, count=visitor.strikes)
    yield Explain(client, reason)
    yield Send(client, Strike(strike_count=visitor.strikes, max_strike_count=most))
    if visitor.strikes >= most:
        yield Kick(client, Farewell.REFUSED)
