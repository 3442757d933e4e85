"""A stream from which no more is read per second than a person has to say."""

import trio

from transports import Bucket, Rate, unstopped_time

# A move takes a hundred bytes, a ping or its answer six.
BYTES = Rate(per_second=2048, burst=16 * 1024)

# What is read at once.
PIECE = 2048


class SlowStream(trio.abc.Stream):
    """Lets a peer wait that sends too much, whatever it sends."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self._stream = stream
        self._bucket = Bucket(BYTES, unstopped_time())

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        if debt := self._bucket.debt(unstopped_time):
            await trio.sleep(self._bucket.seconds(debt))
        data = await self._stream.receive_some(min(max_bytes or PIECE, PIECE))
        self._bucket.take(len(data), unstopped_time)
        return data

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def aclose(self) -> None:
        await self._stream.aclose()
