"""However a stream of events ends, browsers take it for the end of an answer."""

import socket
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import pytest
import trio
from starlette.types import Message, Scope

from ludothek.web.events import chunk
from ludothek.web.repeater import NotShown
from ludothek.web.stream import EXTENSION, EventStream
from ludothek.web.viewer import END, Viewer

Follow = Callable[[Viewer], AbstractContextManager[None]]


@contextmanager
def refuse(_: Viewer) -> Iterator[None]:
    raise NotShown(404, "the match has just ended")
    yield


@contextmanager
def greet(viewer: Viewer) -> Iterator[None]:
    viewer.push(chunk(b"hello"))
    yield


@contextmanager
def overwhelm(viewer: Viewer) -> Iterator[None]:
    while not viewer.stuck:
        viewer.push(chunk(bytes(1 << 16)))
    yield


async def stopped(follow: Follow) -> bytes:
    """What a browser has received when the daemon ends."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        stream = trio.SocketStream(trio.socket.from_stdlib_socket(ours))

        async def receive() -> Message:
            return await trio.sleep_forever()

        async def send(_: Message) -> None:
            await trio.lowlevel.checkpoint()

        scope: Scope = {"extensions": {EXTENSION: stream}}
        with trio.move_on_after(1):
            await EventStream(nullcontext(), follow)(scope, receive, send)
        ours.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: theirs.recv(1 << 20), b""))


@pytest.mark.parametrize(
    ("follow", "received"), [(refuse, END), (greet, chunk(b"hello") + END)], ids=["over", "daemon"]
)
async def test_an_answer_has_an_end(follow: Follow, received: bytes, autojump_clock: Any) -> None:
    assert await stopped(follow) == received


async def test_nothing_is_put_into_an_event_that_was_not_read(autojump_clock: Any) -> None:
    assert not (await stopped(overwhelm)).endswith(END)
