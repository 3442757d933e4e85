"""The files of the page, kept in memory."""

import gzip
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from importlib.resources.abc import Traversable

from starlette.requests import Request
from starlette.responses import Response

from ludothek.contract.frozen import frozen
from ludothek.contract.page import Page
from ludothek.web.compressed import takes_gzip
from ludothek.web.joined import ASSETS, finder, join_script, join_sheet

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
# A file under an address that names its content is never asked for again.
FOREVER = "public, max-age=31536000, immutable"


@frozen
class PageFile:
    """A file for browsers."""

    content: bytes
    media_type: str
    version: str  # another one for other content

    def answer(self, request: Request) -> Response:
        """The file, or that the browser's copy is still right."""
        tag = f'"{self.version}"'
        named = request.query_params.get("v") == self.version
        headers = {
            "etag": tag,
            "cache-control": FOREVER if named else "no-cache",
            "vary": "accept-encoding",
        }
        if tag in request.headers.get("if-none-match", ""):  # perhaps one of several, or weak
            return Response(None, 304, headers)
        content = self.content
        if takes_gzip(request):
            content = compressed(content)
            headers["content-encoding"] = "gzip"
        return Response(content, 200, headers, self.media_type)


@cache
def compressed(content: bytes) -> bytes:
    """What a browser gets; made once, when the first one asks."""
    return gzip.compress(content, compresslevel=9, mtime=0)


class Folder(Mapping[str, PageFile]):
    """The files of a folder, each with all that it imports; read once, when first asked for."""

    contents: Mapping[str, bytes]  # as they are written

    def __init__(self, contents: Mapping[str, bytes], path: str) -> None:
        shared = contents if path == ASSETS else shell().contents
        self.contents = {name: each for name, each in contents.items() if _ending(name) in TYPES}
        self._find = finder({ASSETS: shared, path: contents})
        self._path = path
        self._files: dict[str, PageFile] = {}

    def __getitem__(self, name: str) -> PageFile:
        if name not in self._files:
            self._files[name] = self._make(name, self.contents[name])
        return self._files[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.contents)

    def __len__(self) -> int:
        return len(self.contents)

    def address(self, name: str) -> str:
        """Where a file is as long as it has this content."""
        return f"{self._path}{name}?v={self[name].version}"

    def _make(self, name: str, content: bytes) -> PageFile:
        ending = _ending(name)
        if ending == ".js":
            joined = join_script(self._path + name, self._find)
            content = content if joined is None else joined.encode()
        elif ending == ".css":
            content = join_sheet(self._path + name, self._find).encode()
        version = blake2b(content, digest_size=12).hexdigest()
        return PageFile(content, TYPES[ending], version)


@cache
def shell() -> Folder:
    """The files that are the same for all games."""
    return Folder(read(files("ludothek.web") / "assets"), ASSETS)


@cache
def of_game(page: Page) -> Folder:
    """The files of a game, wherever browsers find them."""
    return Folder(read(page.files), "/game/")


@cache
def templates() -> Mapping[str, str]:
    """The pages, with holes for what depends on the language."""
    found = read(files("ludothek.web") / "assets")
    return {name: each.decode() for name, each in found.items() if name.endswith(".html")}


def read(folder: Traversable) -> Mapping[str, bytes]:
    """All files of a folder, by their names."""
    return {
        each.name: each.read_bytes()
        for each in folder.iterdir()
        if _ending(each.name) in (*TYPES, ".html") and each.is_file()
    }


def _ending(name: str) -> str:
    return name[name.rfind(".") :]
