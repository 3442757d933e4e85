"""What happens in a room: moves, errors, limits, and what every kind of end looks like."""

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from games.penguins.messages import Error, Memento, MoveRequest, Result, Room
from games.penguins.rules import Team, legal_actions
from ludothek.runtime.note import NoteKind
from tests.games.penguins.scene import (
    TWO_SLOTS,
    Prepared,
    XmlPeer,
    connect,
    entries,
    join_two,
    penguins_fair,
    play,
    prepare,
)
from tests.support.helpers import Fair

SINGLE_FISH = "Pinguine können nur auf einzelne Fische gesetzt werden"
LEFT = "Der Spieler hat das Spiel verlassen: "
LATE = "Der Spieler hat innerhalb von {} Sekunden nach Aufforderung keinen Zug gesendet"
REGULAR_WIN = ("REGULAR", "", 2, 0)

# The board of seed 42: single fish at (0,0), (2,0) and (6,0), three fish at (4,0), a hole at (1,3).
SEED = 42


class Match:
    """A prepared game that has just begun; ONE has been asked, everything before has been heard."""

    def __init__(self, fair: Fair) -> None:
        self.fair = fair
        self.one, self.two, self.admin = connect(fair), connect(fair), connect(fair)
        self.room: Prepared

    async def begin(self, slots: str = TWO_SLOTS) -> "Match":
        self.room = await prepare(self.admin, slots)
        await self.room.seat_two(self.one, self.two)
        for peer in (self.one, self.two, self.admin):
            assert (await peer.hear_state()).turn == 0
        assert await self.one.hear_data() == MoveRequest()
        return self

    async def results(self) -> Result:
        """The result, which must be the same for everybody who is still there."""
        results = [await peer.hear_result() for peer in (self.one, self.two, self.admin)]
        assert results == [results[0]] * 3
        await self.check_gone()
        return results[0]

    async def check_gone(self) -> None:
        await wait_all_tasks_blocked()
        assert self.fair.endpoint.hall.lobbies == {}


# Order of events


async def test_the_state_reaches_observers_and_players_and_then_the_next_is_asked() -> None:
    async with penguins_fair(board_seed=SEED) as fair:
        match = await Match(fair).begin()
        await match.one.move((0, 0))
        states = [await peer.hear() for peer in (match.one, match.two, match.admin)]
        assert states == [states[0]] * 3
        assert await match.two.hear_data() == MoveRequest()
        assert await match.one.has_heard_all()


async def test_who_is_skipped_is_not_asked() -> None:
    async with penguins_fair(board_seed=2) as fair:
        one, two = await join_two(connect(fair), connect(fair))
        # `play` asserts that the player to move by the rules is the one who is asked.
        state = await play((one, two))
        assert state.over
        requests = one.heard.count("moveRequest"), two.heard.count("moveRequest")
        assert sum(requests) == state.turn


async def test_after_the_end_the_room_is_unknown() -> None:
    async with penguins_fair(board_seed=SEED) as fair:
        match = await Match(fair).begin()
        await match.one.move((4, 0))
        await match.results()
        await match.two.move((0, 0))
        assert "Couldn&apos;t find a room with id" in await match.two.hear()


# Moves as they come in


@pytest.mark.parametrize(
    "data",
    [
        '<data class="move"><to x="2" y="0"/></data>',
        '<data class="sc.plugin2023.Move"><to x="2" y="0"/></data>',
        "<data class='move'>\n  <to y='0' x='2'></to>\n</data>",
        '<data class = "move" ><to x = "2"  y="0"/></data >',
        '<data class="move" color="ONE">text<!-- a --><to x="2" y="0" z="1"/>text</data>',
        '<data class="move"><to x="2" y="0"><!-- > --></to></data>',
    ],
)
async def test_moves_are_taken_however_they_are_written(data: str) -> None:
    async with penguins_fair(board_seed=SEED) as fair:
        match = await Match(fair).begin()
        await match.one.say_data(data)
        assert (await match.two.hear_state()).turn == 1


