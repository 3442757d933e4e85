"""Names and other texts chosen by people, who may try to deceive or to confuse."""

import re
from unicodedata import category, normalize

# They change the direction of the text after them, even outside of the name.
_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

# Invisible letters, marks and a symbol: fillers, the empty Braille cell, joiners, and variation
# selectors.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)


def printable(text: str) -> str:
    """The text with everything escaped that a terminal would obey, hide or reorder."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def has_control_characters(text: str) -> bool:
    return any(category(sign) == "Cc" or sign in _BIDI_CONTROLS for sign in text)


def skeleton(name: str) -> str:
    """The same for all names that look the same: no case, no invisible characters."""
    seen = _UNSEEN.sub("", normalize("NFKC", name))
    visible = (sign for sign in seen if category(sign) != "Cf")
    return "".join(visible).casefold().strip()
