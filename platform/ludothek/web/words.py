"""The texts of the page, as its scripts have them: some are on a page before any script runs."""

import json
import re
from collections.abc import Mapping
from functools import cache

from ludothek.web import files

LANGUAGES = ("en", "de")

_TABLE = re.compile(r"^  (\w+): \{\n(.*?)^  \},$", re.MULTILINE | re.DOTALL)
_TEXT = re.compile(r'^    ("[\w.]+"):\s+("(?:[^"\\]|\\.)*"),$', re.MULTILINE)

# "de-AT;q=0.8"
_WISH = re.compile(r"\s*([A-Za-z]{2})(?:-[\w-]*)?\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?")
MOST_WISHES = 20


@cache
def texts(language: str) -> Mapping[str, str]:
    """All texts of one language, by their keys."""
    found: dict[str, str] = {}
    for name, content in files.shell().contents.items():
        if name.endswith("-words.js"):
            tables: dict[str, str] = dict(_TABLE.findall(content.decode()))
            pairs = _TEXT.findall(tables.get(language, ""))
            found |= {json.loads(key): json.loads(text) for key, text in pairs}
    return found


def language_of(wishes: str) -> str:
    """The one of ours that a browser likes best, by its Accept-Language; English if none."""
    liked = [match for match in map(_WISH.fullmatch, wishes.split(",")[:MOST_WISHES]) if match]
    ordered = sorted(liked, key=lambda match: -float(match[2] or 1))
    names = (match[1].lower() for match in ordered if float(match[2] or 1) > 0)
    return next((name for name in names if name in LANGUAGES), LANGUAGES[0])
