"""JSON that is safe on a terminal: no control sequences, invisible or bidirectional characters."""

import json
from collections.abc import Callable
from typing import Any

import orjson


def dumps(
    value: Any, default: Callable[[Any], Any] | None = None, option: int | None = None
) -> bytes:
    """The value as JSON; the options are those of orjson."""
    return text(value, default, option).encode()


def text(value: Any, default: Callable[[Any], Any] | None = None, option: int | None = None) -> str:
    """The same, not encoded."""
    try:
        made = orjson.dumps(value, default, option).decode()
    except TypeError:
        # A lone surrogate in a name, which orjson refuses. What is wrong for another reason fails
        # here again.
        made = _write(value, default)
        if "NaN" in made or "Infinity" in made:  # which are not JSON: null, as orjson has it
            made = _write(json.loads(made, parse_constant=lambda _: None))
    return harmless(made)


def _write(value: Any, default: Callable[[Any], Any] | None = None) -> str:
    return json.dumps(value, default=default, separators=(",", ":"))


def harmless(text: str) -> str:
    """The same JSON document with all unprintable characters escaped."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() or sign == "\n" else _escape(sign) for sign in text)


def _escape(sign: str) -> str:
    units = sign.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))
