"""The answer to every message that is out of place."""

from collections.abc import Iterator

from ludothek.api import Breach, Client, Consequence, Effect, Explain, Farewell, Kick, Send

from tictactoe.breaches import too_many_refusals
from tictactoe.messages import Refused
from tictactoe.visitor import Visitor


def refuse(client: Client, breach: Breach, most: int) -> Iterator[Effect]:
    """Say why, and hang up on a client that has been refused too often."""
    visitor: Visitor = client.visitor
    visitor.refusals += 1
    yield Explain(client, breach)
    yield Send(client, Refused(reason=str(breach)))
    if visitor.refusals >= most:
        yield Explain(client, too_many_refusals(most), Consequence.KICKED)
        yield Kick(client, Farewell.REFUSED)
