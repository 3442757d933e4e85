"""What a lobby promises to its table and to its clients."""

import threading
from functools import partial
from typing import Any

import attrs
import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from ludothek.contract.effects import Effects, Fetch, Hold, Kick, Send
from ludothek.contract.orders import Abort, OrderRefused
from ludothek.runtime.lobby import Lobby
from ludothek.testing.dummies import DummyClient
from tests.support.helpers import MemoryLink, memory_link_pair
from tests.support.toy import ToyCodec, ToyReception, ToyTable, open_toy, toy_client, toy_hall
from transports import Farewell


@attrs.define(eq=False)
class Room:
    """A lobby under test; visitors go from the reception into it and back."""

    nursery: trio.Nursery
    lobby: Lobby
    count: int = 0

    @property
    def codec(self) -> ToyCodec:
        assert isinstance(self.lobby.hall.codec, ToyCodec)
        return self.lobby.hall.codec

    @property
    def at_the_door(self) -> list[str]:
        reception = self.lobby.hall.foyer.reception
        assert isinstance(reception, ToyReception)
        return reception.heard

    def visitor(self) -> MemoryLink:
        ours, theirs = memory_link_pair()
        self.count += 1
        client = toy_client(self.lobby.hall, self.count, theirs, lobby="toy")
        self.nursery.start_soon(client.run)
        return ours


@pytest.fixture
def room(nursery: trio.Nursery) -> Room:
    return open_room(nursery, ToyTable())


def open_room(nursery: trio.Nursery, table: ToyTable) -> Room:
    return Room(nursery, open_toy(toy_hall(nursery), "toy", table))


async def heard(link: MemoryLink) -> list[str]:
    await wait_all_tasks_blocked()
    return [frame.decode() for frame in link.received()]


async def test_everybody_hears_what_is_sent_to_everybody(room: Room) -> None:
    ann, bob = room.visitor(), room.visitor()
    await wait_all_tasks_blocked()
    await ann.send(b"hello")
    assert sorted([await heard(ann), await heard(bob)]) == [
        ["welcome 1", "hello"],
        ["welcome 2", "hello"],
    ]


async def test_a_broadcast_is_encoded_once(room: Room) -> None:
    visitors = [room.visitor() for _ in range(20)]
    await wait_all_tasks_blocked()
    before = room.codec.encoded
    await visitors[0].send(b"hello")
    assert [(await heard(visitor))[-1] for visitor in visitors] == ["hello"] * 20
    assert room.codec.encoded == before + 1


async def test_a_released_client_is_back_at_the_door_with_all_it_has_said(room: Room) -> None:
    """Messages behind the leaving one are heard at the door, in order, never at the table."""
    for _ in range(50):  # Trio schedules at random
        room.at_the_door.clear()
        ann, bob = room.visitor(), room.visitor()
        for message in (b"hello", b"leave", b"one", b"two", b"three"):
            await ann.send(message)
            await bob.send(b"noise")
        await wait_all_tasks_blocked()
        assert room.at_the_door == ["one", "two", "three"]
        assert (await heard(ann))[-1] == "door"
        await ann.aclose()
        await bob.aclose()
        await wait_all_tasks_blocked()


async def test_what_arrives_in_the_instant_a_lobby_ends_is_heard_at_the_door(room: Room) -> None:
    ann, bob = room.visitor(), room.visitor()
    await wait_all_tasks_blocked()
    await ann.send(b"end")
    await bob.send(b"too late?")
    await wait_all_tasks_blocked()
    late = [m for m in room.at_the_door if m == "too late?"]
    said = [m for m in await heard(ann) if m == "too late?"]
    assert len(late) + len(said) == 1  # before the end at the table, after it at the door


async def test_who_hangs_up_has_left(room: Room) -> None:
    ann, bob = room.visitor(), room.visitor()
    await wait_all_tasks_blocked()
    await ann.aclose()
    assert (await heard(bob))[-1] == "somebody left"


