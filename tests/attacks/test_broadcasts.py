"""What one client says and many do not read takes the memory of one message."""

import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager

import pytest
import trio
from trio.testing import MockClock

from games.roborally.messages import TO_ALL, SendChat
from tests.attacks.arena import open_arena
from tests.games.qwirkle.party import CALM, connected, open_game, seat, virtual_party
from tests.games.roborally.client import RoboRallyClient
from tests.games.roborally.scene import Scene
from tests.support.helpers import socket_link_pair
from tests.support.toy import toy_client, toy_hall
from transports import Complaint, LineFramer, OutboxLimits, Poller, XmlFramer
from transports.framing import Framer
from transports.websocket_frames import WebSocketFramer

SPECTATORS, LINES, SIZE = 199, 30, 64_000

FRAMERS: dict[str, Callable[[], Framer]] = {
    "lines": LineFramer,
    "xml": lambda: XmlFramer("protocol"),
    "websocket": lambda: WebSocketFramer(max_bytes=SIZE),
}


class Deaf:
    """Clients that read nothing."""

    def __init__(
        self,
        poller: Poller,
        nursery: trio.Nursery,
        number: int,
        framer: Callable[[], Framer],
        outbox: OutboxLimits,
    ) -> None:
        pairs = [socket_link_pair(poller, framer()) for _ in range(number)]
        self.links = [link for link, _ in pairs]
        self._peers = [peer for _, peer in pairs]  # a peer without a reference would hang up
        hall = toy_hall(nursery)
        self.clients = [
            toy_client(hall, n, link, outbox=outbox) for n, link in enumerate(self.links)
        ]

    def tell_all(self, frame: bytes) -> None:
        for client in self.clients:
            client.post(frame)

    @property
    def waiting_bytes(self) -> int:
        """How much is waiting for all of them."""
        return sum(link.waiting_bytes for link in self.links)


@contextmanager
def hearing(poller: Poller) -> Iterator[None]:
    """While peers are heard, output to others is held back."""
    with poller.turns.turn():
        yield


