"""Passwords in messages to tables, which never ask for one: clients send anything anywhere."""

import re

# Frames without this, in lower case, have none; and so have those without its rarest letter, which
# is quicker to look for.
PASSWORD = b"password"
SMALL_W, LARGE_W = b"wW"

# The value of a JSON key or of an XML attribute of that name, even if it is unterminated. What
# somebody writes in a chat is neither: quotes are escaped there.
_IN_JSON = re.compile(
    rb"""
    (?P<key> " password " \s* : \s* )
    (?: (?P<text> " (?: [^"\\]++ | \\. )*+ "? ) | [-+.\d] [-+.\dEe]* )
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
_IN_XML = re.compile(
    rb"""(?P<key> \s password \s* = \s* ) (?: " [^"]*+ "? | ' [^']*+ '? )""",
    re.IGNORECASE | re.VERBOSE,
)


def without_passwords(frame: bytes) -> bytes:
    """The frame with something else in place of passwords; nearly always the same object."""
    if PASSWORD not in frame.lower():
        return frame
    if frame.lstrip()[:1] == b"<":
        return _IN_XML.sub(rb'\g<key>"***"', frame)
    return _IN_JSON.sub(_hide, frame)


def _hide(found: re.Match[bytes]) -> bytes:
    # A value of the same type: the message stays as right or wrong as it was.
    return found["key"] + (b"0" if found["text"] is None else b'"***"')
