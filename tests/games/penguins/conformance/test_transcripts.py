"""Our bytes against those of the original server: same boards, same moves, same events."""

import tarfile
from collections.abc import Awaitable, Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import attrs
import pytest
from trio.testing import MockClock, wait_all_tasks_blocked

from games.penguins import table
from games.penguins.codec import CODEC
from games.penguins.messages import Error, Memento, Result, Room, RoomData
from games.penguins.rules import Move, State
from tests.games.penguins.scene import PASSWORD, UUID, XmlPeer, connect, penguins_fair
from transports import XmlFramer

ARCHIVE = Path(__file__).parents[3] / "data" / "penguins" / "transcripts.tar.xz"
ENDING = "\n</protocol>"

# The original server names no winner on timeouts and calls all of them soft.
LIKE_THE_ORIGINAL = {"hard_timeout_as_soft": True, "winner_on_timeout": False}


@cache
def transcripts() -> dict[str, str]:
    with tarfile.open(ARCHIVE) as archive:
        files = {member.name: archive.extractfile(member) for member in archive}
        return {name.removesuffix(".xml"): f.read().decode() for name, f in files.items() if f}


def normal(text: str) -> str:
    """The text with its random ids numbered in the order in which they appear."""
    ids = list(dict.fromkeys(UUID.findall(text)))
    return UUID.sub(lambda found: f"id-{ids.index(found[0])}", text)


def room_data(text: str) -> list[RoomData]:
    frames = XmlFramer("protocol").feed(text.removesuffix(ENDING).encode())
    packets = [CODEC.decode(frame) for frame in frames if isinstance(frame, bytes)]
    return [packet.data for packet in packets if isinstance(packet, Room) and packet.data]


@attrs.define(eq=False)
class Cast:
    """The three connections of a recorded situation."""

    one: XmlPeer
    two: XmlPeer
    observer: XmlPeer

    async def move(self, state: State, move: Move) -> None:
        mover = (self.one, self.two)[state.team.index]
        origin = (move.origin.x, move.origin.y) if move.origin else None
        await mover.move((move.target.x, move.target.y), origin)
        await wait_all_tasks_blocked()


End = Callable[[Cast, MockClock], Awaitable[None]]


async def nothing_more(cast: Cast, clock: MockClock) -> None:
    pass


async def cancel(cast: Cast, clock: MockClock) -> None:
    await cast.observer.say(f'<cancel roomId="{cast.one.room_id}"/>')


async def wait_too_long(cast: Cast, clock: MockClock) -> None:
    clock.jump(10)


async def two_sends_a_close_packet(cast: Cast, clock: MockClock) -> None:
    await cast.two.say("<sc.protocol.CloseConnection/>")


async def one_hangs_up(cast: Cast, clock: MockClock) -> None:
    await cast.one.stream.aclose()


async def one_sends_an_unknown_packet(cast: Cast, clock: MockClock) -> None:
    await cast.one.say("<yarr/>")


SITUATIONS: dict[str, End] = {
    "game_1": nothing_more,
    "game_2": nothing_more,
    "admin_cancel": cancel,
    "hard_timeout": wait_too_long,
    "left_close_packet": two_sends_a_close_packet,
    "left_lost_connection": one_hangs_up,
    "left_protocol_error": one_sends_an_unknown_packet,
    "rule_violation_move_foreign_penguin": nothing_more,
    "rule_violation_place_on_two_fish": nothing_more,
    "rule_violation_slide_in_placement": nothing_more,
}


@pytest.mark.parametrize("situation", SITUATIONS)
async def test_every_byte_is_that_of_the_original_server(
    situation: str, mock_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded = room_data(transcripts()[f"{situation}__observer"])
    states = [data.state for data in recorded if isinstance(data, Memento)]
    monkeypatch.setattr(table, "generate", lambda seed: states[0].board)
    async with penguins_fair(**LIKE_THE_ORIGINAL) as fair:
        cast = Cast(connect(fair), connect(fair), connect(fair))
        await _sit_down(cast, *_names(recorded))
        for before, after in pairwise(states):
            assert after.last_move is not None
            await cast.move(before, after.last_move)
        for data in recorded:
            if isinstance(data, Error) and isinstance(data.original_message, Move):
                await cast.move(states[-1], data.original_message)
        await SITUATIONS[situation](cast, mock_clock)
        await wait_all_tasks_blocked()
        for who in ("one", "two", "observer"):
            if recording := transcripts().get(f"{situation}__{who}"):
                await _compare(getattr(cast, who), recording)
        assert fair.endpoint.hall.lobbies == {}


def _names(recorded: list[RoomData]) -> tuple[str, str]:
    result = recorded[-1]
    assert isinstance(result, Result)
    one, two = (entry.name for entry in result.scores)
    assert one
    assert two
    return one, two


async def _sit_down(cast: Cast, *names: str) -> None:
    slots = "".join(
        f"<slot displayName='{name.replace('&', '&amp;')}' canTimeout='true' reserved='true'/>"
        for name in names
    )
    await cast.observer.say(
        f'<protocol><authenticate password="{PASSWORD}"/>',
        f'<prepare gameType="swc_2023_penguins" pause="false">{slots}</prepare>',
    )
    room_id, *codes = UUID.findall(await cast.observer.hear())
    await cast.observer.say(f'<observe roomId="{room_id}"/>')
    for peer, code in zip((cast.one, cast.two), codes, strict=True):
        await peer.join(f'<joinPrepared reservationCode="{code}"/>')
        await wait_all_tasks_blocked()


async def _compare(peer: XmlPeer, recording: str) -> None:
    """The stream must be as recorded, except that our document is always closed in the end."""
    expected = recording.removesuffix(ENDING) + ENDING
    assert normal(await peer.finish()) == normal(expected)


async def test_refused_requests_are_answered_like_by_the_original_server() -> None:
    async with penguins_fair() as fair:
        client = connect(fair)
        await client.say(
            "<protocol>",
            '<joinRoom roomId="nope"/>',
            '<joinPrepared reservationCode="nope"/>',
            '<authenticate password="bad"/>',
            '<observe roomId="x"/>',
            '<joined roomId="x"/>',
        )
        await _compare(client, transcripts()["errorpackets__client"])


def test_our_codec_reads_and_writes_all_of_it_again() -> None:
    for text in transcripts().values():
        ending = ENDING if text.endswith(ENDING) else ""
        framer = XmlFramer("protocol")
        frames = framer.feed(text.removesuffix(ENDING).encode())
        packets: list[Any] = [CODEC.decode(f) for f in frames if isinstance(f, bytes)]
        lines = [CODEC.encode(packet).decode() for packet in packets]
        assert "\n".join(["<protocol>", *lines]) + ending == text
