"""A lobby whose match is over, in the hands of another process."""

from typing import TYPE_CHECKING, Any, cast

import orjson
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from games.quidditch import GAME
from games.quidditch import messages as m
from ludothek.contract.orders import Abort
from ludothek.runtime.connection import Connection
from ludothek.runtime.lobby import Lobby
from ludothek.testing.lockstep import Participant, perform
from ludothek.testing.phoenix import Phoenix
from tests.games.quidditch.clients import container
from tests.games.quidditch.scene import BADGERS, BRIEF, CODEC, HERONS

if TYPE_CHECKING:
    from ludothek.testing.fair import Fair


async def finished(phoenix: Phoenix, clock: MockClock) -> list[Participant]:
    """Two players whose match is over, and who are still there."""
    return await perform(cast("Fair", phoenix), GAME, clock, 1)


def phoenix_in(nursery: trio.Nursery) -> Phoenix:
    return Phoenix(nursery, GAME, 1, {"match": str(BRIEF)})


async def heard(player: Participant) -> bytes:
    frame = await player.link.receive()
    assert isinstance(frame, bytes)
    return frame


async def test_those_who_stay_after_a_match_are_still_there(mock_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        phoenix = phoenix_in(nursery)
        one, other = await finished(phoenix, mock_clock)
        phoenix.die()
        await wait_all_tasks_blocked()
        (lobby,) = phoenix.endpoint.hall.lobbies.values()
        assert [*lobby.table.summary.spectators] == ["Player0", "Player1"]
        await one.link.aclose()
        await wait_all_tasks_blocked()
        assert [*lobby.table.summary.spectators] == ["Player1"]
        lobby.order(Abort())
        await wait_all_tasks_blocked()
        assert b"The organiser has closed this lobby." in other.link.received()[-1]
        nursery.cancel_scope.cancel()


async def test_the_last_replay_can_be_fetched_from_the_next_process(mock_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        phoenix = phoenix_in(nursery)
        one, other = await finished(phoenix, mock_clock)
        replays = []
        for player in (one, other):
            await player.link.send(orjson.dumps(container("getReplay", {})))
            replays.append(orjson.loads(await heard(player))["payload"])
            phoenix.die()
            await wait_all_tasks_blocked()
        assert replays[0] == replays[1]
        assert phoenix.endpoint.hall.crashes == 0
        nursery.cancel_scope.cancel()


async def test_a_replay_that_was_asked_for_before_the_end_of_a_match_comes_after_it(
    mock_clock: MockClock,
) -> None:
    async with trio.open_nursery() as nursery:
        phoenix = phoenix_in(nursery)
        one, other = await finished(phoenix, mock_clock)
        for player, team in ((one, HERONS), (other, BADGERS)):
            await player.link.send(CODEC.encode(team))
        (lobby,) = phoenix.endpoint.hall.lobbies.values()
        await wait_all_tasks_blocked()
        one.link.received()
        lobby.hear(*_said(lobby, m.GetReplay()))  # nothing is made before the end
        lobby.order(Abort())
        phoenix.die()
        while b'"payloadType":"replay"' not in await heard(one):
            pass
        phoenix.die()
        await wait_all_tasks_blocked()
        assert [each.key for each in phoenix.endpoint.hall.lobbies.values()] == ["hogwarts"]
        assert phoenix.endpoint.hall.crashes == 0
        nursery.cancel_scope.cancel()


def _said(lobby: Lobby, message: Any) -> tuple[Connection, Any, bytes]:
    """What the first client in a lobby says."""
    client = next(iter(lobby.clients))
    return client, message, CODEC.encode(message)
