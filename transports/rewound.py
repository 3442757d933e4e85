"""A stream whose first bytes are read twice."""

import trio


class RewoundStream(trio.abc.Stream):
    """Keeps all that is read from a stream, until it is rewound."""

    def __init__(self, stream: trio.abc.Stream, said: bytes = b"") -> None:
        """`said` was read from the stream before."""
        self._stream = stream
        self._coming = said
        self._kept: bytearray | None = bytearray()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        if self._coming:
            size = len(self._coming) if max_bytes is None else max_bytes
            data, self._coming = self._coming[:size], self._coming[size:]
        else:
            data = bytes(await self._stream.receive_some(max_bytes))
        if self._kept is not None:
            self._kept += data
        return data

    def rewind(self) -> None:
        """Let all that was read be read again, and keep no more."""
        assert self._kept is not None
        self._coming, self._kept = bytes(self._kept) + self._coming, None

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def aclose(self) -> None:
        await self._stream.aclose()