async def test_a_slide_is_taken_in_any_order_of_its_ends() -> None:
    async with penguins_fair(board_seed=SEED) as fair:
        one, two = await join_two(connect(fair), connect(fair))
        state = await play((one, two), turns=8)
        slide = legal_actions(state)[0]
        assert slide.origin is not None
        await one.say_data(
            f'<data class="move"><to x="{slide.target.x}" y="{slide.target.y}"/>'
            f'<from x="{slide.origin.x}" y="{slide.origin.y}"/></data>'
        )
        after = await two.hear_data_of(Memento)
        assert after.state.last_move == slide


@pytest.mark.parametrize(
    "children",
    [
        "",
        '<from x="0" y="0"/>',
        '<to x="0"/>',
        '<to y="0"/>',
        '<to x="zero" y="0"/>',
        '<to x="" y="0"/>',
        '<to x="0.0" y="0"/>',
        '<to x="0" y="0"/><to x="2" y="0"/>',
        '<to x="0" y="0"><x/></to>',
        '<to x="0" y="0"/><hint content="a &lt; b"/>',
        '<to x="0" y="0"/><from x="1"/>',
        '<hint>text</hint><a><b c="d"/></a>',
    ],
)
async def test_a_move_that_is_none_breaks_the_rules(children: str) -> None:
    async with penguins_fair(board_seed=SEED) as fair:
        match = await Match(fair).begin()
        await match.one.say_data(f'<data class="move">{children}</data>')
        error = await match.one.hear_data()
        assert isinstance(error, Error)
        assert error.message == (
            "Ungueltiger Zug von 'A'.\n"
            "InvalidMoveException(mistake=Der Zug konnte nicht erkannt werden, move=null)"
        )
        assert await match.admin.hear_data() == error
        assert entries(await match.results()) == [
            ("RULE_VIOLATION", "Der Zug konnte nicht erkannt werden", 0, 0),
            REGULAR_WIN,
        ]


async def test_an_unreadable_move_is_shown_as_it_came() -> None:
    async with penguins_fair(board_seed=SEED) as fair:
        match = await Match(fair).begin()
        await match.one.say_data(
            '<data class="move"><hint>a &amp; b</hint><to x="a" y="0"/></data>'
        )
        assert (
            '      <originalMessage class="move">\n        <hint>a &amp; b</hint>\n'
            '        <to x="a" y="0"/>\n      </originalMessage>\n'
        ) in await match.one.hear()


@pytest.mark.parametrize(
    ("data", "java"),
    [
        ("", "null"),
        ("<!-- nothing --> at all", "null"),
        ('<data class="welcomeMessage" color="ONE"/>', "WelcomeMessage(color=ONE)"),
        ('<data class="moveRequest"/>', "MoveRequest()"),
        ('<data class="paused" paused="true"/>', "GamePaused(paused=true)"),
        (
            '<data class="error" message="m"><originalMessage class="move"><to x="0" y="0"/>'
            "</originalMessage></data>",
            "ErrorMessage(originalMessage=Setze Pinguin auf [0|0], message=m)",
        ),
    ],
)
async def test_room_data_that_is_no_move_is_refused_and_the_game_goes_on(
    data: str, java: str
) -> None:
    async with penguins_fair(board_seed=SEED) as fair:
        match = await Match(fair).begin()
        await match.one.say_data(data)
        packet = await match.one.hear()
        assert (
            'message="sc.api.plugins.exceptions.GameRoomException: Received non-move packet: '
            f'RoomPacket(roomId={match.one.room_id}, data={java})"'
        ) in packet
        assert f'<originalRequest class="room" roomId="{match.one.room_id}"' in packet
        await match.one.move((0, 0))
        assert (await match.one.hear_state()).turn == 1


async def test_a_state_from_a_client_is_refused_with_all_it_says() -> None:
    async with penguins_fair(board_seed=SEED) as fair:
        match = await Match(fair).begin()
        state = match.two.heard.partition('<data class="memento">')[2].partition("</data>")[0]
        await match.two.say_data(f'<data class="memento">{state}</data>')
        refused = await match.two.hear_packet()
        assert isinstance(refused.original_request, Room)
        assert isinstance(refused.original_request.data, Memento)


