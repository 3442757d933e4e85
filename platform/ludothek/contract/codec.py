"""Frames to messages and back; what JSON codecs of several games share."""

from codecs import BOM_UTF8
from collections.abc import Callable, Collection, Mapping
from typing import Any, Protocol, get_args, get_origin

import attrs
import cattrs
import orjson
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override
from cattrs.preconf.orjson import make_converter

from ludothek.contract.flaws import Flaw, FlawKind, Mistyped, Unexpected, discreet, pointer_to
from ludothek.contract.flaws import shown as shown
from ludothek.contract.frozen import frozen
from ludothek.contract.half_characters import loads
from transports import Complaint, brief

# Commas, colons and opening brackets of a request. A list of empty objects takes fifty times as
# much memory as its text; the longest real request has a tenth of this.
MAX_SIGNS = 8192


@frozen
class Malformed:
    """A frame that could not be read as a message of its protocol, and why."""

    reason: str = attrs.field(converter=brief)
    flaw: Flaw = attrs.field(
        kw_only=True,
        default=attrs.Factory(lambda self: Flaw.of_frame(self.reason), takes_self=True),
        eq=False,
        repr=False,
    )


class Codec(Protocol):
    """Reads and writes the messages of one protocol; messages do not affect each other's frames."""

    def decode(self, frame: bytes) -> Any:
        """The message in a frame, or Malformed; never raises, whatever the bytes are.

        Accepts the messages of both sides: computer players use it, and trust their server.
        """

    def decode_request(self, frame: bytes) -> Any:
        """The message of a client, or Malformed; never raises, whatever the bytes are.

        Messages that only servers send are refused unread. Whatever is in the frame, this takes at
        most a few milliseconds and two megabytes, since clients cannot be trusted.
        """

    def encode(self, message: Any) -> bytes:
        """The frame of a message, the same for all its receivers."""

    def address(self, frame: bytes, key: str) -> bytes:
        """The frame as the receiver known as `key` gets it."""

    def refusal(self, complaint: Complaint) -> bytes | None:
        """The frame that tells a peer why it is dropped, if the protocol has one for it."""


class WrittenOnce:
    """Encodes a message that many clients ask for only once, as long as it stays the same."""

    def __init__(self, write: Callable[[Any], bytes]) -> None:
        self._write = write
        self._message: Any = None
        self._frame = b""

    def __call__(self, message: Any) -> bytes:
        if message is not self._message:
            self._frame = self._write(message)
            self._message = message
        return self._frame


class CannotRead(ValueError):
    """A frame cannot be read as a message; the text says why, the flaw says it in parts."""

    def __init__(self, reason: str, flaw: Flaw | None = None) -> None:
        super().__init__(reason)
        self.flaw = flaw or Flaw.of_frame(brief(reason))


class NotForClients(CannotRead):
    """A client has sent what only servers send."""

    def __init__(self, name: str, type_field: str = "") -> None:
        flaw = Flaw(
            kind=FlawKind.NOT_FOR_CLIENTS,
            message=name,
            pointer=type_field,
            expected="a message of clients",
            came=name,
        )
        super().__init__(f"{name} is a message of the server.", flaw)


def camel_case(name: str) -> str:
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(word.capitalize() for word in rest)


# Reading


def wire_converter(
    *,
    explaining: bool = False,
    nulls: bool = False,
    rename: Callable[[str], str] = camel_case,
) -> cattrs.Converter:
    """A converter for wire messages: camelCase names, exact types, absent unless `nulls`.

    A field that may be null has the default None; no other field has a default. A converter that
    explains is slower, and says where the first flaw is.
    """
    converter = make_converter(detailed_validation=False)
    for exact in (int, str, bool):
        converter.register_structure_hook(exact, exactly(exact))
    converter.register_structure_hook_factory(
        is_list, lambda kind: _list_reader(kind, converter, explaining=explaining)
    )
    converter.register_structure_hook_factory(
        attrs.has,
        lambda cls: (
            _explaining_reader(cls, converter, rename)
            if explaining
            else make_dict_structure_fn(
                cls, converter, _cattrs_detailed_validation=False, **_wire_names(cls, rename)
            )
        ),
    )
    converter.register_unstructure_hook_factory(
        attrs.has,
        lambda cls: make_dict_unstructure_fn(
            cls, converter, _cattrs_omit_if_default=not nulls, **_wire_names(cls, rename)
        ),
    )
    return converter


