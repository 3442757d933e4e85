"""Frames to messages and back; what JSON codecs of several games share."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, Protocol, get_args, get_origin

import attrs
import cattrs
import orjson
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override
from cattrs.preconf.orjson import make_converter

from ludothek.contract.half_characters import loads
from transports import Complaint, brief

# How many characters of a peer's input a reason quotes.
QUOTED = 40

# Commas, colons and opening brackets of a request. A list of empty objects takes fifty times as
# much memory as its text; the longest real request has a tenth of this.
MAX_SIGNS = 8192


@attrs.frozen
class Malformed:
    """A frame that could not be read as a message of its protocol, and why."""

    reason: str = attrs.field(converter=brief)


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
    """A frame cannot be read as a message; the text says why."""


class NotForClients(CannotRead):
    """A client has sent what only servers send."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is a message of the server.")


def camel_case(name: str) -> str:
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(word.capitalize() for word in rest)


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
            raise ValueError(f"expected {exact.__name__}, not {type(value).__name__}")
        return value

    return check


def is_list(kind: Any) -> bool:
    origin: Any = get_origin(kind)
    return origin is list


def _wire_names(cls: type, rename: Callable[[str], str]) -> dict[str, Any]:
    return {field.name: override(rename=rename(field.name)) for field in attrs.fields(cls)}


class _Flaw(ValueError):
    """What is wrong, and the path to it from here."""

    def __init__(self, text: str, path: str) -> None:
        super().__init__(text)
        self.text, self.path = text, path


def _flaw(step: str, error: Exception) -> _Flaw:
    """What is wrong with one part of a message; our own checks have the best texts."""
    if isinstance(error, _Flaw):
        return _Flaw(error.text, step + error.path)
    return _Flaw(brief(str(error)) if isinstance(error, ValueError) else "cannot be read", step)


def _list_reader(
    kind: Any, converter: cattrs.Converter, *, explaining: bool
) -> Callable[[Any, Any], list[Any]]:
    # On its own the converter takes any text or object for a list of its parts.
    (item,) = get_args(kind)
    read_item = converter.get_structure_hook(item)

    def read(value: Any, _: Any) -> list[Any]:
        if type(value) is not list:
            raise ValueError(f"expected a list, not {type(value).__name__}")
        return [read_item(each, item) for each in value]

    def explain(value: Any, _: Any) -> list[Any]:
        if type(value) is not list:
            return read(value, _)
        found = []
        for place, each in enumerate(value):
            try:
                found.append(read_item(each, item))
            except Exception as error:
                raise _flaw(f"[{place}]", error) from None
        return found

    return explain if explaining else read


def _explaining_reader(
    cls: type, converter: cattrs.Converter, rename: Callable[[str], str]
) -> Callable[[Any, Any], Any]:
    fields = [(field, rename(field.name)) for field in attrs.fields(cls)]

    def read(value: Any, _: Any) -> Any:
        if type(value) is not dict:
            raise ValueError(f"expected an object, not {type(value).__name__}")
        found = {}
        for field, key in fields:
            if key in value:
                try:
                    found[field.alias] = converter.structure(value[key], field.type)
                except Exception as error:
                    raise _flaw(f".{key}", error) from None
            elif field.default is attrs.NOTHING:
                raise _Flaw("required field missing", f".{key}")
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
        raise CannotRead(f"not JSON: {error}") from None
    if not isinstance(value, dict):
        raise CannotRead(f"a JSON {type(value).__name__} instead of an object")
    return value


def read_request(frame: bytes) -> dict[str, Any]:
    """The JSON object in a frame from a client, which may try to make it expensive.

    Raises:
      CannotRead: the frame is not JSON, not an object, or has too many parts.
    """
    # A short frame cannot have too many parts, and nearly all are short.
    if len(frame) > MAX_SIGNS and sum(map(frame.count, (b",", b":", b"{", b"["))) > MAX_SIGNS:
        raise CannotRead(f"more than {MAX_SIGNS} values")
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
        setup: Callable[[cattrs.Converter], None],
        rename: Callable[[str], str] = camel_case,
    ) -> None:
        self._classes = classes
        self._fast = wire_converter(rename=rename)
        self._explaining = wire_converter(rename=rename, explaining=True)
        setup(self._fast)
        setup(self._explaining)
        self._read = {name: self._fast.get_structure_hook(cls) for name, cls in classes.items()}

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
        cls = self._classes[name]
        try:
            return read(value, cls)
        except Exception:
            # Slower, but only for the few messages that are refused.
            raise CannotRead(f"{name}: {self._explain(value, cls)}") from None

    def _unknown(self, name: Any) -> CannotRead:
        if name is None:
            return CannotRead("the message type is missing")
        if isinstance(name, str) and name in self._classes:
            return NotForClients(name)
        return CannotRead(f"unknown message type {shown(name)}")

    def _explain(self, value: Any, cls: type) -> str:
        try:
            self._explaining.structure(value, cls)
        except _Flaw as flaw:
            return f"{flaw.text} @ ${flaw.path}"
        except ValueError as error:
            return brief(str(error))
        except Exception:
            pass
        return "cannot be read"
