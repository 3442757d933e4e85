"""A Hexxagon server on trio's streams: one JSON object per line."""

import sys
from functools import partial

import trio

from bench.servers.plain_hexxagon import PlainHexxagon, User

hexxagon = PlainHexxagon()


async def serve(stream: trio.SocketStream) -> None:
    async def write(message: bytes) -> None:
        await stream.send_all(message + b"\n")

    user = User(write)
    buffer = b""
    try:
        await hexxagon.welcome(user)
        async for data in stream:
            *lines, buffer = (buffer + data).split(b"\n")
            for line in lines:
                await hexxagon.handle(user, line)
    except trio.BrokenResourceError:
        pass
    finally:
        await hexxagon.goodbye(user)


async def main() -> None:
    async with trio.open_nursery() as nursery:
        listen = partial(trio.serve_tcp, serve, 0, host="127.0.0.1")
        (listener,) = await nursery.start(listen)
        port = listener.socket.getsockname()[1]
        sys.stdout.write(f"plain ready on tcp://127.0.0.1:{port}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    trio.run(main)
