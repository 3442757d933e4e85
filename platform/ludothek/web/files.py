"""The files of the page, kept in memory."""

import gzip
from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from importlib.resources.abc import Traversable

from starlette.requests import Request
from starlette.responses import Response

from ludothek.contract.frozen import frozen
from ludothek.contract.page import Page
from ludothek.web.preloads import name_scripts

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


@frozen
class PageFile:
    """A file for browsers."""

    content: bytes
    compressed: bytes
    media_type: str
    tag: str  # another one for other content

    def answer(self, request: Request, status: int = 200) -> Response:
        """The file, or that the browser's copy is still right."""
        headers = {"etag": self.tag, "cache-control": "no-cache", "vary": "accept-encoding"}
        if request.headers.get("if-none-match") == self.tag:
            return Response(None, 304, headers)
        content = self.content
        if "gzip" in request.headers.get("accept-encoding", ""):
            content = self.compressed
            headers["content-encoding"] = "gzip"
        return Response(content, status, headers, self.media_type)


@cache
def shell() -> Mapping[str, PageFile]:
    """The files that are the same for all games."""
    return read(files("ludothek.web") / "assets")


@cache
def of_game(page: Page) -> Mapping[str, PageFile]:
    """The files of a game."""
    return read(page.files)


def read(folder: Traversable) -> Mapping[str, PageFile]:
    """All files of a folder that are for browsers."""
    contents = {
        each.name: each.read_bytes()
        for each in folder.iterdir()
        if _ending(each.name) in TYPES and each.is_file()
    }
    return {name: _page_file(name, contents) for name in contents}


def _page_file(name: str, contents: Mapping[str, bytes]) -> PageFile:
    content = contents[name]
    if name.endswith(".html"):
        content = name_scripts(content, contents)
    tag = f'"{blake2b(content, digest_size=12).hexdigest()}"'
    compressed = gzip.compress(content, compresslevel=9, mtime=0)
    return PageFile(content, compressed, TYPES[_ending(name)], tag)


def _ending(name: str) -> str:
    return name[name.rfind(".") :]
