"""A client of the past: what a table can know about one, without a connection."""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from ludothek.contract import plain
from ludothek.contract.client import Client
from ludothek.settings.limits import origin
from transports import Bucket

# What a table can know about a client, apart from its number.
KNOWN = ("key", "name", "host", "hosted", "visitor", "chats")


@attrs.define(eq=False)
class Ghost:
    """A client that is only remembered."""

    number: int
    key: str
    name: str
    host: str
    hosted: bool
    visitor: Any
    chats: Bucket | None
    places: Sequence[str] = ()

    def __repr__(self) -> str:
        return f"<client {self.number}>"

    @property
    def origin(self) -> str:
        return origin(self.host)


def introduce(client: Client) -> bytes:
    """What a table can know about a client; raises NotPlain."""
    return plain.write({name: getattr(client, name) for name in KNOWN})


def update(client: Client, known: Mapping[str, Any]) -> None:
    """Let a client be known as this from now on."""
    client.key, client.name, client.chats = known["key"], known["name"], known["chats"]
    visitor, told = client.visitor, known["visitor"]
    if attrs.has(type(visitor)) and type(visitor) is type(told):
        # The same object: members of a table refer to it.
        for field in attrs.fields(type(told)):
            setattr(visitor, field.name, getattr(told, field.name))
    else:
        client.visitor = told
