"""Messages that are long because of a picture: it is cut out before anything else is read.

Parsing a text takes the JSON library twelve times the text's memory. Apart from its picture a
teamConfig is short, and the picture itself needs no parser.
"""

import json
import re

from ludothek.contract.codec import CannotRead
from ludothek.contract.flaws import Flaw, FlawKind

# All that clients say, apart from the picture.
SHORT_BYTES = 64 * 1024

_IMAGE = re.compile(rb'"image"\s*:\s*"')
_PAYLOAD_TYPE = re.compile(rb'"payloadType"\s*:\s*"([A-Za-z0-9]{1,60})"')

# An escaped character beyond Latin-1; base64 has none of them.
_BEYOND_LATIN = re.compile(rb"\\u(?!00)")


def payload_type_of(frame: bytes) -> str | None:
    """The type that a frame seems to have, at first glance."""
    found = _PAYLOAD_TYPE.search(frame)
    return found[1].decode() if found else None


def cut_out(frame: bytes) -> tuple[bytes, str]:
    """The frame with an empty picture, and the picture.

    Raises:
      CannotRead: there is no picture, it is not ASCII text, or the rest is too long.
    """
    found = _IMAGE.search(frame)
    begin = found.end() if found else len(frame)
    end = frame.find(b'"', begin)
    rest = frame[:begin] + frame[end:]
    if end < 0 or len(rest) > SHORT_BYTES:
        raise CannotRead(f"longer than {SHORT_BYTES} bytes")
    return rest, _text(frame[begin:end])


def _text(image: bytes) -> str:
    if not image.isascii() or _BEYOND_LATIN.search(image):
        raise _no_image("the image is not in base64")
    text = image.decode("ascii")
    if "\\" in text:
        try:
            return str(json.loads(f'"{text}"'))
        except ValueError as error:
            raise _no_image(f"not JSON: {error}") from None
    if not text.isprintable():
        # JSON allows them only as escapes, and so each would be sent on: six bytes for one.
        raise _no_image("not JSON: control characters in the image")
    return text


def _no_image(reason: str) -> CannotRead:
    flaw = Flaw(FlawKind.WRONG, "a PNG in base64", reason, "/payload/image", "teamConfig")
    return CannotRead(reason, flaw)
