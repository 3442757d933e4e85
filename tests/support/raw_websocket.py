"""A WebSocket peer that speaks bytes, so that frames can be cut wrong or never be read."""

import struct

import attrs
import trio

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10

HANDSHAKE = (
    b"GET %b HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n%b\r\n"
)


@attrs.define(eq=False)
class RawPeer:
    """Sends bytes; frames are built by hand so that they can be cut wrong."""

    stream: trio.SocketStream
    buffer: bytearray = attrs.field(factory=bytearray)

    async def write(self, data: bytes) -> None:
        await self.stream.send_all(data)

    async def read(self, count: int) -> bytes:
        with trio.fail_after(60):
            while len(self.buffer) < count:
                data = await self.stream.receive_some(65536)
                if not data:
                    raise EOFError(bytes(self.buffer))
                self.buffer += data
        taken, self.buffer = bytes(self.buffer[:count]), self.buffer[count:]
        return taken

    async def shake(self, path: bytes = b"/", headers: bytes = b"") -> bytes:
        await self.write(HANDSHAKE % (path, headers))
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            answer += await self.read(1)
        return answer

    async def read_frame(self) -> tuple[int, bytes]:
        """Opcode and payload of the next frame, which must be whole and unmasked."""
        first, second = await self.read(2)
        assert first & 0x80, "the frame is fragmented"
        assert not second & 0x80, "a server never masks"
        size = second
        if second == 126:
            (size,) = struct.unpack("!H", await self.read(2))
        elif second == 127:
            (size,) = struct.unpack("!Q", await self.read(8))
        return first & 0x0F, await self.read(size)

    async def read_close(self) -> int:
        opcode, payload = await self.read_frame()
        assert opcode == CLOSE, (opcode, payload)
        (code,) = struct.unpack("!H", payload[:2])
        return int(code)


def frame(opcode: int, payload: bytes, *, final: bool = True, mask: bytes = b"\1\2\3\4") -> bytes:
    if len(payload) < 126:
        head = bytes([opcode | final << 7, 0x80 | len(payload)])
    elif len(payload) < 1 << 16:
        head = struct.pack("!BBH", opcode | final << 7, 0x80 | 126, len(payload))
    else:
        head = struct.pack("!BBQ", opcode | final << 7, 0x80 | 127, len(payload))
    return head + mask + bytes(byte ^ mask[n % 4] for n, byte in enumerate(payload))
