"""Pausing a game and resuming it, at once or step by step."""

import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from games.penguins.messages import MoveRequest, Paused
from games.penguins.rules import Team
from tests.games.penguins.conformance.test_rooms import SEED, Match
from tests.games.penguins.scene import XmlPeer, connect, entries, join_two, penguins_fair, prepare
from tests.support.helpers import Fair


async def paused_match(fair: Fair) -> Match:
    """A match that began paused; only the observer has seen its state."""
    match = Match(fair)
    match.room = await prepare(match.admin, attributes='pause="true"')
    await match.room.seat_two(match.one, match.two)
    assert (await match.admin.hear_state()).turn == 0
    return match


async def hear_turn(turn: int, *peers: XmlPeer) -> None:
    assert [(await peer.hear_state()).turn for peer in peers] == [turn] * len(peers)


async def test_a_game_that_starts_paused_shows_its_state_to_observers_only() -> None:
    async with penguins_fair() as fair:
        match = await paused_match(fair)
        assert await match.one.has_heard_all()


async def test_rooms_opened_by_join_start_paused_if_set() -> None:
    async with penguins_fair(paused=True) as fair:
        one, two = await join_two(connect(fair), connect(fair))
        assert await one.has_heard_all()
        assert entries(await two.hear_result())[0][0] == "LEFT"


async def test_prepared_rooms_follow_their_own_attribute() -> None:
    async with penguins_fair(paused=True) as fair:
        await Match(fair).begin()


async def test_a_step_shows_the_state_to_all_and_asks_for_one_move() -> None:
    async with penguins_fair(board_seed=SEED) as fair:
        match = await paused_match(fair)
        await match.room.step()
        await hear_turn(0, match.one, match.two, match.admin)
        assert await match.one.hear_data() == MoveRequest()
        await match.one.move((0, 0))
        await hear_turn(1, match.admin)
        await match.room.step()
        await hear_turn(1, match.one, match.two, match.admin)
        assert await match.two.hear_data() == MoveRequest()
        assert await match.one.has_heard_all()


async def test_a_second_step_repeats_state_and_request() -> None:
    async with penguins_fair(board_seed=SEED) as fair:
        match = await paused_match(fair)
        for _ in range(2):
            await match.room.step()
            await hear_turn(0, match.one, match.two, match.admin)
            assert await match.one.hear_data() == MoveRequest()
        await match.one.move((0, 0))
        await hear_turn(1, match.admin)


async def test_a_second_step_begins_the_time_anew(autojump_clock: MockClock) -> None:
    async with penguins_fair() as fair:
        match = await paused_match(fair)
        await match.room.step()
        await trio.sleep(6)
        await match.room.step()
        asked = trio.current_time()
        await match.results()
        assert trio.current_time() == asked + 10


async def test_a_step_of_a_game_that_is_not_paused_is_ignored() -> None:
    async with penguins_fair(board_seed=SEED) as fair:
        match = await Match(fair).begin()
        await match.room.step()
        await match.room.step('forced="true"')
        await match.one.move((0, 0))
        await hear_turn(1, match.one, match.two, match.admin)


async def test_a_step_before_both_are_there_is_ignored() -> None:
    async with penguins_fair() as fair:
        admin, one = connect(fair), connect(fair)
        prepared = await prepare(admin, attributes='pause="true"')
        await prepared.seat(one, 0)
        await prepared.step()
        await wait_all_tasks_blocked()
        assert len(fair.endpoint.hall.lobbies) == 1
        assert await admin.has_heard_all()


async def test_pausing_takes_effect_after_the_move_that_was_asked_for() -> None:
    async with penguins_fair(board_seed=SEED) as fair:
        match = await Match(fair).begin()
        await match.room.pause(True)
        assert await match.admin.hear_data() == Paused(True)
        await match.one.move((0, 0))
        await hear_turn(1, match.admin)
        await match.room.pause(False)
        assert await match.admin.hear_data() == Paused(False)
        await hear_turn(1, match.one, match.two, match.admin)
        assert await match.two.hear_data() == MoveRequest()


async def test_pausing_and_going_on_before_the_move_asks_nobody_again() -> None:
    async with penguins_fair(board_seed=SEED) as fair:
        match = await Match(fair).begin()
        await match.room.pause(True)
        await match.room.pause(False)
        await match.one.move((0, 0))
        await hear_turn(1, match.one, match.two)


async def test_only_observers_are_told_of_a_pause() -> None:
    async with penguins_fair() as fair:
        match = await Match(fair).begin()
        await match.room.pause(True)
        assert await match.admin.hear() == (
            f'<room roomId="{match.one.room_id}">\n    <data class="paused" paused="true"/>\n'
            "  </room>"
        )
        assert "paused" not in await match.one.finish()


async def test_a_pause_that_changes_nothing_is_ignored() -> None:
    async with penguins_fair() as fair:
        match = await paused_match(fair)
        await match.room.pause(True)
        assert await match.admin.has_heard_all()
        other = await Match(fair).begin()
        await other.room.pause(False)
        assert await other.admin.has_heard_all()


async def test_going_on_before_both_are_there_only_lifts_the_pause() -> None:
    async with penguins_fair() as fair:
        match = Match(fair)
        match.room = await prepare(match.admin, attributes='pause="true"')
        await match.room.pause(False)
        assert await match.admin.hear_data() == Paused(False)
        await match.room.seat_two(match.one, match.two)
        await hear_turn(0, match.one, match.two, match.admin)
        assert await match.one.hear_data() == MoveRequest()


async def test_a_move_during_a_pause_loses() -> None:
    async with penguins_fair() as fair:
        match = await paused_match(fair)
        await match.one.move((0, 0))
        text = "Move from ONE(A) has not been requested."
        assert (await match.one.hear_data()).message == text
        result = await match.results()
        assert entries(result)[0] == ("RULE_VIOLATION", text, 0, 0)
        assert result.winner is Team.TWO


async def test_a_move_out_of_turn_during_a_pause_is_out_of_turn_first_of_all() -> None:
    async with penguins_fair() as fair:
        match = await paused_match(fair)
        await match.two.move((0, 0))
        assert "not your turn" in (await match.two.hear_data()).message


async def test_no_time_passes_in_a_pause(mock_clock: MockClock) -> None:
    async with penguins_fair(board_seed=SEED) as fair:
        match = await paused_match(fair)
        mock_clock.jump(3600)
        await match.room.step()
        await hear_turn(0, match.one, match.two)
        assert await match.one.hear_data() == MoveRequest()
        await match.one.move((0, 0))
        await wait_all_tasks_blocked()
        mock_clock.jump(3600)
        await match.room.pause(False)
        await hear_turn(1, match.one, match.two)


async def test_time_passes_for_a_move_that_was_asked_for(autojump_clock: MockClock) -> None:
    async with penguins_fair() as fair:
        match = await paused_match(fair)
        start = trio.current_time()
        await match.room.step()
        assert entries(await match.results())[0][0] == "HARD_TIMEOUT"
        assert trio.current_time() == start + 10


async def test_leaving_a_paused_game_loses_it() -> None:
    async with penguins_fair() as fair:
        match = await paused_match(fair)
        await match.one.stream.aclose()
        assert entries(await match.two.hear_result())[0][0] == "LEFT"


async def test_a_paused_game_can_be_cancelled() -> None:
    async with penguins_fair() as fair:
        match = await paused_match(fair)
        await match.room.cancel()
        assert (await match.results()).winner is None