async def test_a_kicked_client_gets_its_last_words_and_is_not_heard_again(room: Room) -> None:
    ann = room.visitor()
    await wait_all_tasks_blocked()
    for word in (b"kick me", b"but"):
        ann.post(word)
    assert await heard(ann) == ["welcome 1", "out"]
    with pytest.raises(trio.EndOfChannel):
        await ann.receive()
    assert room.at_the_door == []
    assert isinstance(room.lobby.table, ToyTable)
    assert room.lobby.table.log == ["kick me"]


async def test_who_is_sent_away_on_its_way_never_comes_in(room: Room) -> None:
    client = toy_client(room.lobby.hall, lobby="toy")
    client.close()
    await client.run()
    assert [*room.lobby.journal] == []


async def test_time_is_up_when_the_table_said(room: Room, autojump_clock: MockClock) -> None:
    ann = room.visitor()
    await wait_all_tasks_blocked()
    start = trio.current_time()
    assert await ann.receive() == b"welcome 1"
    assert await ann.receive() == b"time up"
    assert trio.current_time() == pytest.approx(start + 30)


async def test_a_message_moves_the_alarm(room: Room, autojump_clock: MockClock) -> None:
    ann = room.visitor()
    await wait_all_tasks_blocked()
    start = trio.current_time()
    await trio.sleep(20)
    await ann.send(b"hello")
    heard = [await ann.receive() for _ in range(3)]
    assert heard == [b"welcome 1", b"hello", b"time up"]
    assert trio.current_time() == pytest.approx(start + 50)


async def test_a_paused_clock_stands_still(room: Room, autojump_clock: MockClock) -> None:
    ann = room.visitor()
    await wait_all_tasks_blocked()
    start = trio.current_time()
    await trio.sleep(20)
    await ann.send(b"pause")
    await trio.sleep(1000)
    await ann.send(b"resume")
    assert [await ann.receive(), await ann.receive()] == [b"welcome 1", b"time up"]
    assert trio.current_time() == pytest.approx(start + 1030)


async def test_a_message_in_the_instant_of_the_alarm_wins(mock_clock: MockClock) -> None:
    """The alarm that rings for a deadline already moved on is a false one."""
    async with trio.open_nursery() as nursery:
        room = open_room(nursery, ToyTable())
        ann = room.visitor()
        await wait_all_tasks_blocked()
        mock_clock.jump(30)  # the alarm is due, and in the same step the table hears something
        room.lobby.let(room.lobby.table.receive, DummyClient(9), "just in time")
        assert await heard(ann) == ["welcome 1", "just in time"]
        nursery.cancel_scope.cancel()


async def test_an_unreadable_frame_reaches_the_table_as_malformed(room: Room) -> None:
    ann = room.visitor()
    await wait_all_tasks_blocked()
    await ann.send(b"!")
    assert (await heard(ann))[-1] == "Malformed(reason='loud')"


async def test_a_refused_order_is_told_to_who_gave_it_and_harms_nothing(room: Room) -> None:
    ann = room.visitor()
    await wait_all_tasks_blocked()
    with pytest.raises(OrderRefused, match="never aborted"):
        room.lobby.order(Abort())
    await ann.send(b"hello")
    assert (await heard(ann))[-1] == "hello"


async def test_a_bug_ends_the_lobby_and_nothing_half_done_is_sent(room: Room) -> None:
    ann = room.visitor()
    await wait_all_tasks_blocked()
    await ann.send(b"bug")
    assert await heard(ann) == ["welcome 1", "sorry", "door"]
    assert not room.lobby.open
    assert room.lobby.crashed
    assert room.lobby.hall.crashes == 1


