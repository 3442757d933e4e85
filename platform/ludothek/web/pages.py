"""The pages as they leave the server: with their frame, their texts, and what is known already.

A browser draws all that before it has any script. Then the scripts draw the same again, and bring
it to life.
"""

import re
from collections.abc import Mapping
from functools import cache
from html import escape
from typing import Any
from zlib import MAX_WBITS, compressobj

import orjson
from starlette.requests import Request
from starlette.responses import Response

from ludothek.web import files
from ludothek.web.compressed import takes_gzip
from ludothek.web.words import LANGUAGES, language_of, texts

MEDIA_TYPE = "text/html; charset=utf-8"
# Compressed for each browser that asks, so speed counts more than size.
EFFORT = 1

_PART = re.compile(r"<!-- ([\w.]+) (\w*) ?-->")
_HOLE = re.compile(r"\{([\w.]+)\}")
_BETWEEN = re.compile(r">\s+<")
_ASSET = re.compile(r'(src|href)="/assets/([\w.-]+)"')
_END = "</body>"


def page(
    request: Request,
    name: str,
    *,
    told: Mapping[str, Any] | None = None,
    date: float = 0.0,
    game: str = "",
    status: int = 200,
) -> Response:
    """A page; `told` are answers that it will ask for, by their paths, `game` is that of a match.

    It is never kept: what it tells may be old in a second, and after an update of the server it
    names other files.
    """
    text = _template(name, language_of(request.headers.get("accept-language", "")))
    if game:
        text = text.replace("</head>", f"{_links_to(game)}</head>", 1)
    start, end = text.rsplit(_END, 1)
    data = b"" if told is None else data_block({"date": date, "answers": told})
    content = b"".join([start.encode(), data, _END.encode(), end.encode()])
    headers = {"cache-control": "no-store", "vary": "accept-encoding, accept-language"}
    if takes_gzip(request):
        packer = compressobj(EFFORT, wbits=16 + MAX_WBITS)
        content = packer.compress(content) + packer.flush()
        headers["content-encoding"] = "gzip"
    return Response(content, status, headers, MEDIA_TYPE)


def data_block(told: Mapping[str, Any]) -> bytes:
    """A block of data, which browsers do not run, and which nothing in it can end.

    Outside of its texts JSON has none of these characters, and in them each may be written as a
    number.
    """
    content = orjson.dumps(told, default=str, option=orjson.OPT_NON_STR_KEYS)
    for character in b"<>&":
        content = content.replace(bytes([character]), b"\\u%04x" % character)
    return b'<script type="application/json" id="told">%b</script>' % content


@cache
def _template(name: str, language: str) -> str:
    assert language in LANGUAGES
    words = {**texts(language), "language": language}
    whole = _PART.sub(_include, files.templates()[name])
    whole = _HOLE.sub(lambda hole: escape(words[hole[1]]), whole)
    chosen = f'lang="{language}" title='
    start, found, rest = whole.partition(chosen)
    whole = start + found + rest.replace('aria-pressed="false"', 'aria-pressed="true"', 1)
    return _ASSET.sub(_address, _BETWEEN.sub("><", whole))


def _include(part: re.Match[str]) -> str:
    """A part that several pages have, with the place of this one in the navigation."""
    here = f'data-place="{part[2]}"'
    return files.templates()[part[1]].replace(here, f'{here} aria-current="page"')


def _address(link: re.Match[str]) -> str:
    return f'{link[1]}="{files.shell().address(link[2])}"'


def _links_to(game: str) -> str:
    """What the board of a game consists of, so that browsers ask for it at once."""
    folder = f"/games/{game}"
    return (
        f'<link rel="stylesheet" href="{folder}/board.css">'
        f'<link rel="modulepreload" href="{folder}/board.js">'
        f'<link rel="modulepreload" href="{folder}/words.js">'
    )
