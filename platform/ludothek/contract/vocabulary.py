"""The vocabulary of a protocol: all that its two sides can say."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from ludothek.contract.codec import camel_case


@attrs.frozen(kw_only=True)
class Vocabulary:
    """The messages of a protocol, for whoever wants to know which of them were never used."""

    requests: Sequence[type] = ()  # what clients say
    answers: Sequence[type] = ()  # what the server says
    wire_name: Callable[[str], str] = camel_case  # of a field
    # Which of the answers a message of the server is, if others are in an envelope.
    kind: Callable[[Any], type] = type
    # A message of clients as it was meant, if those in a tolerated dialect are in an envelope.
    opened: Callable[[Any], Any] = lambda message: message

    @classmethod
    def of(
        cls,
        messages: Mapping[Any, type],
        requests: set[Any],
        **options: Callable[[Any], Any],
    ) -> "Vocabulary":
        """Of a protocol whose messages have names, some of which clients say and no server."""
        return cls(
            requests=[each for name, each in messages.items() if name in requests],
            answers=[each for name, each in messages.items() if name not in requests],
            **options,
        )

    def fields(self, message: type) -> Iterator[str]:
        """The fields of a message, as they are called on the wire."""
        yield from (self.field(message, each.name) for each in attributes(message))

    def field(self, message: type, attribute: str) -> str:
        return f"{message.__name__}.{self.wire_name(attribute)}"


def attributes(message: type) -> "tuple[attrs.Attribute[Any], ...]":
    """The attributes of a class of messages."""
    return attrs.fields(message) if attrs.has(message) else ()
