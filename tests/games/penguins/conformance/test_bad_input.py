"""Rude, broken and vanishing clients: those who stay get the right result, nothing is left over."""

import gc
import random
from collections.abc import Awaitable, Callable

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from games.penguins.messages import ErrorPacket, Memento, MoveRequest, Result, Room
from games.penguins.rules import State, legal_actions, score, winner
from games.penguins.table import PenguinsTable
from tests.games.penguins.scene import (
    Players,
    XmlPeer,
    call,
    connect,
    entries,
    join_two,
    penguins_fair,
    penguins_server,
    play,
    prepare,
)
from tests.support.helpers import Fair, needs_descriptors

MOVE = '<room roomId="{}">\n  <data class="move">\n    <to x="0" y="0"/>\n  </data>\n</room>'
LENGTH = len(MOVE.format("x" * 36))
LEFT = "Der Spieler hat das Spiel verlassen: "


async def begin(fair: Fair) -> Players:
    """A game in which ONE has been asked for its first move."""
    one, two = await join_two(connect(fair), connect(fair))
    await one.hear_data_of(MoveRequest)
    await two.hear_state()
    return one, two


async def leave_nothing(fair: Fair, *peers: XmlPeer) -> None:
    """When everybody is gone, so are the rooms and everything that belonged to them."""
    for peer in peers:
        await peer.stream.aclose()
    await wait_all_tasks_blocked()
    assert fair.endpoint.hall.lobbies == {}
    assert not fair.endpoint.clients


# Damage


@pytest.mark.parametrize("place", range(LENGTH))
async def test_a_move_damaged_at_any_byte_ends_in_one_of_the_proper_ways(
    place: int, autojump_clock: MockClock
) -> None:
    rng = random.Random(place)
    async with penguins_fair(board_seed=42) as fair:
        for damage in (b"", b"<", b"\x00", b"&", bytes([rng.randrange(256)])):
            one, two = await begin(fair)
            move = MOVE.format(one.room_id).encode()
            await one.stream.send_all(move[:place] + damage + move[place + 1 :])
            await wait_all_tasks_blocked()
            await one.stream.aclose()
            await _check_outcome(two)
            await leave_nothing(fair, two)


async def _check_outcome(stays: XmlPeer) -> None:
    """Either the move was legal all the same, or its player broke a rule, or left."""
    heard = await stays.hear_data()
    if isinstance(heard, Memento):
        assert heard.state.turn == 1
        heard = await stays.hear_data_of(Result)
    assert isinstance(heard, Result)
    (cause, reason, points, _), other = entries(heard)
    assert other[:3] == ("REGULAR", "", 2)
    assert points == 0
    if cause == "RULE_VIOLATION":
        assert reason
    else:
        assert cause == "LEFT"
        assert reason in (LEFT + "PROTOCOL_ERROR", LEFT + "LOST_CONNECTION")


@pytest.mark.parametrize("place", range(1, LENGTH, 7))
async def test_half_a_move_and_then_silence_is_a_protocol_error(
    place: int, autojump_clock: MockClock
) -> None:
    async with penguins_fair() as fair:
        one, two = await begin(fair)
        start = trio.current_time()
        await one.say(MOVE.format(one.room_id)[:place])
        result = await two.hear_result()
        assert entries(result)[0] == ("LEFT", LEFT + "PROTOCOL_ERROR", 0, 0)
        assert trio.current_time() == start + 30
        await one.hear_end()
        await leave_nothing(fair, one, two)


@pytest.mark.parametrize("half", ['<join a=">', "<!-- > ", "<![CDATA[ > "])
async def test_half_a_message_is_not_whole_because_of_a_bracket_in_it(
    half: str, autojump_clock: MockClock
) -> None:
    async with penguins_fair() as fair:
        one, two = await begin(fair)
        start = trio.current_time()
        await one.say(half)
        assert entries(await two.hear_result())[0][1] == LEFT + "PROTOCOL_ERROR"
        assert trio.current_time() == start + 30
        await leave_nothing(fair, one, two)


@pytest.mark.parametrize("start", ["<?xml version='1.0'?>\n", "<protocol>", "<protocol><!-- a -->"])
async def test_silence_after_something_whole_has_no_limit(
    start: str, autojump_clock: MockClock
) -> None:
    async with penguins_fair() as fair:
        peer = connect(fair)
        await peer.say(start)
        await trio.sleep(3600)
        await peer.say("<join/>" if "<protocol>" in start else "<protocol><join/>")
        assert "<joined" in await peer.hear()


async def test_a_move_with_namespaces_is_repeated_to_nobody() -> None:
    async with penguins_fair() as fair:
        one, two = await begin(fair)
        await one.say_data('<data class="move"><to xmlns="urn:x" x="1" y="1"/></data>')
        assert entries(await two.hear_result())[0][1] == LEFT + "PROTOCOL_ERROR"
        assert "urn:x" not in two.heard
        await one.hear_end()


