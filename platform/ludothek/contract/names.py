"""Names and other texts that people have chosen, who may mean to deceive or to confuse."""

import re
from unicodedata import category, normalize

# They turn around how the text after them is shown, even outside of the name.
_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

# Letters, marks and a symbol that nobody sees either: fillers, an empty Braille cell, joiners, and
# what chooses between shapes of the sign before.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)


def printable(text: str) -> str:
    """The text with everything escaped that a terminal would obey, hide or turn around."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def has_control_characters(text: str) -> bool:
    return any(category(sign) == "Cc" or sign in _BIDI_CONTROLS for sign in text)


def skeleton(name: str) -> str:
    """What is the same for names that look the same: no case, no invisible characters."""
    seen = _UNSEEN.sub("", normalize("NFKC", name))
    visible = (sign for sign in seen if category(sign) != "Cf")
    return "".join(visible).casefold().strip()
