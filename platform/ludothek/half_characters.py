"""JSON with half a character in it: one of two surrogates that stands for nothing by itself.

JSON's grammar allows the escape, and libraries that cut a text in the middle of an emoji write it.
As text it means nothing and cannot be sent on, so each becomes U+FFFD, the sign for something that
could not be read.
"""

import re
from typing import Any

import orjson

# How many a frame may have: a text is cut at its ends. It bounds the work for a hostile one.
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
        # Each backslash becomes six signs first; so their number is limited, too.
        if "surrogate" not in str(error) or frame.count(rb"\\") > MOST:
            raise
    return orjson.loads(mend(frame))


def mend(frame: bytes) -> bytes:
    # A backslash written as an escape comes first, lest the next one be taken for the beginning.
    return _HALF.sub(rb"\\ufffd", frame.replace(rb"\\", rb"\u005c"), count=MOST)
