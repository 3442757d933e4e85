"""The answer to every message that is out of place."""

from collections.abc import Iterator

from ludothek.api import Client, Effect, Farewell, Kick, Send

from tictactoe.messages import Refused
from tictactoe.visitor import Visitor


def refuse(client: Client, reason: str, most: int) -> Iterator[Effect]:
    """Say why, and hang up on a client that has been refused too often."""
    visitor: Visitor = client.visitor
    visitor.refusals += 1
    yield Send(client, Refused(reason=reason))
    if visitor.refusals >= most:
        yield Kick(client, Farewell.REFUSED)
