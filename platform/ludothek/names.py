"""Names and other texts that people have chosen, who may mean to deceive or to confuse."""

from unicodedata import category, normalize

# They turn around how the text after them is shown, even outside of the name.
_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def printable(text: str) -> str:
    """The text with everything escaped that a terminal would obey, hide or turn around."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def has_control_characters(text: str) -> bool:
    return any(category(sign) == "Cc" or sign in _BIDI_CONTROLS for sign in text)


def skeleton(name: str) -> str:
    """What is the same for names that look the same: no case, no invisible characters."""
    visible = (sign for sign in normalize("NFKC", name) if category(sign) != "Cf")
    return "".join(visible).casefold().strip()
