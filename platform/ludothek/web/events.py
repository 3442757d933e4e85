"""Server-sent events: what browsers hear without asking."""

from typing import Any

import orjson

from ludothek.contract.frozen import frozen

# Browsers answer with nothing to a comment, but a proxy on the way sees that we are alive.
COMMENT = b":\n\n"


@frozen
class Event:
    """One event, encoded once for all browsers that hear it."""

    text: bytes

    @classmethod
    def make(cls, name: str, data: bytes, number: int | None = None) -> "Event":
        """An event whose data is JSON, and so has no line breaks."""
        mark = b"" if number is None else b"id: %d\n" % number
        return cls(b"event: %s\n%sdata: %s\n\n" % (name.encode(), mark, data))

    @classmethod
    def of(cls, name: str, data: Any) -> "Event":
        """The same for data that is still to be encoded."""
        return cls.make(name, orjson.dumps(data))


def chunk(text: bytes) -> bytes:
    """Text as a part of an HTTP/1.1 answer whose length is not known."""
    return b"%x\r\n%s\r\n" % (len(text), text)
