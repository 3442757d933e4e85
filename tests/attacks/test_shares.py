"""A client that has its share makes room among its own, and never at the cost of others."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import orjson
import trio
from trio.testing import MockClock

from tests.attacks.arena import ARRIVALS, Arena, Stranger, open_arena
from tests.attacks.test_crowds import refused_login
from tests.games.penguins.scene import TWO_SLOTS, XmlPeer, prepare
from tests.games.quidditch.clients import QuidditchClient, join
from tests.games.quidditch.door import LAB, Door
from tests.support.helpers import open_server
from tests.support.raw_websocket import TEXT, RawPeer, frame

OTHER = "127.0.0.2"


@asynccontextmanager
async def from_elsewhere(arena: Arena) -> AsyncIterator[Stranger]:
    stream = await trio.open_tcp_stream("127.0.0.1", arena.server.port, local_address=OTHER)
    async with stream:
        yield Stranger(stream)


async def play_alone(stranger: Stranger) -> None:
    """Take both seats of a room, and stay silent."""
    await ARRIVALS["penguins"](stranger)
    await stranger.say(b"<join/><join/>")
    await stranger.hear(b"moveRequest")


async def test_silent_rooms_of_another_address_are_not_taken_by_one_that_has_its_share(
    autojump_clock: MockClock,
) -> None:
    limits = {"exempt": [], "max_lobbies_per_address": 1}
    async with open_arena("penguins", **limits) as arena, from_elsewhere(arena) as silent:
        await play_alone(silent)
        await trio.sleep(601)
        async with arena.connect() as greedy:
            await play_alone(greedy)
            await greedy.say(b"<join/>")
            await greedy.hear(b"too many rooms")
        assert b"TIMEOUT" not in silent.heard


async def test_prepared_rooms_do_not_make_room(autojump_clock: MockClock) -> None:
    async with (
        open_server("penguins", {"password": "secret"}, limits={"max_lobbies": 1}) as server,
        Arena(server).connect() as organiser,
        Arena(server).arrive() as one,
        Arena(server).arrive() as two,
    ):
        slots = TWO_SLOTS.replace('canTimeout="true"', 'canTimeout="false"')
        prepared = await prepare(XmlPeer(organiser.stream), slots, observe=False)
        for player, code in zip((one, two), prepared.codes, strict=True):
            await player.say(b'<joinPrepared reservationCode="%b"/>' % code.encode())
        await one.hear(b"moveRequest")
        await trio.sleep(601)
        async with Arena(server).arrive() as late:
            await late.say(b"<join/>")
            await late.hear(b"too many rooms")


async def test_empty_lobbies_of_another_address_are_not_closed_for_one_that_has_its_share(
    autojump_clock: MockClock,
) -> None:
    limits = {"exempt": [], "max_lobbies_per_address": 1}
    async with open_arena("quidditch", **limits) as arena, arena.server.connect() as peer:
        async with from_elsewhere(arena) as leaving:
            await RawPeer(leaving.stream).shake()
            await leaving.say(frame(TEXT, orjson.dumps(join("luna", lobby="empty"))))
            await leaving.hear(b"joinResponse")
        await QuidditchClient.login(peer, "harry", lobby="full")
        assert (await refused_login(arena, "another"))[0] == 204
        assert set(arena.server.endpoint.hall.lobbies) == {"empty", "full"}


def test_where_many_share_an_address_wrong_passwords_delay_nobody_else() -> None:
    door = Door()
    for n in range(60):
        door.log_in(f"user{n}", "secret", LAB)
        door.guess(1, LAB, f"user{n}")
    begin = door.time
    assert door.log_in("luna", "secret", LAB) == "in"
    assert door.time == begin
