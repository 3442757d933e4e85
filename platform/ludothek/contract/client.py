"""A connected peer as games see it."""

from collections.abc import Sequence
from typing import Any, Protocol

from transports import Bucket


class Client(Protocol):
    """A connected peer; games talk to it by effects only."""

    key: str  # how the peer is known on the wire; its number unless the game chooses
    name: str  # what the peer calls itself, once it has said so
    chats: Bucket | None  # what it may still say to others, see `ludothek.kit.chat`
    visitor: (
        Any  # what the game knows about the connection: plain data, see `docs/adding-a-game.md`
    )

    @property
    def number(self) -> int:
        """Counted from 1 at each endpoint."""

    @property
    def host(self) -> str:
        """The address it connects from, without the port."""

    @property
    def origin(self) -> str:
        """The address, or the whole network of an IPv6 address, since one machine has all of it."""

    @property
    def places(self) -> Sequence[str]:
        """The keys of the lobbies it is in, the latest last."""

    @property
    def hosted(self) -> bool:
        """Whether it is a bot that this daemon itself has brought."""
