"""Penguins clients for tests: they send raw XML and receive packets exactly as sent."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

import attrs
import trio

from games.penguins.codec import CODEC
from games.penguins.messages import Memento, MoveRequest, Result, Room, WelcomeMessage
from games.penguins.rules import Move, State, Team, legal_actions
from ludothek.contract.flaws import Flaw, FlawKind
from tests.support.helpers import (
    Fair,
    Server,
    hang_up_all,
    open_fair,
    open_server,
    socket_link_pair,
)
from transports import Terms, XmlFramer

PASSWORD = "secret"
SETTINGS = {"password": PASSWORD, "request_gap_seconds": 0}  # nobody here needs a gap
TWO_SLOTS = (
    '<slot displayName="A" canTimeout="true" reserved="true"/>'
    '<slot displayName="B" canTimeout="true" reserved="true"/>'
)

# What is wrong with a move that has no elements.
NO_TARGET = Flaw(FlawKind.MISSING, "the element to", "nothing", "/room/data/to")

T = TypeVar("T")

UUID = re.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@attrs.define(eq=False)
class XmlPeer:
    """A client that says what it is told and hears one packet at a time."""

    stream: trio.abc.Stream
    limit: float = 60.0
    heard: str = ""  # everything, in the order of arrival
    room_id: str = ""
    _used: int = 0

    async def say(self, *packets: str) -> None:
        for packet in packets:
            await self.stream.send_all(packet.encode())

    async def hear(self) -> str:
        """The next packet, without the line break before it and its indent of two blanks."""
        with trio.fail_after(self.limit):
            while (packet := self._next_packet()) is None:
                if not await self._read():
                    raise trio.EndOfChannel
        return packet

    async def _read(self) -> bool:
        data = await self.stream.receive_some()
        self.heard += data.decode()
        return bool(data)

    def _next_packet(self) -> str | None:
        rest = self._rest
        if not (start := re.match(r"\n  (<(\S+)[^<>]*?(/?)>)", rest)):
            return None
        whole, name, empty = start.groups()
        if not empty:
            head, end, _ = rest.partition(f"\n  </{name}>")
            if not end:
                return None
            whole = (head + end).removeprefix("\n  ")
        self._used = self.heard.index(whole, self._used) + len(whole)
        return whole

    async def hear_packet(self) -> Any:
        """The next packet, decoded."""
        return CODEC.decode((await self.hear()).encode())

    async def hear_data(self) -> Any:
        """What is said next in a room."""
        packet = await self.hear_packet()
        assert isinstance(packet, Room), packet
        return packet.data

    async def hear_state(self) -> State:
        data = await self.hear_data()
        assert isinstance(data, Memento), data
        return data.state

    async def hear_data_of(self, kind: type[T]) -> T:
        """The next room data of that kind; anything before it is skipped."""
        while True:
            packet = await self.hear_packet()
            if isinstance(packet, Room) and isinstance(packet.data, kind):
                return packet.data

    async def hear_result(self) -> Result:
        """The result, skipping anything before it; the room is gone afterwards."""
        result = await self.hear_data_of(Result)
        assert await self.hear() == f'<left roomId="{self.room_id}"/>'
        return result

    async def finish(self) -> str:
        """End our document, if that is still possible; returns everything the server ever said."""
        with suppress(trio.BrokenResourceError):
            await self.say("</protocol>")
        await self._read_to_the_end()
        return self.heard

    async def hear_end(self) -> None:
        """Fail unless the server now ends its document and hangs up without another word."""
        await self._read_to_the_end()
        assert self._rest == "\n</protocol>"

    async def has_heard_all(self) -> bool:
        """Whether nothing has arrived after the last packet heard."""
        await self.finish()
        return self._rest == "\n</protocol>"

    async def _read_to_the_end(self) -> None:
        with trio.fail_after(self.limit):
            while await self._read():
                pass

    @property
    def _rest(self) -> str:
        return self.heard[self._used :].removeprefix("<protocol>")

    async def join(self, request: str = "<join/>") -> None:
        await self.say(request if self.heard else f"<protocol>{request}")
        self.room_id = UUID.findall(await self.hear())[0]

    async def move(self, to: tuple[int, int], origin: tuple[int, int] | None = None) -> None:
        start = f'<from x="{origin[0]}" y="{origin[1]}"/>' if origin else ""
        await self.say_data(f'<data class="move">{start}<to x="{to[0]}" y="{to[1]}"/></data>')

    async def make(self, move: Move) -> None:
        origin = (move.origin.x, move.origin.y) if move.origin else None
        await self.move((move.target.x, move.target.y), origin)

    async def say_data(self, data: str) -> None:
        await self.say(f'<room roomId="{self.room_id}">{data}</room>')


Players = tuple[XmlPeer, XmlPeer]


async def play(players: Players, turns: int = 1000) -> State:
    """Let two players, whose game has just begun, make so many legal moves."""
    state, _ = [await player.hear_state() for player in players]
    while state.turn < turns and not state.over:
        mover = players[state.team.index]
        assert await mover.hear_data() == MoveRequest()
        await mover.make(legal_actions(state)[0])
        state, other = [await player.hear_state() for player in players]
        assert state == other
    return state


def entries(result: Result) -> list[tuple[str, str, int, int]]:
    """Cause, reason, points and fish of each player."""
    return [(e.cause.value, e.reason, e.points, e.fish) for e in result.scores]


def connect(fair: Fair) -> XmlPeer:
    """A client of an endpoint that does not listen."""
    assert fair.poller is not None
    link, stream = socket_link_pair(
        fair.poller, XmlFramer("protocol"), terms=Terms(frame_seconds=30.0)
    )
    fair.nursery.start_soon(fair.endpoint.welcome, link)
    return XmlPeer(stream)


@asynccontextmanager
async def penguins_fair(**settings: Any) -> AsyncIterator[Fair]:
    """An endpoint without sockets; everything opened must be gone when nobody is left."""
    async with open_fair("penguins", settings={**SETTINGS, **settings}) as fair:
        try:
            yield fair
        finally:
            hang_up_all()
        assert fair.endpoint.hall.crashes == 0


@asynccontextmanager
async def penguins_server(**settings: Any) -> AsyncIterator[Server]:
    async with open_server("penguins", {**SETTINGS, **settings}) as server:
        yield server


@asynccontextmanager
async def call(server: Server) -> AsyncIterator[XmlPeer]:
    """A client over a real socket."""
    async with await trio.open_tcp_stream("127.0.0.1", server.port) as stream:
        yield XmlPeer(stream)


async def join_two(one: XmlPeer, two: XmlPeer) -> Players:
    """Bring two clients into one room of their own; each has heard who it is."""
    await one.join()
    await two.join()
    assert two.room_id == one.room_id
    assert await one.hear_data() == WelcomeMessage(Team.ONE)
    assert await two.hear_data() == WelcomeMessage(Team.TWO)
    return one, two


@attrs.define(eq=False)
class Prepared:
    """A room that an administrator has prepared and observes."""

    admin: XmlPeer
    room_id: str
    codes: list[str]

    async def seat(self, peer: XmlPeer, number: int) -> None:
        await peer.join(f'<joinPrepared reservationCode="{self.codes[number]}"/>')

    async def seat_two(self, one: XmlPeer, two: XmlPeer) -> Players:
        await self.seat(one, 0)
        await self.seat(two, 1)
        assert await one.hear_data() == WelcomeMessage(Team.ONE)
        assert await two.hear_data() == WelcomeMessage(Team.TWO)
        return one, two

    async def pause(self, pause: bool) -> None:
        value = "true" if pause else "false"
        await self.admin.say(f'<pause roomId="{self.room_id}" pause="{value}"/>')

    async def step(self, attributes: str = "") -> None:
        await self.admin.say(f'<step roomId="{self.room_id}" {attributes}/>')

    async def cancel(self) -> None:
        await self.admin.say(f'<cancel roomId="{self.room_id}"/>')


async def prepare(
    admin: XmlPeer, slots: str = TWO_SLOTS, attributes: str = "", *, observe: bool = True
) -> Prepared:
    if not admin.heard:
        await admin.say(f'<protocol><authenticate password="{PASSWORD}"/>')
    await admin.say(f'<prepare gameType="swc_2023_penguins" {attributes}>{slots}</prepare>')
    room_id, *codes = UUID.findall(await admin.hear())
    admin.room_id = room_id
    if observe:
        await admin.say(f'<observe roomId="{room_id}"/>')
        assert await admin.hear() == f'<observed roomId="{room_id}"/>'
    return Prepared(admin, room_id, codes)