async def test_a_move_into_a_foreign_room_is_refused() -> None:
    async with penguins_fair(board_seed=SEED) as fair:
        match = await Match(fair).begin()
        for stranger in (connect(fair), match.admin):
            if not stranger.heard:
                await stranger.say("<protocol>")
            stranger.room_id = match.one.room_id
            await stranger.move((0, 0))
            text = f"GameRoomException: Client is not a member of game {match.one.room_id}"
            assert text in await stranger.hear()
        (room,) = fair.endpoint.hall.lobbies.values()
        assert NoteKind.RECEIVE not in [note.kind for note in room.journal]
        await match.one.move((0, 0))
        assert (await match.one.hear_state()).turn == 1


# Broken rules

AFTER_8 = 8


@pytest.mark.parametrize(
    ("origin", "target", "mistake"),
    [
        (None, (4, 0), SINGLE_FISH),
        (None, (1, 3), SINGLE_FISH),
        (None, (1, 0), SINGLE_FISH),
        (None, (16, 0), SINGLE_FISH),
        (None, (0, 8), SINGLE_FISH),
        (None, (-1, -1), SINGLE_FISH),
        (None, (2**31, 0), SINGLE_FISH),
        (None, (0, -(10**50)), SINGLE_FISH),
        ((10**50, 10**50), (2, 0), "Nur eigene Spielfiguren können gezogen werden"),
        ((0, 0), (2, 0), "Nur eigene Spielfiguren können gezogen werden"),
        ((-5, 3), (2, 0), "Nur eigene Spielfiguren können gezogen werden"),
    ],
)
async def test_a_first_move_against_the_rules_loses(
    origin: tuple[int, int] | None, target: tuple[int, int], mistake: str
) -> None:
    async with penguins_fair(board_seed=SEED) as fair:
        match = await Match(fair).begin()
        await match.one.move(target, origin)
        to = f"[{target[0]}|{target[1]}]"
        move = f"Schlittern [{origin[0]}|{origin[1]}] zu {to}" if origin else None
        move = move or f"Setze Pinguin auf {to}"
        error = await match.one.hear_data()
        assert error.message == (
            f"Ungueltiger Zug von 'A'.\nInvalidMoveException(mistake={mistake}, move={move})"
        )
        assert await match.admin.hear_data() == error
        result = await match.results()
        assert entries(result) == [
            ("RULE_VIOLATION", f"{mistake} bei Zug '{move}'", 0, 0),
            REGULAR_WIN,
        ]
        assert result.winner is Team.TWO
        assert "error" not in match.two.heard


@pytest.mark.parametrize(
    ("origin", "target", "mistake"),
    [
        (None, (-1, -1), "Bereits alle Pinguine gesetzt"),
        ((0, 0), (0, 0), "Dieser Zug ist nicht möglich"),
        ((0, 0), (99, 99), "Dieser Zug ist nicht möglich"),
        ((0, 0), (5, 1), "Dieser Zug ist nicht möglich"),
        ((14, 6), (15, 5), "Nur eigene Spielfiguren können gezogen werden"),
    ],
)
async def test_a_later_move_against_the_rules_loses_but_keeps_the_fish(
    origin: tuple[int, int] | None, target: tuple[int, int], mistake: str
) -> None:
    async with penguins_fair(board_seed=SEED) as fair:
        one, two = await join_two(connect(fair), connect(fair))
        await play((one, two), turns=AFTER_8)
        await one.move(target, origin)
        ((cause, reason, points, fish), other) = entries(await two.hear_result())
        assert (cause, points, fish) == ("RULE_VIOLATION", 0, 4)
        assert reason.startswith(f"{mistake} bei Zug '")
        assert other == ("REGULAR", "", 2, 4)


