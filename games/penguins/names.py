"""Which class is which element on the wire, for messages that consist only of attributes."""

import enum
from collections.abc import Callable
from typing import Any

import attrs

from games.penguins.layout import Tag
from games.penguins.messages import (
    Authenticate,
    Cancel,
    CloseConnection,
    Join,
    Joined,
    JoinedGameRoom,
    JoinPrepared,
    JoinRoom,
    Left,
    MoveRequest,
    Observe,
    Observed,
    Pause,
    Paused,
    Slot,
    Step,
    WelcomeMessage,
)
from games.penguins.rules import Team
from ludothek.contract.codec import CannotRead, camel_case, shown
from ludothek.contract.flaws import Flaw, FlawKind

# Packets, and what may be inside them.
NAMES: dict[type[Any], str] = {
    Join: "join",
    JoinRoom: "joinRoom",
    JoinPrepared: "joinPrepared",
    # Its name in the documentation for all languages; the one that the Java client sends is long.
    CloseConnection: "close",
    Authenticate: "authenticate",
    Slot: "slot",
    Observe: "observe",
    Pause: "pause",
    Step: "step",
    Cancel: "cancel",
    Joined: "joined",
    Observed: "observed",
    JoinedGameRoom: "joinedGameRoom",
    Left: "left",
}
FLAT = {name: cls for cls, name in NAMES.items()} | {
    "sc.protocol.CloseConnection": CloseConnection,
    "sc.protocol.responses.CloseConnection": CloseConnection,
}

# Kinds of room data, told apart by the attribute `class`.
KIND_NAMES: dict[type[Any], str] = {
    WelcomeMessage: "welcomeMessage",
    MoveRequest: "moveRequest",
    Paused: "paused",
}
FLAT_KINDS = {name: cls for cls, name in KIND_NAMES.items()}


# What is wrong, and the way to it from here


def wrong(text: str, expected: str, came: str, pointer: str = "") -> CannotRead:
    return CannotRead(text, Flaw(FlawKind.WRONG, expected, came, pointer))


def at(step: str, error: CannotRead, message: str = "") -> CannotRead:
    """The same, seen from further outside: an XPath grows from its end."""
    flaw = error.flaw
    pointer = f"{step}{flaw.pointer}"
    return CannotRead(str(error), Flaw(flaw.kind, flaw.expected, flaw.came, pointer, message))


def _not(what: str, expected: str, text: str | None) -> CannotRead:
    if text is None:
        flaw = Flaw(FlawKind.MISSING, expected, "nothing")
        return CannotRead(f"not {what}: None", flaw)
    return wrong(f"not {what}: {text!r}", expected, shown(text))


# Values


def read_flag(text: str | None) -> bool:
    """Anything but ``true`` is false, as in Java."""
    return text == "true"


def _read_text(text: str | None) -> str | None:
    return text


def read_int(text: str | None, longest: int = 9) -> int:
    # Nine digits are more than any number here needs, and fit everywhere.
    if text and text.isascii() and text.removeprefix("-").isdigit() and len(text) <= longest:
        return int(text)
    raise _not("a number", "a whole number", text)


def read_coordinate(text: str | None) -> int:
    """However far off the board, it is a place that the rules forbid, and not malformed."""
    return read_int(text, longest=1000)


def read_team(text: str | None) -> Team:
    try:
        return Team(text)
    except ValueError:
        raise _not("a team", "ONE or TWO", text) from None


_READERS: dict[Any, Callable[[str | None], Any]] = {
    bool: read_flag,
    int: read_int,
    str | None: _read_text,
    Team: read_team,
}


def read_flat(cls: type[Any], get: Callable[[str], str | None]) -> Any:
    """A message of that class from its attributes; unknown ones are ignored.

    Raises:
      CannotRead: a required attribute is missing or wrong.
    """
    values = {}
    for field in attrs.fields(cls):
        name = camel_case(field.name)
        try:
            values[field.name] = _READERS[field.type](get(name))
        except CannotRead as error:
            raise at(f"/@{name}", error) from None
    return cls(**values)


def write_flat(name: str, message: Any, *first: tuple[str, str]) -> Tag:
    attributes = [
        (camel_case(field.name), write_value(value))
        for field in attrs.fields(type(message))
        if (value := getattr(message, field.name)) is not None
    ]
    return Tag(name, (*first, *attributes))


def write_value(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case enum.Enum():
            return str(value.value)
    return str(value)
