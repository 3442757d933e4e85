"""Frames that wait in memory, as text for the chronicle."""

from base64 import b64decode, b64encode
from collections.abc import Iterable


def unread(frames: Iterable[bytes]) -> list[str]:
    """Frames as they are written down."""
    return [b64encode(frame).decode() for frame in frames]


def frames_of(written: Iterable[str]) -> list[bytes]:
    """The same frames again."""
    return [*map(b64decode, written)]