async def test_a_slide_before_all_penguins_are_placed_loses() -> None:
    async with penguins_fair(board_seed=SEED) as fair:
        one, two = await join_two(connect(fair), connect(fair))
        await play((one, two), turns=2)
        await one.move((1, 1), (0, 0))
        reason = "Setze zuerst alle Pinguine bei Zug 'Schlittern [0|0] zu [1|1]'"
        assert entries(await two.hear_result())[0] == ("RULE_VIOLATION", reason, 0, 1)


async def test_a_move_out_of_turn_loses() -> None:
    async with penguins_fair(board_seed=SEED) as fair:
        match = await Match(fair).begin()
        await match.two.move((0, 0))
        text = (
            "It's not your turn yet; expected: ONE(A), got TWO(B) "
            "(msg was Setze Pinguin auf [0|0])."
        )
        error = await match.two.hear_data()
        assert error.message == text
        result = await match.results()
        assert entries(result) == [REGULAR_WIN, ("RULE_VIOLATION", text, 0, 0)]
        assert result.winner is Team.ONE
        assert "error" not in match.one.heard + match.admin.heard


async def test_of_two_moves_at_once_the_second_is_out_of_turn() -> None:
    async with penguins_fair(board_seed=SEED) as fair:
        match = await Match(fair).begin()
        await match.one.move((0, 0))
        await match.one.move((2, 0))
        assert (await match.one.hear_state()).turn == 1
        assert "not your turn" in await match.one.hear()
        assert [points for _, _, points, _ in entries(await match.results())] == [0, 2]


async def test_a_move_of_one_who_still_waits_ends_the_room() -> None:
    async with penguins_fair() as fair:
        one = connect(fair)
        await one.join()
        await one.move((0, 0))
        text = "Move from ONE() has not been requested."
        assert (await one.hear_data()).message == text
        result = await one.hear_result()
        assert entries(result) == [("RULE_VIOLATION", text, 0, 0)]
        assert result.winner is None
        await wait_all_tasks_blocked()
        assert fair.endpoint.hall.lobbies == {}


# Time limits


async def test_a_move_just_within_the_soft_limit_is_taken(mock_clock: MockClock) -> None:
    async with penguins_fair(board_seed=SEED) as fair:
        match = await Match(fair).begin()
        mock_clock.jump(2)
        await match.one.move((0, 0))
        assert (await match.one.hear_state()).turn == 1


@pytest.mark.parametrize(("named", "winner"), [(True, Team.TWO), (False, None)])
async def test_a_move_after_the_soft_limit_loses(
    named: bool, winner: Team | None, mock_clock: MockClock
) -> None:
    async with penguins_fair(board_seed=SEED, winner_on_timeout=named) as fair:
        match = await Match(fair).begin()
        mock_clock.jump(2.001)
        await match.one.move((0, 0))
        result = await match.results()
        assert entries(result) == [("SOFT_TIMEOUT", LATE.format(2), 0, 0), REGULAR_WIN]
        assert result.winner is winner
        assert 'turn="1"' not in match.two.heard


@pytest.mark.parametrize(("as_soft", "cause"), [(False, "HARD_TIMEOUT"), (True, "SOFT_TIMEOUT")])
async def test_no_move_until_the_hard_limit_loses_then(
    as_soft: bool, cause: str, autojump_clock: MockClock
) -> None:
    async with penguins_fair(board_seed=SEED, hard_timeout_as_soft=as_soft) as fair:
        start = trio.current_time()
        match = await Match(fair).begin()
        result = await match.results()
        assert trio.current_time() == start + 10
        assert entries(result) == [(cause, LATE.format(10), 0, 0), REGULAR_WIN]
        assert result.winner is Team.TWO


async def test_the_limits_can_be_set(autojump_clock: MockClock) -> None:
    async with penguins_fair(soft_seconds=0.5, hard_seconds=30.0) as fair:
        start = trio.current_time()
        match = await Match(fair).begin()
        assert entries(await match.results())[0][1] == LATE.format(30)
        assert trio.current_time() == start + 30