def exactly(exact: type) -> Callable[[Any, Any], Any]:
    """No coercion: ``"3"`` is not 3, and true is not 1."""

    def check(value: Any, _: Any) -> Any:
        if type(value) is not exact:
            raise Mistyped(_WORDS.get(exact, exact.__name__), value, exact.__name__)
        return value

    return check


# What students call the types.
_WORDS = {int: "an integer", str: "a text", bool: "true or false"}


def is_list(kind: Any) -> bool:
    origin: Any = get_origin(kind)
    return origin is list


def _wire_names(cls: type, rename: Callable[[str], str]) -> dict[str, Any]:
    return {field.name: override(rename=rename(field.name)) for field in attrs.fields(cls)}


_WRONG = FlawKind.WRONG


class _Found(ValueError):
    """What is wrong, and the way to it from here."""

    def __init__(self, text: str, expected: str, came: str, kind: FlawKind = _WRONG) -> None:
        self.text, self.kind, self.expected, self.came = text, kind, expected, came
        self.path = self.pointer = ""

    def at(self, step: str | int) -> "_Found":
        self.path = f"[{step}]{self.path}" if type(step) is int else f".{step}{self.path}"
        self.pointer = f"/{step}{self.pointer}"  # no name of a field needs to be escaped
        return self

    def as_error(self, message: str) -> "CannotRead":
        pointer = self.pointer
        where = f" @ ${self.path}" if pointer else ""
        flaw = Flaw(self.kind, self.expected, discreet(pointer, self.came), pointer, message)
        return CannotRead(f"{message}: {self.text}{where}", flaw)


def _found(error: Exception, value: Any) -> _Found:
    """What is wrong with one part of a message; our own checks have the best texts."""
    if isinstance(error, _Found):
        return error
    came = shown(value)
    if isinstance(error, Unexpected):
        return _Found(error.words(came), error.expected, came)
    text = brief(str(error)) if isinstance(error, ValueError) else "cannot be read"
    return _Found(text, "something else", came)


def _list_reader(
    kind: Any, converter: cattrs.Converter, *, explaining: bool
) -> Callable[[Any, Any], list[Any]]:
    # On its own the converter takes any text or object for a list of its parts.
    (item,) = get_args(kind)
    read_item = converter.get_structure_hook(item)

    def read(value: Any, _: Any) -> list[Any]:
        if type(value) is not list:
            raise Mistyped("a list", value, "a list")
        return [read_item(each, item) for each in value]

    def explain(value: Any, _: Any) -> list[Any]:
        if type(value) is not list:
            return read(value, _)
        found = []
        for place, each in enumerate(value):
            try:
                found.append(read_item(each, item))
            except Exception as error:
                raise _found(error, each).at(place) from None
        return found

    return explain if explaining else read


def _explaining_reader(
    cls: type, converter: cattrs.Converter, rename: Callable[[str], str]
) -> Callable[[Any, Any], Any]:
    fields = [
        (field, rename(field.name), converter.get_structure_hook(field.type))
        for field in attrs.fields(cls)
    ]

    def read(value: Any, _: Any) -> Any:
        if type(value) is not dict:
            raise Mistyped("an object", value, "an object")
        found = {}
        for field, key, read_field in fields:
            if key in value:
                try:
                    found[field.alias] = read_field(value[key], field.type)
                except Exception as error:
                    raise _found(error, value[key]).at(key) from None
            elif field.default is attrs.NOTHING:
                text = "required field missing"
                raise _Found(text, f"the field {key}", "nothing", FlawKind.MISSING).at(key)
        return cls(**found)

    return read


def read_object(frame: bytes) -> dict[str, Any]:
    """The JSON object in a frame.

    Raises:
      CannotRead: the frame is not JSON, or not an object.
    """
    try:
        value = loads(frame)
    except orjson.JSONDecodeError as error:
        raise CannotRead(f"not JSON: {error}", _no_json(error)) from None
    if not isinstance(value, dict):
        flaw = Flaw(kind=FlawKind.NO_OBJECT, expected="a JSON object", came=shown(value))
        raise CannotRead(f"a JSON {type(value).__name__} instead of an object", flaw)
    return value


