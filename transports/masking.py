"""The masking of what WebSocket clients send (RFC 6455, section 5.3)."""

from collections.abc import Callable


def mask_in_python(data: bytes, mask: bytes) -> bytes:
    """XOR the data with the four bytes of the mask, repeated."""
    size = len(data)
    repeated = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(data, "big") ^ int.from_bytes(repeated, "big")).to_bytes(size, "big")


apply_mask: Callable[[bytes, bytes], bytes]
try:
    # Every byte that a client sends passes through here; in C this costs a twentieth.
    from websockets.speedups import apply_mask
except ImportError:  # no compiled module for this platform
    apply_mask = mask_in_python
