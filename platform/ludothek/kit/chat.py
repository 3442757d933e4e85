"""How much a client may say to others."""

from collections.abc import Callable

from ludothek.contract.client import Client
from transports import Bucket, Rate

# Characters of a chat message that counts as one.
CHAT_CHARACTERS = 100


def may_chat(
    client: Client, text: str | bytes, rate: Rate | None, clock: Callable[[], float]
) -> bool:
    """Whether a client may say this to others now, given the rate that applies to everybody.

    A client that is thinking does not read, and is dropped when its receive buffer stays full. A
    few hundred kilobytes are enough for that, so long messages count as several, but never as more
    than the burst.
    """
    if rate is None:
        return True
    if client.chats is None:
        client.chats = Bucket(rate, clock())
    return client.chats.afford(min(chat_cost(text), rate.burst), clock)


def chat_cost(text: str | bytes) -> float:
    """As how many messages a text counts."""
    return max(1.0, len(text) / CHAT_CHARACTERS)
