"""JSON with half a character in it: a lone surrogate.

JSON's grammar allows the escape, and libraries that cut a text in the middle of an emoji write it.
It stands for no character and cannot be sent on, so it becomes U+FFFD, the replacement character.
"""

import re
from typing import Any

import orjson

# How many a frame may have: texts are cut at their ends. This bounds the work for a hostile frame.
MOST = 500

_HALF = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])"
    rb"|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)


def loads(frame: bytes) -> Any:
    """What is in a frame; raises orjson.JSONDecodeError."""
    try:
        return orjson.loads(frame)
    except orjson.JSONDecodeError as error:
        # Each escaped backslash grows to six bytes first, so their number is limited as well.
        if "surrogate" not in str(error) or frame.count(rb"\\") > MOST:
            raise
    return orjson.loads(mend(frame))


def mend(frame: bytes) -> bytes:
    # Escaped backslashes first, so that the second one is not taken for the start of an escape.
    return _HALF.sub(rb"\\ufffd", frame.replace(rb"\\", rb"\u005c"), count=MOST)
