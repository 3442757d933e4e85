"""A Hexxagon server on trio-websocket, written as its documentation suggests."""

import sys

import trio
from trio_websocket import ConnectionClosed, WebSocketRequest, WebSocketServer, serve_websocket

from bench.servers.plain_hexxagon import PlainHexxagon, User

hexxagon = PlainHexxagon()


async def serve(request: WebSocketRequest) -> None:
    connection = await request.accept()

    async def write(message: bytes) -> None:
        await connection.send_message(message.decode())

    user = User(write)
    try:
        await hexxagon.welcome(user)
        while True:
            await hexxagon.handle(user, await connection.get_message())
    except ConnectionClosed:
        pass
    finally:
        await hexxagon.goodbye(user)


async def main() -> None:
    async with trio.open_nursery() as nursery:
        server: WebSocketServer = await nursery.start(serve_websocket, serve, "127.0.0.1", 0, None)
        sys.stdout.write(f"plain ready on ws://127.0.0.1:{server.port}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    trio.run(main)
