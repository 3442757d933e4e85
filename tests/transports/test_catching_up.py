"""Work of other kinds lets players come first, without waiting for the event loop."""

import select

import trio
from trio.testing import wait_all_tasks_blocked

from tests.support.helpers import socket_link_pair
from transports import LineFramer, Poller


async def test_what_has_arrived_is_heard_and_answered_at_once(poller: Poller) -> None:
    link, peer = socket_link_pair(poller, LineFramer())
    heard: list[object] = []

    def hear(frame: object) -> None:
        heard.append(frame)
        link.post(b"answer")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.converse, hear)
        await wait_all_tasks_blocked()
        assert not poller.catch_up()
        sock = peer.socket._sock  # type: ignore[attr-defined]
        sock.send(b"question\n")
        assert poller.catch_up()
        assert heard == [b"question"]
        assert sock.recv(100) == b"answer\n"
        assert not poller.catch_up()
        nursery.cancel_scope.cancel()


async def test_no_answer_leaves_before_its_turn_is_committed(poller: Poller) -> None:
    link, peer = socket_link_pair(poller, LineFramer())
    sock = peer.socket._sock  # type: ignore[attr-defined]
    sock.setblocking(False)
    left: list[bool] = []

    def commit() -> None:
        left.append(bool(select.select([sock], [], [], 0)[0]))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.converse, lambda frame: link.post(b"answer"))
        await wait_all_tasks_blocked()
        poller.turns.commit = commit
        sock.send(b"question\n")
        assert poller.catch_up()
        assert left == [False]
        assert sock.recv(100) == b"answer\n"
        poller.turns.commit = None
        nursery.cancel_scope.cancel()


async def test_a_turn_that_is_under_way_is_not_interrupted(poller: Poller) -> None:
    link, peer = socket_link_pair(poller, LineFramer())
    heard: list[object] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.converse, heard.append)
        await wait_all_tasks_blocked()
        peer.socket._sock.send(b"question\n")  # type: ignore[attr-defined]
        with poller.turns.turn():
            assert not poller.catch_up()
            assert not heard
        assert poller.catch_up()
        assert heard == [b"question"]
        nursery.cancel_scope.cancel()


async def test_a_peer_with_many_messages_goes_on(poller: Poller) -> None:
    link, peer = socket_link_pair(poller, LineFramer())
    heard: list[object] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.converse, heard.append)
        await wait_all_tasks_blocked()
        peer.socket._sock.send(b"word\n" * 1000)  # type: ignore[attr-defined]
        while poller.catch_up():
            pass
        assert len(heard) == 1000
        nursery.cancel_scope.cancel()


async def test_whoever_asks_after_the_end_is_told_that_there_is_nothing() -> None:
    poller = Poller()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(poller.run)
        await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert not poller.catch_up()
