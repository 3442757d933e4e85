"""Typed settings: how they are declared, converted from text and files, and checked."""

import difflib
import enum
import tomllib
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, time
from typing import Any, TypeVar, cast, get_origin

import attrs

T = TypeVar("T")

Check = Callable[[Any], str | None]

# Characters of a wrong value that an error message quotes.
LONGEST_SHOWN = 60


class SettingsError(ValueError):
    """A setting is wrong; the text says where, what, and what would be right."""


def setting(default: Any, help_: str, *, check: Check | None = None, file: bool = False) -> Any:
    """A field of a settings class: its default, what it means, and which values it takes.

    A setting that may be absent has a type like ``int | None`` and the default None. If the text
    may name a file, `file` says so: a reload then notices when the content has changed.
    """
    return attrs.field(default=default, metadata={"help": help_, "check": check, "file": file})


def named_files(settings: Any) -> list[str]:
    """The values of settings that may name a file."""
    files = (field.name for field in attrs.fields(type(settings)) if field.metadata.get("file"))
    return [path for name in files if (path := getattr(settings, name)) is not None]


def at_least(minimum: float) -> Check:
    return lambda value: None if value >= minimum else f"must be at least {minimum:g}"


def between(minimum: float, maximum: float) -> Check:
    return lambda value: (
        None if minimum <= value <= maximum else f"must be from {minimum} to {maximum}"
    )


@attrs.frozen(kw_only=True)
class GameSettings:
    """Settings that every game has."""

    bots: int = setting(
        0,
        "hosted bots that join a lobby as soon as a person is in it, so that one person can play "
        "alone",
        check=between(0, 9),
    )
    bot_difficulty: int = setting(
        0, "difficulty of these bots; 0 is the strongest", check=at_least(0)
    )
    records: int = setting(
        10_000,
        "records of its ended matches to keep in the state directory, for platform matches and "
        "platform replay; 0: none",
        check=between(0, 1_000_000),
    )
    records_megabytes: int = setting(
        256, "megabytes that these records may take", check=between(1, 65536)
    )
    wire_log: bool = setting(
        False,
        "record every message, in both directions, in a file under wire/ in the state directory",
    )
    wire_log_megabytes: int = setting(
        64, "size in megabytes at which a wire log is rotated", check=between(1, 65536)
    )
    wire_log_files: int = setting(
        2, "number of rotated files to keep per wire log", check=between(0, 99)
    )


@attrs.frozen
class BadValue:
    """A key whose value is not accepted, and why."""

    key: str
    reason: str  # names the key


def build(cls: type[T], values: Mapping[str, Any], where: str) -> T:
    """Settings of that class, with `values` in place of defaults.

    Raises:
      SettingsError: a key is unknown, or a value has the wrong type or is out of range.
    """
    right, problems = sift(cls, values)
    if problems:
        raise SettingsError(f"{where}: {problems[0].reason}")
    try:
        return cls(**right)
    except SettingsError as error:  # each value is right, but not with the others
        raise SettingsError(f"{where}: {error}") from None


def sift(
    cls: type[T], values: Mapping[str, Any], besides: Sequence[str] = ()
) -> tuple[dict[str, Any], list[BadValue]]:
    """The values that are right for these settings, and the problems of all others.

    `besides` are further keys that may have been meant.
    """
    fields = {field.name: field for field in attrs.fields(cast("type[attrs.AttrsInstance]", cls))}
    right, problems = {}, []
    for key, value in values.items():
        try:
            if key not in fields:
                raise SettingsError(f"unknown setting {key!r}{nearest(key, [*fields, *besides])}")
            right[key] = _value(fields[key], value)
        except SettingsError as error:
            problems.append(BadValue(key, str(error)))
    return right, problems


def nearest(word: str, known: Iterable[str]) -> str:
    """Suggests the known word that was probably meant, or lists all of them."""
    known = list(known)
    if close := difflib.get_close_matches(word, known, n=1, cutoff=0.5):
        return f"; did you mean {close[0]!r}?"
    return f"; known are {', '.join(sorted(known))}"


def _value(field: "attrs.Attribute[Any]", value: Any) -> Any:
    try:
        result = _convert(field.type, value)
    except ValueError as error:
        raise SettingsError(f"{field.name}: {error}") from None
    check: Check | None = field.metadata.get("check")
    if check and (problem := check(result)):
        raise SettingsError(f"{field.name}: {problem}, not {_shown(result)}")
    return result


def _shown(value: Any) -> str:
    """A value as written in a file, shortened if it is long."""
    if isinstance(value, Text):
        value = value.value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, int) and value.bit_length() > 64:
        return "a huge number"
    text = str(value) if isinstance(value, date | time) else repr(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def _convert(kind: Any, value: Any) -> Any:
    kind = _present(kind)
    if isinstance(value, Text):
        value = value.word if kind is str else value.value
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return _member(kind, value)
    if kind is float and type(value) is int and value.bit_length() <= 64:
        return float(value)
    if type(value) is not (get_origin(kind) or kind):
        raise ValueError(f"expected {_KINDS.get(kind, kind)}, not {_shown(value)}")
    if kind is str and "\0" in value:  # no host or file has such a name
        raise ValueError("expected text without zero bytes")
    return value


def _present(kind: Any) -> Any:
    """The type of an optional value when it is present: TOML has no null."""
    if isinstance(kind, types.UnionType):
        (kind,) = (member for member in kind.__args__ if member is not types.NoneType)
    return kind


_KINDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
    list[str]: "a list of texts",
    dict[str, Any]: "a table",
}


def _member(kind: type[enum.Enum], value: Any) -> enum.Enum:
    try:
        return kind(value)
    except (ValueError, TypeError):  # a list or table is not hashable
        known = ", ".join(str(member.value) for member in kind)
        raise ValueError(f"expected one of {known}, not {_shown(value)}") from None


@attrs.frozen
class Text:
    """A value from the command line: as typed, and parsed as TOML if possible."""

    text: str
    value: Any

    @property
    def word(self) -> str:
        """The value as text: a TOML string without its quotes, anything else as typed."""
        return self.value if isinstance(self.value, str) else self.text

    @classmethod
    def read(cls, text: str) -> "Text":
        try:
            values = tomllib.loads(f"value = {text}")
        except (ValueError, RecursionError):
            return cls(text, text)  # a bare word
        return cls(text, values["value"] if len(values) == 1 else text)