async def test_half_a_move_does_not_stop_the_clock(autojump_clock: MockClock) -> None:
    async with penguins_fair(players_time_out=True) as fair:
        one, two = await begin(fair)
        await one.say(MOVE.format(one.room_id)[:40])
        assert entries(await two.hear_result())[0][0] == "HARD_TIMEOUT"


ENTITIES = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 20))
BOMB = f'<!DOCTYPE b [<!ENTITY e0 "ha">{ENTITIES}]><protocol><join gameType="&e19;"/>'
EXTERNAL = '<!DOCTYPE p [<!ENTITY x SYSTEM "file:///etc/passwd">]><protocol><join gameType="&x;"/>'


@pytest.mark.parametrize(
    "attack",
    [
        pytest.param(BOMB.encode(), id="entity bomb"),
        pytest.param(EXTERNAL.encode(), id="external entity"),
        pytest.param(
            b'<protocol><join gameType="' + b"x" * 10_000_000 + b'"/>', id="10 MB attribute"
        ),
        pytest.param(b"<protocol>" + b"<a>" * 100_000, id="depth bomb"),
        pytest.param(b"<protocol><!--" + b"x" * 10_000_000, id="10 MB comment"),
        pytest.param(b"<protocol>" + b"x" * 10_000_000, id="10 MB text"),
        pytest.param(
            b'<protocol><joinRoom roomId=">' + b" " * 10_000_000, id="10 MB blanks in a value"
        ),
        pytest.param(b"<protocol><!-- > " + b" " * 10_000_000, id="10 MB blanks in a comment"),
        pytest.param(b"<protocol><![CDATA[>" + b" " * 10_000_000, id="10 MB blanks in CDATA"),
        pytest.param(b"<" * 1_000_000, id="brackets"),
        pytest.param(b"\x00" * 1_000_000, id="zeros"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", id="a browser"),
        pytest.param(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 10, id="TLS"),
    ],
)
async def test_an_attack_ends_its_own_connection_and_nothing_else(attack: bytes) -> None:
    async with penguins_server() as server, call(server) as one, call(server) as two:
        players = await join_two(one, two)
        async with call(server) as rude:
            with trio.fail_after(60):
                try:
                    await rude.stream.send_all(attack)
                    answer = await rude.stream.receive_some()
                    refusal = b"HTTP/1.1 400 " if attack.startswith(b"GET ") else b"<protocol>\n</"
                    assert answer.startswith(refusal) or not answer
                except trio.BrokenResourceError:
                    pass  # it was cut off while still talking
        assert (await play(players, turns=2)).turn == 2


@pytest.mark.parametrize("attack", [b"<join/>", b"<join/>" * 3, b"</protocol>", b"<protocol/>"])
async def test_a_document_that_is_over_at_once_is_closed(attack: bytes) -> None:
    async with penguins_fair() as fair:
        rude = connect(fair)
        await rude.stream.send_all(attack)
        await rude.hear_end()
        await leave_nothing(fair, rude)


# Vanishing

Stage = Callable[[Fair, XmlPeer, XmlPeer], Awaitable[None]]


async def nothing_said(fair: Fair, one: XmlPeer, two: XmlPeer) -> None:
    pass


async def document_begun(fair: Fair, one: XmlPeer, two: XmlPeer) -> None:
    await one.say("<protocol>")


async def half_a_join(fair: Fair, one: XmlPeer, two: XmlPeer) -> None:
    await one.say("<protocol><join")


async def refused(fair: Fair, one: XmlPeer, two: XmlPeer) -> None:
    await one.say('<protocol><joinRoom roomId="x"/>')
    await one.hear()


async def alone_in_a_room(fair: Fair, one: XmlPeer, two: XmlPeer) -> None:
    await one.join()


async def administrator(fair: Fair, one: XmlPeer, two: XmlPeer) -> None:
    prepared = await prepare(one)
    await prepared.seat(two, 0)
    await prepared.cancel()


async def at_its_turn(fair: Fair, one: XmlPeer, two: XmlPeer) -> None:
    await join_two(one, two)


async def at_the_others_turn(fair: Fair, one: XmlPeer, two: XmlPeer) -> None:
    await play(await join_two(one, two), turns=1)


async def with_half_a_move(fair: Fair, one: XmlPeer, two: XmlPeer) -> None:
    await join_two(one, two)
    await one.say(MOVE.format(one.room_id)[:60])


async def right_after_a_move(fair: Fair, one: XmlPeer, two: XmlPeer) -> None:
    await join_two(one, two)
    await one.make(legal_actions(await one.hear_state())[0])


async def before_the_result_is_read(fair: Fair, one: XmlPeer, two: XmlPeer) -> None:
    await join_two(one, two)
    await two.move((0, 0))


async def after_the_result(fair: Fair, one: XmlPeer, two: XmlPeer) -> None:
    await join_two(one, two)
    await two.move((0, 0))
    await one.hear_result()


STAGES = [
    nothing_said,
    document_begun,
    half_a_join,
    refused,
    alone_in_a_room,
    administrator,
    at_its_turn,
    at_the_others_turn,
    with_half_a_move,
    right_after_a_move,
    before_the_result_is_read,
    after_the_result,
]


@pytest.mark.parametrize("stage", STAGES)
async def test_a_client_may_vanish_at_any_stage(stage: Stage) -> None:
    async with penguins_fair() as fair:
        one, two = connect(fair), connect(fair)
        await stage(fair, one, two)
        await one.stream.aclose()
        if two.room_id:
            await two.hear_result()
        await leave_nothing(fair, two)


async def test_a_client_may_reset_its_connection() -> None:
    async with penguins_server() as server, call(server) as one, call(server) as two:
        await join_two(one, two)
        socket = one.stream.socket  # type: ignore[attr-defined]
        socket.setsockopt(trio.socket.SOL_SOCKET, trio.socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        socket.close()
        assert entries(await two.hear_result())[0][0] == "LEFT"


async def test_an_observer_that_does_not_read_is_dropped_and_the_game_goes_on() -> None:
    async with penguins_server(board_seed=42) as server, call(server) as admin:
        prepared = await prepare(admin)
        for _ in range(2000):  # hears everything two thousand times, if only it would listen
            await admin.say(f'<observe roomId="{prepared.room_id}"/>')
        async with call(server) as one, call(server) as two:
            state = await play(await prepared.seat_two(one, two), turns=30)
            assert state.turn == 30
            assert 'turn="30"' not in await admin.finish()


# Crowds


async def test_joining_again_in_the_instant_of_the_end_finds_a_room() -> None:
    async with penguins_fair() as fair:
        one, two = await begin(fair)
        for _ in range(20):
            await one.move((-1, -1))
            await one.say("<join/>")
            await two.say("<join/>")
            for peer in (one, two):
                await peer.hear_result()
            rooms = {(await peer.hear_packet()).room_id for peer in (one, two)}
            assert len(rooms) == 1
            one.room_id = two.room_id = rooms.pop()
            if "ONE" in await two.hear():
                one, two = two, one
            await one.hear_data_of(MoveRequest)


@needs_descriptors(2000)
async def test_a_thousand_joins_at_once_make_five_hundred_games() -> None:
    async with penguins_fair() as fair:
        peers = [connect(fair) for _ in range(1000)]
        for peer in peers:
            await peer.say("<protocol><join/>")
        for peer in peers:
            await peer.hear_data_of(Memento)
        assert len(fair.endpoint.hall.lobbies) == 500
        await leave_nothing(fair, *peers)


async def test_a_thousand_joins_of_one_client_are_its_own_business() -> None:
    async with penguins_fair() as fair:
        greedy = connect(fair)
        await greedy.say("<protocol>" + "<join/>" * 1000)
        with trio.fail_after(60):
            while not isinstance(await greedy.hear_packet(), ErrorPacket):
                pass
        assert len(fair.endpoint.hall.lobbies) == 4
        await leave_nothing(fair, greedy)


def _tables() -> set[PenguinsTable]:
    gc.collect()
    return {thing for thing in gc.get_objects() if isinstance(thing, PenguinsTable)}


async def test_many_games_at_once_end_with_the_right_results_and_leave_nothing() -> None:
    before = _tables()  # of other tests
    async with penguins_fair() as fair:
        async with trio.open_nursery() as nursery:
            for number in range(30):
                nursery.start_soon(_play_and_check, fair, random.Random(number))
        await wait_all_tasks_blocked()
        assert fair.endpoint.hall.lobbies == {}
        assert not fair.endpoint.clients
    assert _tables() == before


async def _play_and_check(fair: Fair, rng: random.Random) -> None:
    peers = connect(fair), connect(fair)
    async with trio.open_nursery() as nursery:
        for peer in peers:
            nursery.start_soon(_play_at_random, peer, rng)
    for peer in peers:
        await peer.stream.aclose()


async def _play_at_random(peer: XmlPeer, rng: random.Random) -> None:
    await peer.join()
    state: State | None = None
    while True:
        packet = await peer.hear_packet()
        match packet:
            case Room(data=Memento(state=state)):
                pass
            case Room(data=MoveRequest()):
                assert state is not None
                await peer.make(rng.choice(legal_actions(state)))
            case Room(data=Result() as result):
                break
    assert state is not None
    assert state.over
    assert result.winner is winner(state)
    assert entries(result) == [
        ("REGULAR", "", points, fish) for points, fish in zip(score(state), state.fish, strict=True)
    ]
