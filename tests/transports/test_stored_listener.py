"""Connections are told of before anything else happens, and closed for whoever else holds them."""

import socket
from typing import Any

import pytest
import trio
import trio.testing

from transports import StoredListener
from transports.listening import accept_forever, open_listeners


def listening_socket() -> socket.socket:
    return socket.create_server(("127.0.0.1", 0))


async def test_a_connection_is_told_of_before_any_other_task_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    order: list[str] = []
    accept = socket.socket.accept

    def watched(listening: socket.socket) -> tuple[socket.socket, Any]:
        found = accept(listening)
        order.append("accepted")
        return found

    async def meanwhile() -> None:
        while "done" not in order:
            order.append("another task")
            await trio.lowlevel.checkpoint()

    monkeypatch.setattr(socket.socket, "accept", watched)
    listener = StoredListener(listening_socket(), accepted=lambda _: order.append("told"))
    with socket.create_connection(listener.socket.getsockname()):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(meanwhile)
            stream = await listener.accept()
            order.append("done")
    await stream.aclose()
    await listener.aclose()
    assert order[order.index("accepted") + 1] == "told"


async def test_who_connects_later_is_waited_for() -> None:
    told: list[socket.socket] = []
    listener = StoredListener(listening_socket(), told.append)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_greet, listener)
        await trio.testing.wait_all_tasks_blocked()
        assert not told
        async with await trio.open_tcp_stream(*listener.socket.getsockname()) as stream:
            assert await stream.receive_some() == b"hello"
    assert len(told) == 1
    await listener.aclose()


async def _greet(listener: StoredListener) -> None:
    async with await listener.accept() as stream:
        await stream.send_all(b"hello")


async def test_nobody_waits_at_a_closed_listener_that_somebody_else_holds() -> None:
    closed: list[str] = []
    plain = listening_socket()
    address = plain.getsockname()
    with plain.dup():
        listener = StoredListener(plain, closed=lambda: closed.append("closed"))
        await listener.aclose()
        await listener.aclose()
        assert closed == ["closed"]
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(address)
        # The address is free for the next endpoint, though the holder may not have let go yet.
        for each in await open_listeners(*address):
            await each.aclose()
    with pytest.raises(trio.ClosedResourceError):
        await listener.accept()


async def test_one_that_only_its_manager_may_close_goes_on_listening() -> None:
    plain = listening_socket()
    with plain.dup() as held:
        await StoredListener(plain).aclose()
        with socket.create_connection(held.getsockname()):
            held.accept()[0].close()


async def test_closing_it_ends_the_wait_for_a_connection() -> None:
    listener = StoredListener(listening_socket(), closed=lambda: None)
    async with trio.open_nursery() as nursery:

        async def wait() -> None:
            with pytest.raises(trio.ClosedResourceError):
                await listener.accept()

        nursery.start_soon(wait)
        await trio.testing.wait_all_tasks_blocked()
        await listener.aclose()


async def test_it_serves_clients_as_any_other_listener_does() -> None:
    told: list[socket.socket] = []
    listener = StoredListener(listening_socket(), told.append)

    async def meet(stream: trio.SocketStream) -> None:
        await stream.send_all(b"hello")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(accept_forever, meet, [listener], nursery)
        for _ in range(3):
            async with await trio.open_tcp_stream(*listener.socket.getsockname()) as stream:
                assert await stream.receive_some() == b"hello"
        nursery.cancel_scope.cancel()
    assert len(told) == 3
