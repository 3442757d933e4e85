"""A stream whose first bytes were read already, for readers that need those as well."""

import trio


class BegunStream(trio.abc.Stream):
    """Yields the bytes that were read before, then those of the stream."""

    def __init__(self, stream: trio.abc.Stream, said: bytes) -> None:
        self._stream = stream
        self._said = said

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        if not self._said:
            return await self._stream.receive_some(max_bytes)
        await trio.lowlevel.checkpoint()
        size = len(self._said) if max_bytes is None else max_bytes
        said, self._said = self._said[:size], self._said[size:]
        return said

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def aclose(self) -> None:
        await self._stream.aclose()