async def test_what_cannot_be_encoded_keeps_the_rest_from_being_sent(room: Room) -> None:
    """All effects of a step, or none of them."""

    class Unwritable:
        def __str__(self) -> str:
            raise ZeroDivisionError

    table = room.lobby.table
    assert isinstance(table, ToyTable)
    members = table.members

    def say_two_things() -> Effects:
        yield Send(members, "never said")
        yield Send(members, Unwritable())

    ann = room.visitor()
    await wait_all_tasks_blocked()
    room.lobby.let(say_two_things)
    assert await heard(ann) == ["welcome 1", "sorry", "door"]


@pytest.mark.parametrize(
    "wrong",
    [
        Hold(DummyClient()),
        "nonsense",
        Kick(DummyClient(), Farewell.DONE),
        Fetch(DummyClient(), str),
        Send(DummyClient(), "to nobody"),
        Send([DummyClient()], "to nobody"),
        Send(None, "to nobody"),  # type: ignore[arg-type]
    ],
    ids=lambda wrong: type(wrong).__name__,
)
async def test_an_effect_of_the_wrong_kind_keeps_the_rest_from_taking_place(
    wrong: Any, room: Room
) -> None:
    table = room.lobby.table
    assert isinstance(table, ToyTable)
    ann = room.visitor()
    await wait_all_tasks_blocked()
    room.lobby.let(lambda: [Send(table.members, "never said"), wrong])
    assert await heard(ann) == ["welcome 1", "sorry", "door"]
    assert room.lobby.crashed


async def test_a_step_that_is_no_method_fails_inside_the_lobby(room: Room) -> None:
    room.lobby.let(partial(room.lobby.table.receive, DummyClient(), "bug"))
    assert room.lobby.crashed


# What takes long to make


async def test_what_takes_long_holds_up_nobody_and_comes_once(nursery: trio.Nursery) -> None:
    made = threading.Event()
    table = ToyTable(make=lambda: f"made {made.wait(30)}")
    room = open_room(nursery, table)
    one, other = room.visitor(), room.visitor()
    for word in ("fetch", "fetch", "hello"):
        await one.send(word.encode())
    assert await heard(other) == ["welcome 2", "hello"]
    assert "made True" not in await heard(one)
    made.set()
    assert await one.receive() == b"made True"
    await one.send(b"fetch")  # it may be asked for again once it has come
    assert await one.receive() == b"made True"
    assert await heard(other) == []


@pytest.mark.parametrize("word", ["leave", "kick me"])
async def test_what_takes_long_is_not_sent_to_who_has_gone(
    nursery: trio.Nursery, word: str
) -> None:
    made, seen = threading.Event(), threading.Event()

    def make() -> str:
        seen.set()
        return f"made {made.wait(30)}"

    room = open_room(nursery, ToyTable(make=make))
    one, other = room.visitor(), room.visitor()
    await one.send(b"fetch")
    await trio.to_thread.run_sync(seen.wait, 30)
    await one.send(word.encode())
    await other.send(b"fetch")
    await wait_all_tasks_blocked()
    made.set()
    while await other.receive() != b"made True":
        pass
    assert b"made True" not in one.received()


async def test_whoever_makes_something_long_rests_afterwards(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who asks again and again leaves most of the processor to the games."""
    rests: list[float] = []
    seconds = iter([10.0, 10.5])
    monkeypatch.setattr("ludothek.runtime.errands.thread_time", lambda: next(seconds))
    monkeypatch.setattr("ludothek.runtime.errands.sleep", rests.append)
    one = open_room(nursery, ToyTable(make=lambda: "made")).visitor()
    await one.send(b"fetch")
    while await one.receive() != b"made":
        pass
    assert rests == [2.0]


async def test_a_bug_in_the_making_ends_the_lobby(nursery: trio.Nursery) -> None:
    room = open_room(nursery, ToyTable(make=lambda: str(1 // 0)))
    one = room.visitor()
    await one.send(b"fetch")
    while await one.receive() != b"door":
        pass
    assert room.lobby.crashed
