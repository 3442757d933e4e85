"""The mask over what WebSocket clients send (RFC 6455, section 5.3)."""

from collections.abc import Callable


def mask_in_python(data: bytes, mask: bytes) -> bytes:
    """The data with every byte xor-ed with the next one of the four bytes of the mask, in turn."""
    size = len(data)
    repeated = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(data, "big") ^ int.from_bytes(repeated, "big")).to_bytes(size, "big")


apply_mask: Callable[[bytes, bytes], bytes]
try:
    # Every byte that a client sends passes here: in C it costs a twentieth.
    from websockets.speedups import apply_mask
except ImportError:  # no compiled module for this platform
    apply_mask = mask_in_python
