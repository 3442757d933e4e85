"""What every game does when its endpoint is drained, gets new settings, or the clock is set."""

import gc
import weakref
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from itertools import count

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from ludothek.contract.clock import Clock
from ludothek.contract.game import Game
from ludothek.contract.registry import load, names
from ludothek.runtime.hall import Hall
from ludothek.settings.fields import build
from tests.games.test_every_game import BRIEF
from tests.support.company import Actor, Meddler, perform
from tests.support.helpers import NOON, Fair, make_endpoint, open_fair

every_game = pytest.mark.parametrize("game", [pytest.param(load(n), id=n) for n in names()])


@pytest.fixture
def no_search() -> Iterator[None]:
    """No search for garbage."""
    gc.disable()
    yield
    gc.enable()


def once_playing(hall: Hall, do: Callable[[], object]) -> Meddler:
    """Does something when the first match is under way."""
    due = [do]

    def meddle(actor: Actor) -> Iterable[bytes]:
        if any(not lobby.table.summary.idle for lobby in hall.lobbies.values()) and due:
            due.pop()()
        return ()

    return meddle


@every_game
async def test_a_match_comes_to_its_end_and_then_everybody_goes(
    game: Game, mock_clock: MockClock
) -> None:
    async with open_fair(game.name, 1, BRIEF.get(game.name)) as fair:
        endpoint = fair.endpoint
        watcher = fair.connect()
        drain = once_playing(endpoint.hall, lambda: fair.nursery.start_soon(endpoint.drain))
        actors = await perform(fair, game, mock_clock, 1, drain)
        assert all(actor.report for actor in actors)
        mock_clock.jump(10)  # for whoever has stopped to read
        await wait_all_tasks_blocked()
        assert (endpoint.clients, endpoint.hall.lobbies, endpoint.hall.crashes) == (set(), {}, 0)
        with pytest.raises(trio.BrokenResourceError):
            await watcher.send(b"")


@every_game
@pytest.mark.usefixtures("no_search")
async def test_a_lobby_that_has_ended_is_no_garbage_to_be_searched(
    game: Game, mock_clock: MockClock
) -> None:
    """Nothing in it refers to itself in a circle: all its memory is free at once."""
    async with open_fair(game.name, 1, BRIEF.get(game.name)) as fair:
        endpoint = fair.endpoint
        left: list[weakref.ref[object]] = []

        def end() -> None:
            lobbies = endpoint.hall.lobbies.values()
            left.extend(weakref.ref(each) for one in lobbies for each in (one, one.table))
            fair.nursery.start_soon(endpoint.drain)

        await perform(fair, game, mock_clock, 1, once_playing(endpoint.hall, end))
        mock_clock.jump(10)
        await wait_all_tasks_blocked()
        still_there = [each for each in left if each() is not None]  # as a port's only lobby is
        gc.collect()
        assert left
        assert all(each() is not None for each in still_there)


@every_game
async def test_an_endpoint_without_a_match_ends_at_once(game: Game, mock_clock: MockClock) -> None:
    async with open_fair(game.name, 1) as fair:
        link = fair.connect()
        await wait_all_tasks_blocked()
        await fair.endpoint.drain()
        with pytest.raises(trio.BrokenResourceError):
            await link.send(b"")
        assert (fair.endpoint.clients, fair.endpoint.hall.lobbies) == (set(), {})


@every_game
async def test_new_settings_leave_a_running_match_alone(game: Game, mock_clock: MockClock) -> None:
    brief = BRIEF.get(game.name, {})
    other = build(game.settings, brief | {"bot_difficulty": 1}, "test")
    async with open_fair(game.name, 1, brief) as fair:
        hall = fair.endpoint.hall
        changed: list[Game] = []

        def adopt() -> None:
            fair.endpoint.adopt(other)
            changed.append(game)

        change = once_playing(hall, adopt)
        actors = await perform(fair, game, mock_clock, 1, change)
        assert changed == [game]
        assert all(actor.report for actor in actors)
        for actor in actors:
            actor.link.close()
        again = await perform(fair, game, mock_clock, 2)
        assert all(actor.report for actor in again)
        assert hall.crashes == 0


@every_game
async def test_a_wall_clock_that_is_set_changes_no_match(game: Game, mock_clock: MockClock) -> None:
    """Deadlines are for a clock that only runs forward; the date may jump by years."""
    leaps = (timedelta(days=1000 * (-1) ** n) for n in count())
    reports = []
    for date in (lambda: NOON, lambda: NOON + next(leaps)):
        async with trio.open_nursery() as nursery:
            brief = BRIEF.get(game.name)
            fair = Fair(nursery, make_endpoint(game.name, 1, brief, Clock(date=date)))
            fair.endpoint.open(nursery, nursery)
            actors = await perform(fair, game, mock_clock, 1)
            reports.append([actor.report for actor in actors])
            nursery.cancel_scope.cancel()
    assert reports[0] == reports[1]
    assert None not in reports[0]