async def test_each_move_has_its_own_time(mock_clock: MockClock) -> None:
    async with penguins_fair(board_seed=SEED) as fair:
        match = await Match(fair).begin()
        for mover, target in ((match.one, (0, 0)), (match.two, (2, 0)), (match.one, (6, 0))):
            mock_clock.jump(1.9)
            await mover.move(target)
            await wait_all_tasks_blocked()
        assert 'turn="3"' in (await match.admin.finish())


@pytest.mark.parametrize("flags", ["", 'canTimeout="false"', 'canTimeout="yes"'])
async def test_slots_without_can_timeout_have_no_limit(flags: str, mock_clock: MockClock) -> None:
    slots = f'<slot displayName="A" reserved="true" {flags}/>' * 2
    async with penguins_fair(board_seed=SEED) as fair:
        match = await Match(fair).begin(slots)
        mock_clock.jump(3600)
        await match.one.move((0, 0))
        assert (await match.one.hear_state()).turn == 1


async def test_players_of_a_plain_join_have_no_limit(mock_clock: MockClock) -> None:
    async with penguins_fair(board_seed=SEED) as fair:
        one, _ = await join_two(connect(fair), connect(fair))
        await one.hear_data_of(MoveRequest)
        mock_clock.jump(3600)
        await one.move((0, 0))
        assert (await one.hear_state()).turn == 1


async def test_players_of_a_plain_join_have_limits_if_set(autojump_clock: MockClock) -> None:
    async with penguins_fair(players_time_out=True) as fair:
        one, two = await join_two(connect(fair), connect(fair))
        result = await one.hear_result()
        assert result == await two.hear_result()
        assert [cause for cause, *_ in entries(result)] == ["HARD_TIMEOUT", "REGULAR"]


async def test_nobody_who_waits_for_an_opponent_times_out(mock_clock: MockClock) -> None:
    async with penguins_fair(players_time_out=True) as fair:
        one = connect(fair)
        await one.join()
        mock_clock.jump(100_000)
        await wait_all_tasks_blocked()
        await join_two_later(one, connect(fair))


async def join_two_later(one: XmlPeer, two: XmlPeer) -> None:
    await two.join()
    assert two.room_id == one.room_id


# Leaving


@pytest.mark.parametrize(
    ("goodbye", "how"),
    [
        ("", "LOST_CONNECTION"),
        ("</protocol>", "LOST_CONNECTION"),
        ("<close/>", "RECEIVED_DISCONNECT"),
        ("<sc.protocol.CloseConnection/>", "RECEIVED_DISCONNECT"),
        ("<sc.protocol.responses.CloseConnection/>", "RECEIVED_DISCONNECT"),
        ("<yarr/>", "PROTOCOL_ERROR"),
        ("<a></b>", "PROTOCOL_ERROR"),
        ("&bomb;<a>", "PROTOCOL_ERROR"),
    ],
)
@pytest.mark.parametrize("leaver", [0, 1])
async def test_who_leaves_a_running_game_loses_it(goodbye: str, how: str, leaver: int) -> None:
    async with penguins_fair(board_seed=SEED) as fair:
        match = await Match(fair).begin()
        players = [match.one, match.two]
        gone, stays = players[leaver], players[1 - leaver]
        if goodbye:
            await gone.say(goodbye)
            assert await gone.has_heard_all()
        else:
            await gone.stream.aclose()
        result = await stays.hear_result()
        assert result == await match.admin.hear_result()
        expected = [REGULAR_WIN, REGULAR_WIN]
        expected[leaver] = ("LEFT", LEFT + how, 0, 0)
        assert entries(result) == expected
        assert result.winner is (Team.TWO, Team.ONE)[leaver]
        await match.check_gone()


async def test_who_leaves_while_waiting_ends_the_room() -> None:
    async with penguins_fair() as fair:
        one, two = connect(fair), connect(fair)
        await one.join()
        await one.stream.aclose()
        await wait_all_tasks_blocked()  # until it is noticed
        await two.join()
        assert two.room_id != one.room_id
        assert len(fair.endpoint.hall.lobbies) == 1