def chat(lines: int = LINES) -> Iterator[bytes]:
    for n in range(lines):
        yield b"%d" % n * (SIZE // 2)


@pytest.mark.parametrize("framer", FRAMERS)
@pytest.mark.parametrize("small", [False, True], ids=["chat", "chat after small talk"])
async def test_a_broadcast_is_one_object_for_all_who_do_not_read(
    poller: Poller, framer: str, small: bool, nursery: trio.Nursery
) -> None:
    deaf = Deaf(poller, nursery, SPECTATORS, FRAMERS[framer], OutboxLimits())
    if small:  # the first words of a document or a connection belong to one peer alone
        deaf.tell_all(b"hello")
    tracemalloc.start()
    try:
        for frame in chat():
            with hearing(poller):
                deaf.tell_all(b"listen")
                deaf.tell_all(frame)
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert deaf.waiting_bytes > SPECTATORS * LINES * SIZE // 2
    assert taken < 3 * LINES * SIZE
    assert poller.waiting.bytes < 3 * LINES * SIZE


async def test_what_waits_for_all_together_is_limited(
    poller: Poller, nursery: trio.Nursery
) -> None:
    """If every client is told something different, those with the fullest outboxes go first."""
    total = 20 * 1_000_000
    deaf = Deaf(poller, nursery, 50, LineFramer, OutboxLimits(total=total))
    modest = deaf.clients[0]
    modest.post(b"x" * 500_000)
    for n, client in enumerate(deaf.clients[1:], start=1):
        for _ in range(10):
            client.post(bytes([n]) * 100_000)
            assert poller.waiting.bytes <= total
    dropped = [link for link in deaf.links if link.complaint is Complaint.OUTBOX_FULL]
    assert 10 < len(dropped) < 45
    assert not modest.closing
    assert modest.waiting_bytes
    # A frame that has been written in part is still there.
    assert 0 <= poller.waiting.bytes - deaf.waiting_bytes < len(deaf.links) * 500_000


async def test_when_all_are_gone_nothing_waits(poller: Poller, nursery: trio.Nursery) -> None:
    deaf = Deaf(poller, nursery, 20, LineFramer, OutboxLimits(seconds=0.0))
    for frame in chat(10):
        deaf.tell_all(frame)
    waiting = poller.waiting
    assert len(waiting.peers) == 20
    for link in deaf.links:
        link.abort()
    assert (waiting.bytes, waiting.peers, waiting._copies) == (0, set(), {})


async def test_who_reads_on_gets_every_byte_in_order(poller: Poller, nursery: trio.Nursery) -> None:
    """Frames are written in pieces, none of which is cut off or repeated."""
    deaf = Deaf(poller, nursery, 1, LineFramer, OutboxLimits())
    said = [b"%d " % n * (n * n % 9000) for n in range(150)]
    expected = b"".join(b"%b\n" % frame for frame in said)
    for at in range(0, len(said), 7):
        with hearing(poller):
            for frame in said[at : at + 7]:
                deaf.tell_all(frame)
    assert deaf.clients[0].waiting_bytes > 100_000
    heard = b""
    with trio.fail_after(60):
        while len(heard) < len(expected):
            heard += await deaf._peers[0].receive_some(30_000)
    assert heard == expected
    assert deaf.clients[0].waiting_bytes == poller.waiting.bytes == 0


async def test_nobody_wins_by_chat_against_a_player_who_thinks(autojump_clock: MockClock) -> None:
    """Clients do not read while they think; meanwhile their outboxes must not fill up."""
    async with virtual_party(**CALM) as found:
        await found.start()
        talker, thinker = found.players
        heard = []
        for n in range(100):  # half a minute
            await talker.say(306, message="<" * (1000 if n % 2 else 1))
            heard.append(await talker.peer.hear())
            await trio.sleep(0.3)
        assert {each["uniqueId"] for each in heard} == {307, 920}
        told = [each["message"] for each in heard if each["uniqueId"] == 307]
        assert 5 < len(told) < 60
        assert len("".join(told)) < 8000  # each of which takes six bytes
        await thinker.hear(*[307] * len(told))
        await thinker.hears_nothing()
        await trio.sleep(2)  # an exceeded limit is soon forgiven
        await talker.ask(306, 307, message="sorry")


def test_nobody_floods_the_other_robots_with_chat() -> None:
    scene = Scene()
    talker, other = scene.game()
    scene.forget()
    for _ in range(300):
        scene.say(talker, SendChat("x" * 300, TO_ALL))
        scene.wait(0.1)
    said = other.names().count("ReceivedChat")
    assert 10 <= said <= 17  # a third of what is said in half a minute, plus the burst
    assert talker.names().count("ReceivedChat") == said


async def test_who_leaves_and_comes_back_may_not_say_more(autojump_clock: MockClock) -> None:
    async with virtual_party(spectators=1) as found:
        (xaver,) = found.spectators
        heard = []
        for _ in range(5):
            for _ in range(10):
                await xaver.say(306, message="hello")
                heard.append((await xaver.peer.hear())["uniqueId"])
            await xaver.ask(405, 406)
            await xaver.ask(304, 305, gameId=int(found.lobby.key))
        assert heard == [307] * 10 + [920] * 40


async def test_who_makes_many_hear_something_pays_for_every_copy(
    autojump_clock: MockClock,
) -> None:
    """When a player joins and leaves a game, all spectators are told that it has left."""
    watchers, cycles = 50, 20
    rate = {"messages_per_second": 100, "message_burst": 100}
    async with open_arena("qwirkle", **rate) as arena:
        lobby = open_game(arena.server.endpoint)
        names = [f"X{n}" for n in range(watchers)]
        async with (
            connected(arena.server, *names, client_type="SPECTATOR") as audience,
            connected(arena.server, "Restless") as (restless,),
        ):
            seat(arena.server.endpoint, lobby, *audience, spectator=True)
            start = trio.current_time()
            for _ in range(cycles):
                await restless.ask(302, 303, gameId=int(lobby.key))
                await restless.ask(405, 406)
            work = cycles * (2 + watchers / 10)
            assert trio.current_time() - start == pytest.approx((work - 100) / 100, abs=0.1)


async def test_the_chat_of_qwirkle_has_a_limit(autojump_clock: MockClock) -> None:
    async with (
        open_arena("qwirkle") as arena,
        arena.arrive() as one,
        arena.arrive() as other,
    ):
        for stranger in (one, other):
            await stranger.say(b'{"uniqueId":304,"gameId":1}\n')
            await stranger.hear(b'"uniqueId":305')
        await one.say(b'{"uniqueId":306,"message":"%b"}\n' % (b"x" * 1001))
        await one.hear(b'"uniqueId":920')
        assert b"at most 1000 characters" in one.heard
        assert b'"causeId":306' in one.heard
        await one.say(b'{"uniqueId":306,"message":"%b"}\n' % (b"y" * 1000))
        for stranger in (one, other):
            await stranger.hear(b"y" * 1000)
        assert b'"uniqueId":920' not in other.heard  # only the one who said too much is told so
        assert b"xx" not in other.heard


# Its braces and quotes cost, too: 2.6 messages, where nobody listens.
@pytest.mark.parametrize(("watchers", "seconds"), [(0, 24), (149, 174)])
async def test_what_many_hear_is_more_than_one_message(
    watchers: int, seconds: int, autojump_clock: MockClock
) -> None:
    limits = {"messages_per_second": 10, "message_burst": 20}
    async with open_arena("roborally", **limits) as arena, AsyncExitStack() as stack:
        for _ in range(watchers):
            await RoboRallyClient.arrive(await stack.enter_async_context(arena.server.connect()))
        talker = await RoboRallyClient.arrive(
            await stack.enter_async_context(arena.server.connect())
        )
        await talker.register("Ann", 1)
        begun = trio.current_time()
        for _ in range(100):
            await talker.say("PlayerValues", name="Ann", figure=1)
            await talker.hear("PlayerAdded")
        assert trio.current_time() - begun == pytest.approx(seconds, rel=0.15)
