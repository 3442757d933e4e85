"""File names made of text that others have chosen."""

import hashlib
import re

# Characters of such a text; file systems take 255 bytes in all.
MAX_CHARACTERS = 100


def file_name(text: str) -> str:
    """A text as part of a file's name; different texts stay different."""
    plain = re.sub(r"[^A-Za-z0-9_.-]|^\.", "_", text)[:MAX_CHARACTERS]
    if plain == text:
        return plain
    digest = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
    return f"{plain}-{digest[:8]}"
