"""What had arrived before an alarm was due is heard before it rings."""

from collections.abc import Hashable
from math import inf

import attrs
import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from ludothek.contract.client import Client
from ludothek.contract.effects import Effects
from tests.support.helpers import cut_off, hang_up_all, socket_link_pair
from tests.support.toy import ToyTable, open_toy, toy_client, toy_hall
from transports import LineFramer, OutboxLimits, Poller, Terms
from transports.inbox import PORTION
from transports.poller import RECEIVE_BYTES
from transports.socket_link import SocketLink

# Who comes first within an instant is a matter of luck: with a fault in one of two cases, so many
# tries find it.
TRIES = 20


@attrs.define(eq=False)
class Punctual(ToyTable):
    """Wants a move every thirty seconds, and counts how often time was up."""

    rung: int = 0

    def receive(self, client: Client, message: str) -> Effects:
        self.log.append(message)
        if message == "move":
            self.timers.start("turn", 30)
        return iter(())

    def time_up(self, timer: Hashable) -> Effects:
        self.rung += 1
        return super().time_up(timer)


def talker(poller: Poller, **terms: float) -> tuple[SocketLink, trio.SocketStream]:
    return socket_link_pair(poller, LineFramer(), terms=Terms(**terms))  # type: ignore[arg-type]


async def test_who_has_spoken_in_time_was_not_silent(poller: Poller, mock_clock: MockClock) -> None:
    for _ in range(TRIES):
        link, peer = talker(poller, first_seconds=10)
        await wait_all_tasks_blocked()
        peer.socket._sock.send(b"here I am\n")  # type: ignore[attr-defined]
        mock_clock.jump(10)
        assert await link.receive() == b"here I am"
        assert link.complaint is None


async def test_who_has_read_in_time_was_not_stuck(poller: Poller, mock_clock: MockClock) -> None:
    for _ in range(TRIES):
        link, peer = talker(poller)
        link.outbox_limits = OutboxLimits(bytes=inf, seconds=10)  # type: ignore[arg-type]
        link.post(bytes(1_000_000))
        await wait_all_tasks_blocked()
        assert link.waiting_bytes
        peer.socket._sock.recv(1_000_000)  # type: ignore[attr-defined]
        mock_clock.jump(10)
        await wait_all_tasks_blocked()
        assert link.complaint is None
        cut_off(link)


@pytest.mark.parametrize(
    "talk",
    [
        b"move\n",
        b"x" * (3 * RECEIVE_BYTES) + b"\nmove\n",
        b"word\n" * (4 * PORTION) + b"move\n",
    ],
    ids=["a word", "a long word before", "many words before"],
)
async def test_a_move_that_came_in_time_counts(
    poller: Poller, mock_clock: MockClock, talk: bytes
) -> None:
    """However much had to be heard before it."""
    async with trio.open_nursery() as nursery:
        for _ in range(TRIES):
            link, peer = talker(poller)
            table = Punctual()
            hall = toy_hall(nursery, settle=poller.settle)
            open_toy(hall, "toy", table)
            nursery.start_soon(toy_client(hall, 1, link, lobby="toy").run)
            await wait_all_tasks_blocked()
            peer.socket._sock.send(talk)  # type: ignore[attr-defined]
            mock_clock.jump(30)
            await wait_all_tasks_blocked()
            assert (table.log[-1], table.rung) == ("move", 0)
        hang_up_all()  # where time stands still, nobody waits them out
        nursery.cancel_scope.cancel()


async def test_who_talks_without_end_holds_up_no_alarm(
    poller: Poller, mock_clock: MockClock
) -> None:
    link, peer = talker(poller)
    told: list[object] = []

    async def flood() -> None:
        while True:
            await peer.send_all(b"word\n" * 5000)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.converse, told.append)
        nursery.start_soon(flood)
        while not told:
            await trio.lowlevel.checkpoint()
        await poller.settle(trio.current_time())
        nursery.cancel_scope.cancel()
    assert len(told) < 1_000_000


async def test_all_who_wait_for_the_same_wait_together(
    poller: Poller, mock_clock: MockClock
) -> None:
    link, peer = talker(poller)
    heard: list[object] = []
    after: list[int] = []

    async def wait() -> None:
        await poller.settle(trio.current_time())
        after.append(len(heard))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.converse, heard.append)
        await wait_all_tasks_blocked()
        peer.socket._sock.send(b"word\n")  # type: ignore[attr-defined]
        for _ in range(5):
            nursery.start_soon(wait)
        await wait_all_tasks_blocked()
        assert after == [1] * 5
        await poller.settle(trio.current_time())  # nothing has come since
        nursery.cancel_scope.cancel()
