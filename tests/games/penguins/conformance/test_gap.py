"""The moment between a state and the request for a move: both are sent, but not at once."""

from collections.abc import Awaitable, Callable

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from games.penguins.messages import Memento, MoveRequest
from games.penguins.rules import legal_actions
from tests.games.penguins.scene import XmlPeer, connect, entries, join_two, penguins_fair, prepare
from tests.support.helpers import Fair

GAP = 0.03
BOARD = 42


def request(room_id: str) -> bytes:
    return f'\n  <room roomId="{room_id}">\n    <data class="moveRequest"/>\n  </room>'.encode()


async def test_a_request_comes_by_itself_after_its_state(mock_clock: MockClock) -> None:
    async with penguins_fair(request_gap_seconds=GAP, board_seed=BOARD) as fair:
        one, two = await join_two(connect(fair), connect(fair))
        for turn, target in enumerate(((0, 0), (2, 0), (6, 0))):
            player = (one, two)[turn % 2]
            await wait_all_tasks_blocked()
            while f'turn="{turn}"' not in player.heard:
                await player._read()
            assert player.heard.endswith("</state>\n    </data>\n  </room>")
            mock_clock.jump(GAP)
            assert await player.stream.receive_some() == request(one.room_id)
            await player.move(target)


async def test_there_is_a_gap_by_default(autojump_clock: MockClock) -> None:
    async with penguins_fair() as fair:
        assert fair.endpoint.game.settings().request_gap_seconds == GAP


async def test_the_time_of_a_move_begins_with_its_request(autojump_clock: MockClock) -> None:
    async with penguins_fair(request_gap_seconds=0.5, players_time_out=True) as fair:
        one, two = await join_two(connect(fair), connect(fair))
        state = await one.hear_state()
        start = trio.current_time()
        assert await one.hear_data() == MoveRequest()
        assert trio.current_time() == start + 0.5
        await trio.sleep(1.9)  # within the soft limit, though not since the state
        await one.make(legal_actions(state)[0])
        assert (await one.hear_state()).turn == 1
        await two.hear_data_of(MoveRequest)
        start = trio.current_time()
        await two.hear_result()
        assert trio.current_time() == start + 10


async def test_an_answer_to_something_else_does_not_overtake_the_request(
    mock_clock: MockClock,
) -> None:
    async with penguins_fair(request_gap_seconds=GAP) as fair:
        one, two = await join_two(connect(fair), connect(fair))
        await one.hear_state()
        await two.say('<joinRoom roomId="nowhere"/>')
        await two.hear_state()
        assert (await two.hear()).startswith("<errorpacket")  # and it does not make us ask ONE
        assert table_deadline(fair) == trio.current_time() + GAP
        await one.say('<joinRoom roomId="nowhere"/>')
        assert await one.hear_data() == MoveRequest()
        assert (await one.hear()).startswith("<errorpacket")


def table_deadline(fair: Fair) -> float:
    (room,) = fair.endpoint.hall.lobbies.values()
    return room.table.timers.deadline


# Whatever happens in the gap, everybody hears the same bytes as without it

Story = Callable[[XmlPeer, XmlPeer, XmlPeer], Awaitable[None]]


async def early_moves(one: XmlPeer, two: XmlPeer, admin: XmlPeer) -> None:
    """Players who do not wait to be asked: on the original server they would have been by then."""
    players = one, two
    for _ in range(12):
        state = (await one.hear_data_of(Memento)).state
        assert (await two.hear_data_of(Memento)).state == state
        await players[state.team.index].make(legal_actions(state)[0])


async def a_move_out_of_turn(one: XmlPeer, two: XmlPeer, admin: XmlPeer) -> None:
    await two.move((0, 0))
    await one.hear_result()


async def two_moves(one: XmlPeer, two: XmlPeer, admin: XmlPeer) -> None:
    await one.move((0, 0))
    await one.move((2, 0))
    await one.hear_result()


async def leaving(one: XmlPeer, two: XmlPeer, admin: XmlPeer) -> None:
    await two.finish()
    assert entries(await one.hear_result())[1][0] == "LEFT"


async def leaving_when_on_turn(one: XmlPeer, two: XmlPeer, admin: XmlPeer) -> None:
    await two.hear_state()
    await one.stream.aclose()
    await two.hear_result()


async def cancelling(one: XmlPeer, two: XmlPeer, admin: XmlPeer) -> None:
    await admin.say(f'<cancel roomId="{one.room_id}"/>')
    await one.hear_result()


async def pausing(one: XmlPeer, two: XmlPeer, admin: XmlPeer) -> None:
    await admin.say(f'<pause roomId="{one.room_id}" pause="true"/>')
    await one.hear_data_of(MoveRequest)
    await one.move((0, 0))
    await wait_all_tasks_blocked()
    await admin.say(f'<step roomId="{one.room_id}"/>', f'<step roomId="{one.room_id}"/>')
    for _ in range(2):
        await two.hear_data_of(MoveRequest)
    await admin.say(f'<pause roomId="{one.room_id}" pause="false"/>')
    await two.move((2, 0))
    await one.hear_data_of(MoveRequest)


async def nonsense(one: XmlPeer, two: XmlPeer, admin: XmlPeer) -> None:
    await one.say_data("")
    await two.say_data("")
    await one.hear_data_of(MoveRequest)


@pytest.mark.parametrize(
    "story",
    [
        early_moves,
        a_move_out_of_turn,
        two_moves,
        leaving,
        leaving_when_on_turn,
        cancelling,
        pausing,
        nonsense,
    ],
)
async def test_bytes_and_their_order_are_those_without_the_gap(
    story: Story, autojump_clock: MockClock
) -> None:
    async def tell(gap: float) -> list[str]:
        settings = {"request_gap_seconds": gap, "board_seed": BOARD}
        async with penguins_fair(**settings) as fair:
            one, two, admin = connect(fair), connect(fair), connect(fair)
            prepared = await prepare(admin)
            await prepared.seat_two(one, two)
            await story(one, two, admin)
            await trio.sleep(1)
            return [await _all(peer) for peer in (one, two, admin)]

    without, with_gap = await tell(0), await tell(GAP)
    assert without == with_gap
    assert any("moveRequest" in heard for heard in without) or story is leaving_when_on_turn


async def _all(peer: XmlPeer) -> str:
    try:
        return await peer.finish()
    except trio.ClosedResourceError:
        return ""  # it has left, and what was sent to it then does not matter
