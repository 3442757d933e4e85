"""Pages: notes of a journal, compressed."""

import zlib
from collections.abc import Iterable

from zlib_ng import zlib_ng

# Preparing a compressor with a larger window would take longer than using it.
_LEVEL, _WINDOW, _MEMORY = 1, 13, 6


class TooLong(Exception):
    """Pages with more notes than anybody needs."""


def compressed(notes: bytes) -> bytes:
    """A page with these notes, for any zlib; the common one would take three times as long."""
    deflate = zlib_ng.compressobj(_LEVEL, wbits=_WINDOW, memLevel=_MEMORY)
    return deflate.compress(notes) + deflate.flush()


def decompressed(pages: Iterable[bytes]) -> bytes:
    """The notes on pages of our own."""
    return b"".join(map(zlib.decompress, pages))


def decompressed_at_most(most: int, pages: Iterable[bytes]) -> bytes:
    """The same for pages of anybody; raises TooLong and zlib.error."""
    found: list[bytes] = []
    for page in pages:
        inflate = zlib.decompressobj()
        # One byte more than there may be, since 0 would mean any number.
        found.append(inflate.decompress(page, most + 1))
        most -= len(found[-1])
        if most < 0:
            raise TooLong
        if not inflate.eof or inflate.unused_data:
            raise zlib.error("cut off")
    return b"".join(found)
