"""Flaws: what is wrong with a frame that is not a message, and where."""

import enum
from typing import Any

from ludothek.contract.frozen import frozen

# How many characters of a peer's input a reason quotes.
QUOTED = 40

# Whatever stands there, nobody is to read it in a log.
_SECRET = "password"


class FlawKind(enum.Enum):
    """How far a frame could be read."""

    UNREADABLE = "not even text, as the protocol wants it"
    TOO_LONG = "longer than a message may be"
    HALF = "the rest of a message did not come"
    TOO_MANY_VALUES = "text with too many parts"
    SYNTAX = "text, but not JSON or XML"
    NO_OBJECT = "JSON, but not an object"
    NO_TYPE = "an object that does not say which message it is"
    UNKNOWN_TYPE = "a message that the protocol does not have"
    NOT_FOR_CLIENTS = "a message that only servers send"
    MISSING = "a message without a field that it must have"
    WRONG = "a message with a field of the wrong type or value"


@frozen
class Flaw:
    """What is wrong with a frame, for whoever wants to know more than a sentence."""

    kind: FlawKind
    expected: str
    came: str
    pointer: str = ""  # to the field: a JSON pointer or an XPath; empty for the frame as a whole
    message: str = ""  # the type of the message, if it is known

    def at(self, pointer: str) -> "Flaw":
        """The same in another place; without `attrs.evolve`, which takes longer than the rest."""
        return Flaw(self.kind, self.expected, self.came, pointer, self.message)

    @classmethod
    def of_frame(cls, reason: str) -> "Flaw":
        """A frame that the transport could not read; its reason is all that is written down."""
        if " longer than " in reason:
            return cls(kind=FlawKind.TOO_LONG, expected="a shorter message", came=reason)
        if reason.startswith("half a message"):
            return cls(kind=FlawKind.HALF, expected="the rest of the message", came=reason)
        return cls(kind=FlawKind.UNREADABLE, expected="a text in UTF-8", came=reason)


class Unexpected(ValueError):
    """A value is not what a field must have."""

    def __init__(self, expected: str, value: Any) -> None:
        # Most of these are never shown, so there is no text until somebody wants it.
        self.expected, self.value = expected, value

    def __str__(self) -> str:
        return self.words(shown(self.value))

    def words(self, came: str) -> str:
        """Its text, if the value is shown as that."""
        return f"expected {self.expected}, not {came}"


class Mistyped(Unexpected):
    """A value is not even of the type of a field."""

    def __init__(self, expected: str, value: Any, name: str) -> None:
        super().__init__(expected, value)
        self.name = name

    def words(self, came: str) -> str:
        return f"expected {self.name}, not {type(self.value).__name__}"


def shown(value: Any) -> str:
    """What a peer has sent, in a few characters.

    Unlike `repr`, this is quick and cannot fail, however long or deeply nested the value is.
    """
    match value:
        case str():
            return repr(value) if len(value) <= QUOTED else f"{value[:QUOTED]!r}…"
        case None | bool() | int() | float():
            return repr(value)
        case dict():
            return "an object"
        case list():
            return "a list"
    return type(value).__name__


def pointer_to(*steps: str | int) -> str:
    """A JSON pointer; RFC 6901 has two characters that mean something else in it."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in steps)


def discreet(pointer: str, came: str) -> str:
    """What came in that field, unless it is a secret."""
    return "***" if _SECRET in pointer.lower() else came
