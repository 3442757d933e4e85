"""Echo servers as one would write them with trio: WebSocket, lines, or an XML stream."""

import sys
from functools import partial

import trio
from lxml import etree
from trio_websocket import ConnectionClosed, WebSocketRequest, WebSocketServer, serve_websocket


async def echo_websocket(request: WebSocketRequest) -> None:
    connection = await request.accept()
    try:
        while True:
            await connection.send_message(await connection.get_message())
    except ConnectionClosed:
        pass


async def echo_lines(stream: trio.SocketStream) -> None:
    buffer = b""
    async for data in stream:
        *lines, buffer = (buffer + data).split(b"\n")
        for line in lines:
            await stream.send_all(line + b"\n")


async def echo_xml(stream: trio.SocketStream) -> None:
    """Element by element inside of the root, which never ends."""
    parser = etree.XMLPullParser(events=("start", "end"))
    await stream.send_all(b"<protocol>")
    depth = 0
    async for data in stream:
        parser.feed(bytes(data))
        for event, element in parser.read_events():
            depth += 1 if event == "start" else -1
            if event == "end" and depth == 1:
                await stream.send_all(etree.tostring(element, with_tail=False))
                root = element.getparent()
                assert root is not None
                root.remove(element)  # otherwise every message would be kept


async def main(kind: str) -> None:
    async with trio.open_nursery() as nursery:
        if kind == "websocket":
            server: WebSocketServer = await nursery.start(
                serve_websocket, echo_websocket, "127.0.0.1", 0, None
            )
            port = server.port
        else:
            handler = echo_lines if kind == "lines" else echo_xml
            listen = partial(trio.serve_tcp, handler, 0, host="127.0.0.1")
            (listener,) = await nursery.start(listen)
            port = listener.socket.getsockname()[1]
        sys.stdout.write(f"echo ready on tcp://127.0.0.1:{port}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    trio.run(main, sys.argv[1])
