"""Stand-ins for what a table or a reception meets, for tests without Trio."""

from collections.abc import Sequence
from typing import Any

import attrs

from transports import Bucket


@attrs.define(eq=False)
class DummyClient:
    """A client without a connection."""

    number: int = 1
    host: str = "192.0.2.1"
    hosted: bool = False
    key: str = attrs.field(init=False)
    name: str = ""
    visitor: Any = None
    chats: Bucket | None = None
    places: Sequence[str] = ()

    def __attrs_post_init__(self) -> None:
        self.key = str(self.number)

    def __repr__(self) -> str:
        return f"<client {self.number}>"

    @property
    def origin(self) -> str:
        return self.host
