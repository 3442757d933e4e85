"""Limits name their clauses, whoever notices that they are broken."""

import pytest
import structlog
import trio
from structlog.testing import LogCapture
from trio.testing import MockClock, wait_all_tasks_blocked

from ludothek.contract.limit_clauses import LIMITS, TCP_LIMITS, WEBSOCKET_LIMITS
from ludothek.testing.breaches import explanations, hear_of_breach
from ludothek.testing.fair import Peer
from tests.support.helpers import open_fair, open_server
from tests.support.hexxagon import HexxagonClient
from tests.support.raw_websocket import TEXT, RawPeer, frame
from transports import Complaint


@pytest.fixture(autouse=True)
def logs() -> LogCapture:
    capture = LogCapture()
    structlog.configure(processors=[capture])
    return capture


@pytest.mark.parametrize("complaint", Complaint)
def test_every_complaint_names_a_clause_of_ours(complaint: Complaint) -> None:
    clause = LIMITS[complaint]
    assert clause.id == complaint.clause
    assert clause.ours
    offered = complaint is Complaint.GUESSING or clause in {*TCP_LIMITS, *WEBSOCKET_LIMITS}
    assert offered


@pytest.mark.parametrize("complaint", Complaint)
async def test_a_client_that_is_dropped_is_explained_once(
    complaint: Complaint, logs: LogCapture, autojump_clock: MockClock
) -> None:
    async with open_fair("hexxagon") as fair:
        peer = Peer(fair.connect())
        await peer.hear()
        (client,) = fair.endpoint.clients
        client.drop(complaint)
        client.drop(complaint)
        await wait_all_tasks_blocked()
        (explanation,) = explanations(fair.endpoint)
        assert explanation.breach.clause is LIMITS[complaint]
        assert explanation.consequence.value == "kicked"
        (line,) = [each for each in logs.entries if each["event"] == "client dropped"]
        assert line["clause"] == complaint.clause


async def test_silence_is_explained_over_a_socket(logs: LogCapture) -> None:
    async with (
        open_server("hexxagon", limits={"first_message_seconds": 0.05}) as server,
        server.connect() as peer,
    ):
        await HexxagonClient.arrive(peer)
        await peer.hear_end()
        while server.endpoint.clients:
            await wait_all_tasks_blocked()
        (explanation,) = explanations(server.endpoint)
        assert explanation.breach.clause.id == "ours.silent"


async def test_a_flood_is_explained_over_a_socket(logs: LogCapture) -> None:
    limits = {"bytes_per_second": 1000.0, "byte_burst": 2000}
    async with open_server("hexxagon", limits=limits) as server, server.connect() as peer:
        await HexxagonClient.arrive(peer)
        await peer.say(b"x" * 5000)
        while server.endpoint.clients:
            await wait_all_tasks_blocked()
        assert "ours.too-many-bytes" in {
            each.breach.clause.id for each in explanations(server.endpoint)
        }


@pytest.mark.parametrize("data", [b"\x81\x02hi", frame(TEXT, b"\xff"), frame(0, b"rest")])
async def test_a_broken_websocket_is_explained(logs: LogCapture, data: bytes) -> None:
    """A frame without a mask, one that is not UTF-8, and a fragment of nothing."""
    async with open_server("quidditch") as server:
        async with await trio.open_tcp_stream("127.0.0.1", server.port) as stream:
            peer = RawPeer(stream)
            await peer.shake()
            await peer.write(data)
            await hear_of_breach(server.endpoint)
        (explanation,) = explanations(server.endpoint)
        assert explanation.breach.clause.id == "ours.websocket"
        (line,) = [each for each in logs.entries if each["event"] == "kicked"]
        assert line["clause"] == "ours.websocket"
