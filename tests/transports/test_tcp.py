"""Links over TCP: what is written at the end, and how long half a message is waited for."""

import socket
from functools import partial

import pytest
import trio
from trio.testing import MockClock

from tests.support.helpers import socket_link_pair
from transports import Link, Poller, Tcp, Terms, Unreadable, XmlFramer, open_listeners
from transports.framing import LineFramer
from transports.listening import peer_address
from transports.socket_link import SocketLink


def xml_pair(poller: Poller, seconds: float = 30.0) -> tuple[SocketLink, trio.SocketStream]:
    return socket_link_pair(poller, XmlFramer("protocol"), terms=Terms(frame_seconds=seconds))


async def test_closing_ends_our_document(poller: Poller) -> None:
    link, peer = xml_pair(poller)
    await link.send(b"  <joined/>")
    await link.aclose()
    assert await peer.receive_some() == b"<protocol>\n  <joined/>\n</protocol>"
    assert await peer.receive_some() == b""


async def test_closing_without_a_word_before_sends_an_empty_document(poller: Poller) -> None:
    link, peer = xml_pair(poller)
    await link.aclose()
    assert await peer.receive_some() == b"<protocol>\n</protocol>"


async def test_closing_a_link_of_lines_says_nothing(poller: Poller) -> None:
    link, peer = socket_link_pair(poller, LineFramer())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.aclose)
        assert await peer.receive_some() == b""
        await peer.aclose()


async def test_closing_towards_a_peer_that_is_gone_does_no_harm(poller: Poller) -> None:
    link, peer = xml_pair(poller)
    await peer.aclose()
    await link.aclose()


async def test_nothing_is_written_into_a_frame_that_was_cut_off(
    poller: Poller, autojump_clock: MockClock
) -> None:
    link, peer = xml_pair(poller)
    link.post(b"  <a>" + b"x" * 3_000_000 + b"</a>")
    await link.aclose()  # the peer does not read in time
    assert b"".join([chunk async for chunk in peer]).endswith(b"xx")


async def test_a_document_ends_after_its_last_frame_if_the_peer_reads_in_time(
    poller: Poller,
) -> None:
    link, peer = xml_pair(poller)
    link.post(b"  <a>" + b"x" * 3_000_000 + b"</a>")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.aclose)
        assert b"".join([chunk async for chunk in peer]).endswith(b"x</a>\n</protocol>")
        await peer.aclose()


async def test_half_a_message_is_waited_for_only_so_long(
    poller: Poller, autojump_clock: MockClock
) -> None:
    link, peer = xml_pair(poller, seconds=30.0)
    await peer.send_all(b"<protocol><join/><room roomId='R'>")
    assert await link.receive() == b"<join/>"
    assert isinstance(await link.receive(), Unreadable)
    assert trio.current_time() == 30
    with pytest.raises(trio.EndOfChannel):
        await link.receive()


async def test_bytes_that_trickle_in_do_not_buy_time(
    poller: Poller, autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    link, peer = xml_pair(poller, seconds=30.0)

    async def trickle() -> None:
        for byte in b"<protocol>" + b"<" + b"a" * 1000:
            await peer.send_all(bytes([byte]))
            await trio.sleep(1)

    nursery.start_soon(trickle)
    assert isinstance(await link.receive(), Unreadable)
    assert trio.current_time() < 60
    nursery.cancel_scope.cancel()


async def test_silence_between_messages_has_no_limit(
    poller: Poller, autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    link, peer = xml_pair(poller, seconds=30.0)

    async def speak_late() -> None:
        await peer.send_all(b"<protocol>")
        await trio.sleep(80_000)
        await peer.send_all(b"<join/>")

    nursery.start_soon(speak_late)
    assert await link.receive() == b"<join/>"


async def test_each_message_has_its_own_time(
    poller: Poller, autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    link, peer = xml_pair(poller, seconds=30.0)

    async def speak() -> None:
        await peer.send_all(b"<protocol>")
        for _ in range(10):
            await peer.send_all(b"<a>")
            await trio.sleep(20)
            await peer.send_all(b"</a><b>")
            await trio.sleep(20)
            await peer.send_all(b"</b>")

    nursery.start_soon(speak)
    assert [await link.receive() for _ in range(20)] == [b"<a></a>", b"<b></b>"] * 10


async def test_both_sides_speak_over_sockets(poller: Poller, nursery: trio.Nursery) -> None:
    transport = Tcp(partial(XmlFramer, "protocol"))
    listeners = await open_listeners("127.0.0.1", 0)

    async def echo(link: Link) -> None:
        frame = await link.receive()
        assert isinstance(frame, bytes)
        await link.send(b"  " + frame)
        await link.aclose()

    await nursery.start(partial(transport.serve, poller=poller), echo, listeners, nursery)
    async with transport.connect(*listeners[0].socket.getsockname()) as link:
        await link.send(b"  <join/>")
        assert await link.receive() == b"<join/>"
        with pytest.raises(trio.EndOfChannel):
            await link.receive()
    nursery.cancel_scope.cancel()


async def test_an_ipv4_address_is_shown_as_such_by_a_socket_for_both() -> None:
    """As systemd opens them; Trio has one for each."""
    if not (socket.has_ipv6 and socket.has_dualstack_ipv6()):
        pytest.skip("needs IPv6")
    with socket.create_server(("", 0), family=socket.AF_INET6, dualstack_ipv6=True) as listener:
        near = await trio.open_tcp_stream("127.0.0.1", listener.getsockname()[1])
        far, _ = listener.accept()
        async with near, trio.SocketStream(trio.socket.from_stdlib_socket(far)) as stream:
            port = near.socket.getsockname()[1]
            assert str(peer_address(stream)) == f"127.0.0.1:{port}"