def _no_json(error: orjson.JSONDecodeError) -> Flaw:
    return Flaw(
        kind=FlawKind.SYNTAX, expected="a JSON object", came=f"no JSON: {brief(str(error))}"
    )


def without_mark(frame: bytes) -> bytes:
    """A line without the byte order mark that some libraries write before their first one."""
    return frame.removeprefix(BOM_UTF8)


def read_request(frame: bytes) -> dict[str, Any]:
    """The JSON object in a frame from a client, which may try to make it expensive.

    Raises:
      CannotRead: the frame is not JSON, not an object, or has too many parts.
    """
    # A short frame cannot have too many parts, and nearly all are short.
    if len(frame) > MAX_SIGNS and sum(map(frame.count, (b",", b":", b"{", b"["))) > MAX_SIGNS:
        text = f"more than {MAX_SIGNS} values"
        flaw = Flaw(kind=FlawKind.TOO_MANY_VALUES, expected="a smaller message", came=text)
        raise CannotRead(text, flaw)
    try:
        value = orjson.loads(frame)
    except orjson.JSONDecodeError:
        value = None
    return value if type(value) is dict else read_object(frame)


class MessageReader:
    """Turns JSON values into messages fast, and names the first flaw when it cannot."""

    def __init__(
        self,
        classes: Mapping[str, type],
        setup: Callable[[cattrs.Converter], None] = lambda converter: None,
        rename: Callable[[str], str] = camel_case,
        type_field: str = "",
    ) -> None:
        self._classes = classes
        self._type_field = pointer_to(type_field) if type_field else ""
        fast, slow = (wire_converter(rename=rename, explaining=slow) for slow in (False, True))
        setup(fast)
        setup(slow)
        self._read = {name: fast.get_structure_hook(cls) for name, cls in classes.items()}
        self._explain = {name: slow.get_structure_hook(cls) for name, cls in classes.items()}

    def only(self, names: Collection[str]) -> "MessageReader":
        """A reader that refuses all other messages without looking at them."""
        narrow = object.__new__(MessageReader)
        narrow.__dict__.update(self.__dict__)
        narrow._read = {name: read for name, read in self._read.items() if name in names}
        return narrow

    def read(self, name: Any, value: Any) -> Any:
        """The message called `name` made from `value`.

        Raises:
          CannotRead: there is no such message, or a field is missing or of the wrong type.
          NotForClients: there is such a message, but only servers send it.
        """
        read = self._read.get(name) if isinstance(name, str) else None
        if read is None:
            raise self._unknown(name)
        try:
            return read(value, self._classes[name])
        except Exception:
            # Slower, but only for the few messages that are refused.
            self.examine(name, value)
        raise _Found("cannot be read", "something else", shown(value)).as_error(name)

    def examine(self, name: Any, value: Any) -> Any:
        """The same, slower if nothing is wrong with the message, but faster if something is."""
        if not isinstance(name, str) or name not in self._read:
            raise self._unknown(name)
        try:
            return self._explain[name](value, self._classes[name])
        except Exception as error:
            raise _found(error, value).as_error(name) from None

    def attempt(self, name: str, value: Any) -> Any | None:
        """The same, but None without a reason if it cannot be read, since reasons take time."""
        read = self._read.get(name)
        try:
            return None if read is None else read(value, self._classes[name])
        except Exception:
            return None

    def _unknown(self, name: Any) -> CannotRead:
        if name is None:
            return self._no_message("the message type is missing", FlawKind.NO_TYPE, "nothing")
        if isinstance(name, str) and name in self._classes:
            return NotForClients(name, self._type_field)
        text = f"unknown message type {shown(name)}"
        return self._no_message(text, FlawKind.UNKNOWN_TYPE, shown(name))

    def _no_message(self, text: str, kind: FlawKind, came: str) -> CannotRead:
        flaw = Flaw(kind=kind, pointer=self._type_field, expected="a message type", came=came)
        return CannotRead(text, flaw)