async def test_who_leaves_a_prepared_room_too_early_ends_it_without_a_winner() -> None:
    async with penguins_fair() as fair:
        admin, one = connect(fair), connect(fair)
        prepared = await prepare(admin)
        await prepared.seat(one, 0)
        await one.stream.aclose()
        result = await admin.hear_result()
        assert entries(result) == [
            ("LEFT", LEFT + "LOST_CONNECTION", 0, 0),
            ("LEFT", LEFT + "NOT_CONNECTED", 0, 0),
        ]
        assert result.winner is None


async def test_who_plays_against_itself_and_leaves_leaves_both_seats() -> None:
    async with penguins_fair() as fair:
        client = connect(fair)
        await client.join()
        await client.join()
        await client.stream.aclose()
        await wait_all_tasks_blocked()
        assert fair.endpoint.hall.lobbies == {}


# Hanging up after the game


async def test_players_are_hung_up_on_after_a_game_if_set() -> None:
    """«Die letzte Nachricht des Servers endet mit: </protocol>»"""
    async with penguins_fair(board_seed=SEED, close_after_game=True) as fair:
        match = await Match(fair).begin()
        await match.one.move((-1, -1))
        await match.results()
        for player in (match.one, match.two):
            await player.hear_end()
        await match.admin.say(f'<observe roomId="{match.one.room_id}"/>')
        assert "find a room" in await match.admin.hear()  # administrators stay


# Cancelling


async def test_a_cancelled_game_has_no_winner_and_no_points() -> None:
    async with penguins_fair(board_seed=SEED) as fair:
        match = await Match(fair).begin()
        await match.one.move((0, 0))
        await match.room.cancel()
        result = await match.results()
        assert entries(result) == [("REGULAR", "", 0, 1), ("REGULAR", "", 0, 0)]
        assert result.winner is None


@pytest.mark.parametrize("end", ["cancel", "forced step"])
@pytest.mark.parametrize("present", [0, 1])
async def test_who_is_there_wins_against_who_is_not(end: str, present: int) -> None:
    async with penguins_fair() as fair:
        admin, player = connect(fair), connect(fair)
        prepared = await prepare(admin)
        await prepared.seat(player, present)
        await (prepared.cancel() if end == "cancel" else prepared.step('forced="true"'))
        result = await player.hear_result()
        assert result == await admin.hear_result()
        expected = [("LEFT", LEFT + "NOT_CONNECTED", 0, 0)] * 2
        expected[present] = REGULAR_WIN
        assert entries(result) == expected
        assert result.winner is tuple(Team)[present]


@pytest.mark.parametrize("end", ["cancel", "forced step"])
async def test_nobody_wins_where_nobody_is(end: str) -> None:
    async with penguins_fair() as fair:
        admin = connect(fair)
        prepared = await prepare(admin, attributes='pause="true"')
        await (prepared.cancel() if end == "cancel" else prepared.step('forced="true"'))
        result = await admin.hear_result()
        assert entries(result) == [("LEFT", LEFT + "NOT_CONNECTED", 0, 0)] * 2
        assert result.winner is None
        await prepare(admin)  # the connection stays open


async def test_who_was_alone_in_a_room_wins_without_points() -> None:
    async with penguins_fair() as fair:
        admin, one = connect(fair), connect(fair)
        await prepare(admin, observe=False)
        await one.join()
        await admin.say(f'<step roomId="{one.room_id}" forced="true"/>')
        result = await one.hear_result()
        assert entries(result) == [("REGULAR", "", 0, 0)]
        assert result.winner is Team.ONE


async def test_names_are_those_of_the_slots() -> None:
    async with penguins_fair() as fair:
        match = await Match(fair).begin(
            '<slot displayName="Häschen &amp; &quot;Co&quot;" reserved="true"/>'
            '<slot displayName="  " reserved="true"/>'
        )
        await match.room.cancel()
        result = await match.results()
        assert [entry.name for entry in result.scores] == ['Häschen & "Co"', None]
        assert '<player name="Häschen &amp; &quot;Co&quot;" team="ONE"/>' in match.one.heard
        assert '<player team="TWO"/>' in match.one.heard
