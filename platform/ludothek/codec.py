"""Frames to messages and back; what JSON codecs of several games share."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import attrs
import cattrs
import orjson
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override
from cattrs.preconf.orjson import make_converter

from ludothek.half_characters import loads
from transports import Complaint


@attrs.frozen
class Malformed:
    """A frame that could not be read as a message of its protocol, and why."""

    reason: str


class Codec(Protocol):
    """Reads and writes the messages of one protocol; one message never changes another's frame."""

    def decode(self, frame: bytes) -> Any:
        """The message in a frame, or Malformed; never raises, whatever the bytes are."""

    def encode(self, message: Any) -> bytes:
        """The frame of a message, the same for all its receivers."""

    def address(self, frame: bytes, key: str) -> bytes:
        """The frame as the receiver known as `key` gets it."""

    def refusal(self, complaint: Complaint) -> bytes | None:
        """The frame that tells a peer why it is sent away, if the protocol has a word for it."""


class WrittenOnce:
    """Writes what many ask for, one after the other: as long as it is the same, only once."""

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


def camel_case(name: str) -> str:
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(word.capitalize() for word in rest)


def wire_converter(*, detailed: bool = False, nulls: bool = False) -> cattrs.Converter:
    """A converter for wire messages: camelCase names, exact types, absent unless `nulls`.

    A field that may be null has the default None; no other field has a default.
    """
    converter = make_converter(detailed_validation=detailed)
    for exact in (int, str, bool):
        converter.register_structure_hook(exact, exactly(exact))
    converter.register_structure_hook_factory(
        attrs.has,
        lambda cls: make_dict_structure_fn(
            cls, converter, _cattrs_detailed_validation=detailed, **_wire_names(cls)
        ),
    )
    converter.register_unstructure_hook_factory(
        attrs.has,
        lambda cls: make_dict_unstructure_fn(
            cls, converter, _cattrs_omit_if_default=not nulls, **_wire_names(cls)
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


def _wire_names(cls: type) -> dict[str, Any]:
    return {field.name: override(rename=camel_case(field.name)) for field in attrs.fields(cls)}


def read_object(frame: bytes) -> dict[str, Any]:
    """The JSON object in a frame.

    Raises:
      CannotRead: the frame is not JSON, or no object.
    """
    try:
        value = loads(frame)
    except orjson.JSONDecodeError as error:
        raise CannotRead(f"not JSON: {error}") from None
    if not isinstance(value, dict):
        raise CannotRead(f"a JSON {type(value).__name__} instead of an object")
    return value


def _words(error: BaseException, kind: type | None) -> str:
    """What is wrong with one field; our own checks say it best themselves."""
    if isinstance(error, ValueError):
        return str(error)
    return cattrs.v.format_exception(error, kind)


def _wire_path(text: str, rename: Callable[[str], str]) -> str:
    """Name the place as it is named on the wire: ``… @ $.lobby.isClosed``."""
    reason, at, path = text.partition(" @ ")
    return reason + at + ".".join(map(rename, path.split(".")))


class MessageReader:
    """Turns JSON values into messages fast, and says exactly what is wrong when it cannot."""

    def __init__(
        self,
        classes: Mapping[str, type],
        setup: Callable[[cattrs.Converter], None],
        rename: Callable[[str], str] = camel_case,
    ) -> None:
        self._classes = classes
        self._rename = rename  # from a field to its key on the wire
        self._fast, self._detailed = wire_converter(), wire_converter(detailed=True)
        setup(self._fast)
        setup(self._detailed)
        self._read = {name: self._fast.get_structure_hook(cls) for name, cls in classes.items()}

    def read(self, name: Any, value: Any) -> Any:
        """The message called `name` made from `value`.

        Raises:
          CannotRead: there is no such message, or a field is missing or of the wrong type.
        """
        read = self._read.get(name) if isinstance(name, str) else None
        if name is None:
            raise CannotRead("the message type is missing")
        if read is None:
            raise CannotRead(f"unknown message type {str(name)[:60]!r}")
        cls = self._classes[name]
        try:
            return read(value, cls)
        except Exception:
            # Slow and wordy, but only for the few messages that are refused.
            raise CannotRead(f"{name}: {self._explain(value, cls)}") from None

    def _explain(self, value: Any, cls: type) -> str:
        try:
            self._detailed.structure(value, cls)
        except cattrs.BaseValidationError as error:
            flaws = cattrs.transform_error(error, format_exception=_words)
            return "; ".join(_wire_path(flaw, self._rename) for flaw in flaws)
        except Exception as error:
            return str(error)
        return "cannot be read"
