"""Parsing an HTTP request into a typed request, with errors that say what to change."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import attrs
import cattrs
from cattrs.cols import is_sequence, list_structure_factory

from ludothek.contract.codec import CannotRead, exactly, read_object
from ludothek.control.messages import Part
from ludothek.settings.fields import nearest

T = TypeVar("T", bound=attrs.AttrsInstance)


def fields_of(cls: type[attrs.AttrsInstance], part: Part) -> dict[str, "attrs.Attribute[Any]"]:
    """The fields of a request that belong in that part of the HTTP request."""
    fields = attrs.fields(cls)
    return {field.name: field for field in fields if field.metadata["part"] == part}


def read(cls: type[T], path: Mapping[str, str], query: Mapping[str, str], body: bytes) -> T:
    """Parse a request of that class.

    Raises:
      CannotRead: a field is unknown, missing or of the wrong type.
    """
    values = (
        _known(cls, "path", path)
        | _known(cls, "query", query)
        | _known(cls, "body", read_object(body) if body.strip() else {})
    )
    try:
        return _CONVERTER.structure(values, cls)
    except cattrs.BaseValidationError as error:
        raise CannotRead("; ".join(cattrs.transform_error(error))) from None


def _known(cls: type[attrs.AttrsInstance], part: Part, given: Mapping[str, Any]) -> dict[str, Any]:
    known = fields_of(cls, part)
    for name in given:
        if name not in known:
            hint = nearest(name, known) if known else "; none is known"
            raise CannotRead(f"unknown field {name!r} in the {part}{hint}")
    return dict(given)


def _converter() -> cattrs.Converter:
    """Strict types: "1" is not a number, and a string is not a list of characters."""
    converter = cattrs.Converter()
    for exact in (int, str, bool):
        converter.register_structure_hook(exact, exactly(exact))
    converter.register_structure_hook(float, _number)

    @converter.register_structure_hook_factory(is_sequence)
    def exact_list(cls: type, converter: cattrs.Converter) -> Callable[[Any, Any], list[Any]]:
        read_items = list_structure_factory(cls, converter)

        def read_list(value: Any, _: Any) -> list[Any]:
            if not isinstance(value, list):
                raise ValueError(f"expected a list, not {type(value).__name__}")
            return list(read_items(value, cls))

        return read_list

    return converter


def _number(value: Any, _: Any) -> float:
    """Neither True nor a text is one."""
    if type(value) not in (int, float):
        raise ValueError(f"expected a number, not {type(value).__name__}")
    return float(value)


_CONVERTER = _converter()
