"""A WebSocket frame of which only the beginning has arrived."""

import attrs


@attrs.define(eq=False)
class PartialFrame:
    """Collects bytes until more can be told."""

    data: bytearray
    _needed: int  # how long the data must be for that

    def add(self, data: bytes) -> bytes | None:
        """What there is if it is enough by now."""
        self.data += data
        return None if len(self.data) < self._needed else bytes(self.data)
